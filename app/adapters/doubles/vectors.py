"""Vectors in memory: a document's stamp is what it says."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from app.adapters.doubles.search import documents
from app.adapters.doubles.state import KeptVectors, State
from app.domain.embedding import Vector
from app.domain.past import PRESENT, Moment
from app.domain.search import Document, DocumentKind, Shelf
from app.ports.vectors import Embedded, Nearness, Progress, Stamped


class InMemoryVectors:
    """The vectors of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def lacking(self, limit: int, space: str | None = None) -> list[Stamped]:
        newest = sorted(documents(self._state), key=lambda each: each.id, reverse=True)
        bare = [each for each in newest if self._of(each) is None]
        others = [each for each in newest if (held := self._of(each)) and held.space not in (None, space)]
        return [Stamped(each.kind, each.id, _stamp(each)) for each in (*bare, *(others if space else ()))][:limit]

    async def put(self, space: str, made: Mapping[Stamped, Embedded], failed: Collection[Stamped] = ()) -> int:
        there = {Stamped(each.kind, each.id, _stamp(each)): each.subject for each in documents(self._state)}
        places = {one.place for one in there}
        kept = {
            one: KeptVectors(there[one], one.stamp, space, tuple(each.vectors), each.beside)
            for one, each in made.items()
            if one in there and (each.beside is None or each.beside in places)
        }
        vain = {one: KeptVectors(there[one], one.stamp, None) for one in failed if one in there}
        self._state.vectors |= {one.place: held for one, held in (kept | vain).items()}
        return len(kept)

    async def forgive(self) -> int:
        failed = [place for place, held in self._state.vectors.items() if held.space is None]
        for place in failed:
            del self._state.vectors[place]
        return len(failed)

    async def elsewhere(self, space: str) -> int:
        """How many documents have vectors of another space."""
        held = [self._of(each) for each in documents(self._state)]
        return sum(one is not None and one.space not in (None, space) for one in held)

    async def progress(self, space: str) -> Progress:
        held = [self._of(each) for each in documents(self._state)]
        done = sum(one is not None and one.space == space for one in held)
        return Progress(done, sum(one is not None and one.space is None for one in held), len(held))

    async def nearest(
        self,
        question: Vector,
        space: str,
        shelves: Sequence[Shelf],
        limit: int,
        since: datetime | None = None,
        moment: Moment = PRESENT,
    ) -> Mapping[DocumentKind, Nearness]:
        here: dict[DocumentKind, list[Document]] = {}
        for each in documents(self._state):
            if any(shelf.holds(each) for shelf in shelves) and moment.includes(each.at, each.recorded_at):
                here.setdefault(each.kind, []).append(each)
        return {kind: self._nearness(question, space, some, limit, since) for kind, some in here.items()}

    def _nearness(
        self, question: Vector, space: str, some: Sequence[Document], limit: int, since: datetime | None
    ) -> Nearness:
        cosines = {each: cosine for each in some for cosine in self._cosine(question, space, each)}
        late = [each for each in cosines if since is None or each.at is None or each.at >= since]
        best = sorted(late, key=lambda each: (-cosines[each], each.id))[:limit]
        bounds = min(cosines.values(), default=0.0), max(cosines.values(), default=0.0)
        labels = {each.id: each.label for each in best}
        return Nearness({each.id: cosines[each] for each in best}, *bounds, len(cosines), len(some), labels)

    async def cosines(
        self, question: Vector, space: str, kinds: Collection[DocumentKind], ids: Collection[UUID]
    ) -> Mapping[UUID, float]:
        asked = [each for each in documents(self._state) if each.kind in kinds and each.id in ids]
        return {each.id: cosine for each in asked for cosine in self._cosine(question, space, each)}

    def _of(self, document: Document) -> KeptVectors | None:
        """What is kept of the document, as far as it says the same."""
        held = self._state.vectors.get((document.kind, document.id))
        if held is None or held.stamp != _stamp(document):
            return None
        there = held.beside is None or any((each.kind, each.id) == held.beside for each in documents(self._state))
        return held if there else None

    def _cosine(self, question: Vector, space: str, document: Document) -> Iterator[float]:
        held = self._of(document)
        if held and held.space == space and held.vectors:
            yield max(_between(question, vector) for vector in held.vectors)


def _stamp(document: Document) -> str:
    return f"{document.label}\n{document.text}"


def _between(one: Vector, other: Vector) -> float:
    product = sum(left * right for left, right in zip(one, other, strict=True))
    return product / (math.hypot(*one) * math.hypot(*other))
