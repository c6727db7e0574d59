"""The tenant's session: a transaction that cannot read or write another organisation's rows.

Locks 3 (every ORM statement is filtered), 4 (every flushed row is stamped) and 5 (row-level security hears the
organisation) hang on the session itself, so a repository has nothing to remember.
"""

from datetime import datetime
from math import isfinite
from typing import Any, cast
from uuid import UUID

from sqlalchemy import ColumnElement, Insert, Select, column, event, func, inspect, literal, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import ORMExecuteState, Session, SessionTransaction, UOWTransaction, with_loader_criteria
from sqlalchemy.sql.base import ExecutableOption
from sqlalchemy.types import TypeEngine

from app.adapters.postgres.base import Scoped
from app.adapters.postgres.closings import hidden, require_open
from app.adapters.postgres.hashes import thing_digest
from app.domain.erasures import Closings, Extent, Thing
from app.domain.subjects import Subject
from app.domain.tenancy import TenantScope

SCOPE = "tenant_scope"
STAMPED = "tenant_stamped"
CLOSINGS = "tenant_closings"
ERASING = "tenant_erasing"
_LEDGER = "ledger"
_NARROWED = "tenant_narrowed"


class ForeignTenantError(Exception):
    """A row or statement of another organisation reached the session: a fault of the service, never of a caller."""


class _ScopedSession(Session):
    """The synchronous half, which carries the hooks."""

    @property
    def org_id(self) -> str:
        scope = self.info.get(SCOPE)
        if not isinstance(scope, TenantScope):
            raise ForeignTenantError("a session without a tenant scope was used")
        return scope.org_id


class TenantSession(AsyncSession):
    """A session of one scope, for its whole life. Repositories take this and nothing less."""

    sync_session_class = _ScopedSession

    def __init__(self, bind: Any, scope: TenantScope, *, erasing: bool = False, pepper: bytes = b"") -> None:
        super().__init__(bind, expire_on_commit=False, info={SCOPE: scope, ERASING: erasing})
        self._scope = scope
        self._pepper = pepper
        self._touched: set[Subject] = set()
        self.vectors_gone: int | None = None
        """How many vectors have left; None where nobody counts them."""

    @property
    def scope(self) -> TenantScope:
        """Whom this session serves."""
        return self._scope

    @property
    def touched(self) -> frozenset[Subject]:
        """All that `touch` was told."""
        return frozenset(self._touched)

    def touch(self, *subjects: Subject) -> None:
        """What is served of these changes with this transaction: their generations are raised at its end.

        The organisation's stands for everybody in it. What no reader is served the next time touches nothing.
        """
        self._touched.update(subjects)

    def digest(self, thing: Thing) -> bytes:
        """What stands for a thing of the organisation in the ledger."""
        return thing_digest(self._pepper, self._scope.org_id, thing)

    def platform_digest(self, thing: Thing) -> bytes:
        """As `digest`, where it outlives the organisation."""
        return thing_digest(self._pepper, "", thing)

    async def look_around(self) -> None:
        """Begins: what is closed is known before anything is read or written."""
        await self.connection()

    @property
    def closings(self) -> Closings:
        """What of the organisation is being erased: this session neither reads nor writes it, unless it erases."""
        closings: Closings = self.info.get(CLOSINGS, Closings())
        return closings

    @property
    def has_ledger(self) -> bool:
        """Whether anything of the organisation was ever erased, as far as the ledger knows."""
        return bool(self.info.get(_LEDGER, True))

    def insertion(self, table: type[Scoped], rows: list[dict[str, Any]]) -> Any:
        """An `INSERT` of these rows, stamped with the organisation; the only way around a flush.

        They name the same columns; of several rows each value is plain, no expression. However many they are, it is
        one statement, compiled once. Raises ForeignTenantError when a row names another organisation.
        """
        if any(row.get("org_id", self._scope.org_id) != self._scope.org_id for row in rows):
            raise ForeignTenantError(f"a row of another organisation was to be inserted into {table.__name__}")
        require_open(self.closings, table, rows)
        stamped = [{**row, "org_id": self._scope.org_id} for row in rows]
        statement = pg_insert(table)
        filled = statement.values(stamped[0]) if len(rows) == 1 else statement.from_select(*_selected(table, stamped))
        return filled.execution_options(**{STAMPED: True})


