"""Finding: what answers a question, by its words and by what it means, and what stands around it."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from app.domain.asking import Asked, asked
from app.domain.bm25 import Collection as Indexed
from app.domain.bm25 import joined, shares
from app.domain.currency import current_first
from app.domain.embedding import EmbedderProfile, Vector
from app.domain.ground import Ground, Said, ground_of, words_in
from app.domain.hits import Why
from app.domain.ranking import REACH, rank
from app.domain.search import SPOKEN, DocumentKind, Shelf
from app.domain.subjects import UserSubject
from app.ports.embedders import Embedder, EmbeddingFailed
from app.ports.past import View
from app.ports.search import Found
from app.ports.vectors import Nearness

MOST_NEAR = 60
"""Documents of a kind that are weighed for their words, and as many for their meaning."""
HALF = 0.5
"""Of the best: as far must come what nothing of its own speaks for, and so much of what speaks for it has each."""
VECTORS_OFF = "vectors_off"
"""There is no embedder, where one was wanted: things are found by their words alone."""
VECTORS = "vectors"
"""The embedder is away or not waited for, or most of what could be found has no vectors of its yet."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question made ready: what it asks, and its vector where there is one. `degraded` says why there is none."""

    asked: Asked
    vector: Vector | None = None
    profile: EmbedderProfile | None = None
    degraded: str | None = None


