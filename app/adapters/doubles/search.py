"""The search index in memory: nothing is kept, every document is read anew for each question."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from app.adapters.doubles.state import State
from app.adapters.text.snowball import SNOWBALL
from app.adapters.text.weighing import weighed
from app.domain.ground import Said
from app.domain.past import PRESENT, Moment
from app.domain.search import (
    SPOKEN,
    Document,
    DocumentKind,
    Shelf,
    fact_document,
    message_document,
    observation_document,
    terms_of,
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
        return weighed(asked, here, since)

    async def around(
        self, messages: Sequence[UUID], shelves: Sequence[Shelf], reach: int, moment: Moment = PRESENT
    ) -> list[list[Said]]:
        here = [each for each in self._within(shelves) if moment.includes(each.at, each.recorded_at)]
        told: list[list[Said]] = []
        for conversation in {each.conversation_id for each in here if each.kind in SPOKEN}:
            said = [self._said(each) for each in here if each.conversation_id == conversation]
            told += _strips(said, set(messages), reach)
        return told

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

    async def disowned(self, message_ids: Sequence[UUID]) -> list[UUID]:
        return [each for each in message_ids if each in self._state.disowned]

    async def disown(self, message_ids: Sequence[UUID]) -> None:
        self._state.disowned |= dict.fromkeys(message_ids, True)

    def _said(self, document: Document) -> Said:
        return Said(
            id=document.id,
            conversation=document.conversation_id or "",
            author=user_of(document.subject),
            reply=document.kind is DocumentKind.REPLY,
            at=document.at or datetime.min.replace(tzinfo=UTC),
            marks=document.marks,
            terms=len(terms_of(document, SNOWBALL)),
            disowned=document.id in self._state.disowned,
        )

    def _within(self, shelves: Sequence[Shelf]) -> Iterator[Document]:
        for document in documents(self._state):
            if any(shelf.holds(document) for shelf in shelves):
                yield document


def _strips(said: list[Said], about: set[UUID], reach: int) -> Iterator[list[Said]]:
    ordered = sorted(said, key=lambda one: (one.at, one.id))
    places = [place for place, one in enumerate(ordered) if one.id in about]
    strip: list[Said] = []
    for place, one in enumerate(ordered):
        if any(abs(place - other) <= reach for other in places):
            strip.append(one)
        elif strip:
            yield strip
            strip = []
    if strip:
        yield strip


def documents(state: State) -> Iterator[Document]:
    """All that can be found."""
    yield from state.documents.values()
    yield from map(message_document, state.messages.values())
    yield from (fact_document(kept.fact) for kept in state.facts.values())
    yield from filter(None, map(observation_document, state.observations.values()))
