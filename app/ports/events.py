"""The audit trail, as kept: appended to, never changed."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.events import Change, EventKind, MemoryEvent
from app.domain.subjects import Scope, Subject
from app.domain.trail import Teller
from app.ports.paging import Page, PageRequest


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which events to read, and as whom; None leaves a thing open, but no `reader` is nobody in particular.

    What is about a person comes with its words and its subject to that person alone. Others see that it happened, to
    which fact, and which operator did it; never a contact's name, nor that of somebody who changed their own memory or
    had a turn skipped. What is hidden cannot be filtered by. `unveiled` is for the owner's export: it hides nothing.

    `scope` ORG also takes what is about no fact. `stores` and `agents` are a key's limits; for the latter, what is
    about a fact that is gone, whose pocket nobody knows any more, is left out.
    """

    fact_id: UUID | None = None
    kind: EventKind | None = None
    actor: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    scope: Scope | None = None
    subject: Subject | None = None
    reader: str | None = None
    stores: frozenset[str] | None = None
    agents: frozenset[str] | None = None
    unveiled: bool = False


class Events(Protocol):
    @property
    def wordless(self) -> int:
        """How many events have lost their words in this transaction."""
        ...

    async def append(self, events: Sequence[MemoryEvent]) -> None:
        """Adds what happened to no row of a fact, behind what was told of rows until then."""
        ...

    async def restore(self, events: Sequence[MemoryEvent]) -> int:
        """Adds those that are not there, with their words and digests, as having happened elsewhere; answers how many.

        People and stores that are not there are not named.
        """
        ...

    def tell(self, changed: Iterable[Change], teller: Teller) -> None:
        """Rows of facts changed. Each that is another at the end of the transaction than at its begin leaves one event,
        however many steps were told; of those that are gone, the words leave the trail.
        """
        ...

    async def flush(self) -> None:
        """Writes what was told of rows, as if the transaction ended here; its end does so by itself."""
        ...

    async def page(self, wanted: EventFilter, request: PageRequest) -> Page[MemoryEvent]:
        """Newest first."""
        ...

    async def erase_values(self, fact_ids: Sequence[UUID]) -> int:
        """Takes the words out of all events about these facts, those that this transaction has yet to write too;
        answers how many had some.
        """
        ...

    async def erase_about(self, subject: Subject, *, with_facts: bool = True) -> int:
        """As `erase_values`, for all events about this store or person; or for those about no fact of theirs."""
        ...

    def everything(self, wanted: EventFilter) -> AsyncIterator[MemoryEvent]:
        """Oldest first, without holding them in memory."""
        ...
