"""Versions: a change may be made to depend on nobody having changed the thing meanwhile."""

from dataclasses import dataclass

from app.domain.errors import PreconditionFailed


@dataclass(frozen=True, slots=True)
class Expected:
    """The versions that a caller's change is meant for; None is any."""

    versions: frozenset[int] | None = None

    def require(self, version: int) -> None:
        """Raises PreconditionFailed when the thing stands at another version."""
        if self.versions is not None and version not in self.versions:
            raise PreconditionFailed


ANY = Expected()
