"""Seals on the audit trail, and the trail as it is kept."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from app.domain.events import EventValues
from app.domain.seals import Line, Seal


@dataclass(frozen=True, slots=True)
class Kept:
    """How many seals were made, by the organisation's own count, and how many events have words."""

    seals: int
    words: int


class Seals(Protocol):
    """Added to, never changed."""

    async def hold(self) -> bool:
        """Nobody else adds a seal until the transaction ends. False where the organisation is gone."""
        ...

    async def last(self) -> Seal | None: ...

    async def unsealed(self, after: int, upto: int, limit: int) -> list[Line]:
        """At most `limit` events behind the place `after` and up to `upto`, in order."""
        ...

    async def add(self, seal: Seal) -> None:
        """Raises Conflict where the chain has a seal of this number."""
        ...

    def chain(self) -> AsyncIterator[Seal]:
        """All seals in order, without holding them in memory."""
        ...

    def lines(self, after: int, upto: int | None = None) -> AsyncIterator[tuple[Line, EventValues | None]]:
        """All events of these places in order, with the words that are there; as `chain`."""
        ...

    async def kept(self) -> Kept: ...
