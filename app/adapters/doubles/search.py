"""The search index in memory: nothing is kept, every document is read anew for each question."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from app.adapters.doubles.state import State
from app.adapters.text.snowball import SNOWBALL
from app.domain.bm25 import Collection, Posting
from app.domain.search import (
    Document,
    DocumentKind,
    Shelf,
    fact_document,
    message_document,
    observation_document,
    terms_of,
)
from app.domain.subjects import UserSubject, user_of
from app.domain.terms import question
from app.ports.search import Found


class InMemorySearch:
    """What can be found of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def look_up(self, asked: str, shelves: Sequence[Shelf], since: datetime | None = None) -> Found:
        words = question(asked, SNOWBALL)
        if not words or not shelves:
            return Found(words)
        terms = frozenset().union(*words)
        collections, labels = dict[DocumentKind, Collection](), dict[UUID, str]()
        for kind in DocumentKind:
            here = [document for document in self._within(shelves) if document.kind is kind]
            told = {document.id: terms_of(document, SNOWBALL) for document in here}
            postings: dict[str, list[Posting]] = {}
            for document in here:
                held = told[document.id]
                if since is not None and document.at is not None and document.at < since:
                    continue
                for term in terms.intersection(held):
                    postings.setdefault(term, []).append(Posting(document.id, held.count(term), len(held)))
                    labels |= {document.id: document.label} if document.label else {}
            if here:
                collections[kind] = Collection(len(here), sum(map(len, told.values())), postings)
        touched = {each.document for held in collections.values() for one in held.postings.values() for each in one}
        return Found(words, collections, labels, frozenset(touched & self._state.disowned.keys()))

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
        for document in self._everything():
            if any(shelf.holds(document) for shelf in shelves):
                yield document

    def _everything(self) -> Iterator[Document]:
        yield from self._state.documents.values()
        yield from map(message_document, self._state.messages.values())
        yield from (fact_document(kept.fact) for kept in self._state.facts.values())
        yield from filter(None, map(observation_document, self._state.observations.values()))
