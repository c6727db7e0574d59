"""Contradictions: two beliefs of one key that cannot both hold, from when they first stood against each other."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID, uuid5

from app.domain.subjects import KeyRef


class Standing(StrEnum):
    """Whether somebody, or what was said since, has decided it."""

    OPEN = "open"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The rows `older` and `newer` of one key. It is open while both are believed and nobody lets both hold.

    Each believed row stands against the nearest older one that it cannot hold with: of n rivals there are at most
    n − 1 at a time. One that opens again keeps its `opened_at`. Times are those of the entries that opened and settled
    it.
    """

    id: UUID
    ref: KeyRef
    older: UUID
    newer: UUID
    opened_at: datetime
    settled_at: datetime | None = None

    @property
    def standing(self) -> Standing:
        """Open until it is settled."""
        return Standing.OPEN if self.settled_at is None else Standing.SETTLED


def contradiction_id(older: UUID, newer: UUID) -> UUID:
    """The same for the same two rows, whenever and wherever they are folded (a UUID of version 5)."""
    return uuid5(older, newer.hex)
