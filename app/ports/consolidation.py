"""Consolidation of people, as kept: who holds a person, and when each was last done."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.consolidation import Checkpoint


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a person is consolidated. `due`: observations wait, or what was shown has faded.

    `remembered`: the person is there, and neither they nor the organisation want nothing kept.
    """

    remembered: bool
    due: bool = False
    checkpoint: Checkpoint | None = None


class Consolidations(Protocol):
    """The consolidations of the scope's organisation."""

    async def hold(self, user_id: str) -> None:
        """Holds the person until the transaction ends, so that consolidations of one follow each other.

        Raises Unavailable where another takes too long.
        """
        ...

    async def progress(self, user_id: str, now: datetime) -> Progress: ...

    async def save(self, user_id: str, checkpoint: Checkpoint) -> None:
        """Keeps it in place of the last one; what it does not name (`latest_at`, `session_id`) stays."""
        ...
