"""The audit trail, as kept: appended to, never changed."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.events import EventKind, MemoryEvent
from app.domain.subjects import Subject
from app.ports.paging import Page, PageRequest


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which events to list. A person's own are those about `reader`; other people's come without their words."""

    fact_id: UUID | None = None
    kind: EventKind | None = None
    actor: str | None = None
    since: datetime | None = None
    until: datetime | None = None


class Events(Protocol):
    async def append(self, events: Sequence[MemoryEvent]) -> None: ...

    async def page(self, wanted: EventFilter, request: PageRequest) -> Page[MemoryEvent]:
        """Newest first."""
        ...

    async def erase_values(self, fact_ids: Sequence[UUID]) -> int:
        """Takes the words out of all events about these facts; answers how many had some."""
        ...

    def everything(self, subject: Subject | None) -> AsyncIterator[MemoryEvent]: ...