def _selected(table: type[Scoped], rows: list[dict[str, Any]]) -> tuple[list[str], Select[Any]]:
    """The rows' columns, and a query that answers the rows: they travel as one JSON value, so that a thousand of them
    make no longer a statement than two."""
    columns = [kept for kept in inspect(table).local_table.columns if kept.name in rows[0]]
    told = [{name: _as_json(value) for name, value in row.items()} for row in rows]
    typed = [column(kept.name, kept.type) for kept in columns]
    sent = func.jsonb_to_recordset(literal(told, JSONB)).table_valued(*typed, name="sent")
    read = sent.render_derived(with_types=True).c
    return [kept.name for kept in columns], select(*(_as_kept(read[kept.name], kept.type) for kept in columns))


def _as_kept(value: ColumnElement[Any], kind: TypeEngine[Any]) -> ColumnElement[Any]:
    """What is none comes as null, which in a column of JSON may have been JSON's own."""
    keeps_null = isinstance(kind, JSONB) and not kind.none_as_null
    return func.coalesce(value, literal(JSONB.NULL, JSONB)) if keeps_null else value


def _as_json(value: Any) -> Any:
    match value:
        case UUID():
            return str(value)
        case datetime():
            return value.isoformat()
        case bytes():
            return f"\\x{value.hex()}"
        case float() if not isfinite(value):  # JSON has no such number; Postgres reads it from text
            return str(value)
        case list() | tuple():
            return [_as_json(item) for item in value]
        case _:
            return value


@event.listens_for(_ScopedSession, "after_begin")
def _tell_the_database(session: _ScopedSession, transaction: SessionTransaction, connection: Connection) -> None:
    """Lock 5: for this transaction only (`true`), as pooled connections live on. It answers what is closed."""
    opening = select(func.set_config("app.org_id", session.org_id, True), func.closings(session.org_id))
    session.info.pop(_NARROWED, None)
    told: list[str] = connection.execute(opening).one()[1]
    session.info[_LEDGER] = _LEDGER in told
    if not session.info.get(ERASING):
        session.info[CLOSINGS] = Closings(frozenset(Extent.of(one) for one in told if one != _LEDGER))


@event.listens_for(_ScopedSession, "do_orm_execute")
def _filter(state: ORMExecuteState) -> None:
    """Lock 3: each ORM statement sees the organisation's rows alone, an insertion too in what it looks up.

    An insertion must have been stamped.
    """
    session = cast(_ScopedSession, state.session)
    if isinstance(state.statement, Insert) and not state.execution_options.get(STAMPED):
        raise ForeignTenantError("an insertion was not made by TenantSession.insertion")
    if not state.is_column_load and not state.is_relationship_load:
        state.statement = state.statement.options(*_narrowed(session))


def _narrowed(session: _ScopedSession) -> list[ExecutableOption]:
    """What each statement of a transaction is narrowed by; made once for all of them."""
    made: list[ExecutableOption] | None = session.info.get(_NARROWED)
    if made is None:
        org_id = session.org_id
        ours = with_loader_criteria(Scoped, lambda table: table.org_id == org_id, include_aliases=True)
        made = session.info[_NARROWED] = [ours, *hidden(session.info.get(CLOSINGS, Closings()))]
    return made


@event.listens_for(_ScopedSession, "before_flush")
def _stamp(session: _ScopedSession, context: UOWTransaction, instances: object) -> None:
    """Lock 4: new rows get the organisation, a row that names another one stops the transaction."""
    org_id = session.org_id
    for row in session.new:
        if isinstance(row, Scoped) and getattr(row, "org_id", None) is None:
            row.org_id = org_id
    for row in (*session.new, *session.dirty, *session.deleted):
        if isinstance(row, Scoped) and {row.org_id, *inspect(row).attrs.org_id.history.deleted} != {org_id}:
            raise ForeignTenantError(f"a row of another organisation was to be flushed into {type(row).__name__}")
