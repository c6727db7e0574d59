"""The search index in memory: nothing is kept, every document is read anew for each question."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from app.adapters.doubles.state import State
from app.adapters.text.weighing import weighed
from app.domain.past import PRESENT, Moment
from app.domain.search import (
    Document,
    DocumentKind,
    Shelf,
    fact_document,
    message_document,
    observation_document,
)
from app.domain.subjects import UserSubject, user_of
from app.ports.search import Found


class InMemorySearch:
    """What can be found of one organisation."""

    weigh = staticmethod(weighed)

    def __init__(self, state: State) -> None:
        self._state = state

    async def look_up(
        self, asked: str, shelves: Sequence[Shelf], since: datetime | None = None, moment: Moment = PRESENT
    ) -> Found:
        here = [document for document in self._within(shelves) if moment.includes(document.at, document.recorded_at)]
        found = weighed(asked, here, since)
        touched = {
            each.document for held in found.collections.values() for one in held.postings.values() for each in one
        }
        return replace(found, disowned=frozenset(touched & self._state.disowned.keys()))

    async def index(self, documents: Sequence[Document]) -> None:
        for document in documents:
            self._state.require(user_id=user_of(document.subject), store_id=document.store_id)
            self._state.require_new((document.kind, document.id) in self._state.documents)
            self._state.documents[document.kind, document.id] = document

    async def unindex(self, kind: DocumentKind, ids: Sequence[UUID]) -> None:
        for document_id in ids:
            self._state.documents.pop((kind, document_id), None)

    async def unindex_before(self, kind: DocumentKind, bound: UUID) -> None:
        await self.unindex(kind, [place for known, place in self._state.documents if known is kind and place < bound])

    async def move(self, kinds: Sequence[DocumentKind], user_id: str, heir: str, store_id: str | None) -> None:
        for place, document in self._state.documents.items():
            if document.kind in kinds and document.subject == UserSubject(user_id):
                there = document.store_id or store_id
                self._state.documents[place] = replace(document, subject=UserSubject(heir), store_id=there)

    async def disown(self, message_ids: Sequence[UUID]) -> None:
        self._state.disowned |= dict.fromkeys(message_ids, True)

    def _within(self, shelves: Sequence[Shelf]) -> Iterator[Document]:
        for document in documents(self._state):
            if any(shelf.holds(document) for shelf in shelves):
                yield document


def documents(state: State) -> Iterator[Document]:
    """All that can be found."""
    yield from state.documents.values()
    yield from map(message_document, state.messages.values())
    yield from (fact_document(kept.fact) for kept in state.facts.values())
    yield from filter(None, map(observation_document, state.observations.values()))