@dataclass(frozen=True, slots=True)
class Questions:
    """Makes questions ready. No transaction may be open meanwhile."""

    embedder: Embedder | None
    missed: bool = True
    """Whether it matters that there is no embedder."""

    async def ready(self, text: str, names: Mapping[str, str | None], patience: float) -> Question:
        """The question, with its vector where that is there within `patience` seconds; it is not made for none.

        `names` are those of the people whose words it may be answered with: a name is whose words are meant, and no
        word of theirs.
        """
        question = asked(text, names)
        if self.embedder is None:
            return Question(question, degraded=VECTORS_OFF if self.missed else None)
        if patience <= 0:
            return Question(question, degraded=VECTORS)
        try:
            async with asyncio.timeout(patience):
                vector = await self.embedder.question(question.text)
        except (EmbeddingFailed, TimeoutError):
            return Question(question, degraded=VECTORS)
        return Question(question, vector, self.embedder.profile)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a question touches on some shelves."""

    question: Question
    found: Found
    shelves: Sequence[Shelf]
    near: Mapping[DocumentKind, Nearness] = field(default_factory=dict)

    @property
    def degraded(self) -> tuple[str, ...]:
        """What was not looked at as it should be."""
        if self.question.degraded is not None:
            return (self.question.degraded,)
        documents = sum(each.documents for each in self.near.values())
        return (VECTORS,) if 2 * sum(each.embedded for each in self.near.values()) < documents else ()

    def why(self, *kinds: DocumentKind) -> dict[UUID, Why]:
        """What speaks for each document of the kinds, as far as anything does."""
        lexical, vector = self.lexical(*kinds), self.vector(*kinds)
        why = {each: Why(lexical.get(each, 0.0), vector.get(each)) for each in lexical | vector}
        return {each: one for each, one in why.items() if one.relevance > 0}

    @property
    def labels(self) -> dict[UUID, str]:
        """Those of what was found and has one."""
        return {
            **self.found.labels,
            **{each: label for near in self.near.values() for each, label in near.labels.items()},
        }

    def indexed(self, *kinds: DocumentKind) -> Indexed:
        """The documents of the kinds that hold a word of the question."""
        return joined(self.found.collections[kind] for kind in kinds if kind in self.found.collections)

    def lexical(self, *kinds: DocumentKind) -> dict[UUID, float]:
        """How well each document of the kinds answers by its words, in [0, 1)."""
        return shares(self.found.words, self.indexed(*kinds))

    def vector(self, *kinds: DocumentKind) -> dict[UUID, float]:
        """How near the nearest of the kinds are in meaning, in [0, 1]."""
        return self.nearness({each: cosine for near in self._near(kinds) for each, cosine in near.cosines.items()})

    def nearness(self, cosines: Mapping[UUID, float]) -> dict[UUID, float]:
        """The cosines as numbers in [0, 1]: from what is not related to what means the same."""
        profile = self.question.profile
        return {each: profile.nearness(cosine) for each, cosine in cosines.items()} if profile else {}

    def ground(self, kinds: Collection[DocumentKind], cosines: Mapping[UUID, float]) -> Ground:
        """All messages of the kinds, among them some of which the cosines are known."""
        near = [each for each in self._near(kinds) if each.embedded]
        least, most = min((each.least for each in near), default=0.0), max((each.most for each in near), default=0.0)
        return replace(ground_of(self.indexed(*kinds)), cosines=cosines, least=least, most=most)

    async def cosines(self, uow: View, kinds: Collection[DocumentKind], some: Collection[UUID]) -> dict[UUID, float]:
        """Those of some documents of the kinds."""
        profile, vector = self.question.profile, self.question.vector
        if profile is None or vector is None or not self.near:
            return {}
        return dict(await uow.vectors.cosines(vector, profile.name, kinds, some))

    def _near(self, kinds: Collection[DocumentKind]) -> list[Nearness]:
        return [self.near[kind] for kind in kinds if kind in self.near]


@dataclass(frozen=True, slots=True)
class Answers:
    """Messages that answer, by id, best first: their scores in [0, 1], and what these rest on.

    What the `disowned` say was deleted.
    """

    scores: Mapping[UUID, float] = field(default_factory=dict)
    why: Mapping[UUID, Why] = field(default_factory=dict)
    disowned: frozenset[UUID] = frozenset()


async def find(uow: View, question: Question, shelves: Sequence[Shelf], since: datetime | None = None) -> Finding:
    """What the question touches on the shelves; nothing where it has no words."""
    found = await uow.search.look_up(question.asked.text, shelves, since)
    if question.vector is None or question.profile is None or not found.words:
        return Finding(question, found, shelves)
    near = await uow.vectors.nearest(question.vector, question.profile.name, shelves, MOST_NEAR, since)
    return Finding(question, found, shelves, near)


async def answers(
    uow: View, finding: Finding, kinds: Sequence[DocumentKind] = SPOKEN, since: datetime | None = None
) -> Answers:
    """The messages that answer a question; see `domain.ranking`.

    What is found is weighed with what was said around it, and that may be found for it.
    """
    lexical, nearest = finding.lexical(*kinds), finding.vector(*kinds)
    best = sorted(lexical, key=lambda each: (-lexical[each], each))[:MOST_NEAR]
    strips = await uow.search.around(list(dict.fromkeys([*best, *nearest])), finding.shelves, 2 * REACH)
    said = {each.id: each for strip in strips for each in strip}
    cosines = await finding.cosines(uow, kinds, said)
    words = words_in(finding.found.words, finding.indexed(*kinds))
    scores = rank(finding.question.asked, words, strips, finding.ground(kinds, cosines))
    order = current_first(finding.question.asked, words, _best_first(scores, said), strips)
    if since is not None:
        order = [each for each in order if said[each].at >= since]
    vector = finding.nearness(cosines)
    why = {each: Why(lexical.get(each, 0.0), vector.get(each)) for each in order}
    return Answers(_told(order, scores, why), why, frozenset(each for each in order if said[each].disowned))


async def names(uow: View, shelves: Sequence[Shelf]) -> dict[str, str | None]:
    """The names of those whose words stand on the shelves, by id; none where they are one person's alone."""
    spoken = (shelf.subjects for shelf in shelves if shelf.kinds.intersection(SPOKEN))
    whose = {subject.user_id for subjects in spoken for subject in subjects if isinstance(subject, UserSubject)}
    if len(whose) < 2:
        return {}
    return {person.user_id: person.display_name for person in await uow.people.among(whose)}


def _best_first(scores: Mapping[UUID, float], said: Mapping[UUID, Said]) -> list[UUID]:
    """Of equals the newest first."""
    return sorted(scores, key=lambda each: (-scores[each], -said[each].at.timestamp(), each))


def _told(order: Sequence[UUID], scores: Mapping[UUID, float], why: Mapping[UUID, Why]) -> dict[UUID, float]:
    """The scores as shares of how well the best of them answers, and no less than half of what speaks for each: the
    greatest to the first, and so on.

    What nothing of its own speaks for is left out where it is not at least half as good as the best.
    """
    if not order:
        return {}
    low, high = min(scores.values()), max(scores.values())
    share = {each: (scores[each] - low) / (high - low) if high > low else 1.0 for each in order}
    kept = [each for each in order if why[each].relevance > 0 or share[each] >= HALF]
    top = max((why[each].relevance for each in kept[:MOST_NEAR]), default=0.0)
    worth = sorted((max(top * share[each], why[each].relevance * HALF) for each in kept), reverse=True)
    return dict(zip(kept, worth, strict=True))
