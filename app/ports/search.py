"""Finding documents by their words: the postings, as kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.bm25 import Collection
from app.domain.ground import Said
from app.domain.past import PRESENT, Moment
from app.domain.search import Document, DocumentKind, Shelf


@dataclass(frozen=True, slots=True)
class Found:
    """What a question touches on some shelves.

    `words` are its words, each as the terms that stand for it; empty where it asks for nothing. `collections` count
    all documents within reach, by kind; `labels` are those of the documents that hold a word and have one.
    """

    words: Sequence[frozenset[str]] = ()
    collections: Mapping[DocumentKind, Collection] = field(default_factory=dict)
    labels: Mapping[UUID, str] = field(default_factory=dict)


class Search(Protocol):
    """The search index. Messages, facts and observations enter and leave it as they are written, others by `index`."""

    async def look_up(
        self, question: str, shelves: Sequence[Shelf], since: datetime | None = None, moment: Moment = PRESENT
    ) -> Found:
        """The postings of the question's words on these shelves, in one round trip.

        `since` leaves out the postings, not the count, of what was said earlier; `moment` leaves out of both what was
        said after `as_of` or recorded after `known_at`, and says nothing of facts. Any text is a question.
        """
        ...

    async def around(
        self, messages: Sequence[UUID], shelves: Sequence[Shelf], reach: int, moment: Moment = PRESENT
    ) -> list[list[Said]]:
        """These messages, each with at most `reach` before and behind it in its conversation that stand on the shelves.

        In strips of what was said one after the other; no message stands in two. Those that stand on none of the
        shelves are not told.
        """
        ...

    @property
    def weigh(self) -> Callable[[str, Sequence[Document]], Found]:
        """As `look_up`, of a question on these documents alone, which need not be indexed; nothing is read."""
        ...

    async def index(self, documents: Sequence[Document]) -> None:
        """They are found from the commit on. Each must be new, and whom it is about be there."""
        ...

    async def unindex(self, kind: DocumentKind, ids: Sequence[UUID]) -> None:
        """They are not found any more."""
        ...

    async def unindex_before(self, kind: DocumentKind, bound: UUID) -> None:
        """Those with lower ids are not found any more: with UUIDv7, the older ones."""
        ...

    async def move(self, kinds: Sequence[DocumentKind], user_id: str, heir: str, store_id: str | None) -> None:
        """What was about the first person is about the second then; what belongs to no store, to `store_id`."""
        ...

    async def disowned(self, message_ids: Sequence[UUID]) -> list[UUID]:
        """Those of these messages that were."""
        ...

    async def disown(self, message_ids: Sequence[UUID]) -> None:
        """What these messages say was deleted: they are found, and not quoted."""
        ...
