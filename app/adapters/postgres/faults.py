"""Database errors as the domain's own: by SQLSTATE, never by their text."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.domain.errors import BadRequest, Collision, Conflict, RetenirError, Unavailable

_BUSY = {"57014", "53300", "53400", "57P01", "57P02", "57P03", "25P03", "25006"}
_COLLIDED = {"40001", "40P01", "55P03"}
_DUPLICATE = "23505"
_MISSING_PARENT = "23503"
_UNSTORABLE = {"22021", "22P05"}


@contextmanager
def translated() -> Iterator[None]:
    """The block's database errors as the domain's own."""
    try:
        yield
    except Exception as error:
        if (known := translate(error)) is not None:
            raise known from error
        raise


def translate(error: Exception) -> RetenirError | None:
    """The domain error that a database error stands for; None for a fault of ours, which must stay loud."""
    if isinstance(error, PoolTimeout | ConnectionError | TimeoutError | OSError):
        return Unavailable("database_unavailable", "The database does not answer; try again.", retry_after=1)
    if not isinstance(error, DBAPIError):
        return None
    state = getattr(error.orig, "sqlstate", None)
    if state in _COLLIDED:
        return Collision()
    if error.connection_invalidated or state in _BUSY or (state or "").startswith(("08", "28", "3D", "53")):
        return Unavailable("database_unavailable", "The database is busy or away; try again.", retry_after=1)
    if state == _DUPLICATE:
        return Conflict("conflict", "Somebody else wrote the same thing at the same time; try again.")
    if state == _MISSING_PARENT:
        return Conflict("conflict", "What this belongs to was removed at the same time.")
    if state in _UNSTORABLE:
        return BadRequest("unstorable_text", "The text holds characters that cannot be stored.")
    if state is None and isinstance(error, InterfaceError | OperationalError):
        return Unavailable("database_unavailable", "The database does not answer; try again.", retry_after=1)
    return None
