"""Search: what is remembered, by its words, within the caller's reach."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.domain.errors import NotFound, Unavailable
from app.domain.facts import Fact
from app.domain.hits import DOCUMENTS, Hit, HitKind, Why, fact_hits, message_hit, observation_hit, ranked
from app.domain.past import PRESENT, Moment
from app.domain.subjects import Scope, Subject
from app.domain.tenancy import TenantScope, pockets
from app.ports.clock import Clock
from app.ports.past import View
from app.ports.storage import Storage
from app.services.archive import lapsed
from app.services.finding import Finding, Questions, answers, find, names
from app.services.past import view
from app.services.reach import shelves, subjects_about
from app.services.room import Room

PATIENCE = 2.0
"""Seconds that a search waits for what its question means."""
AT_ONCE = 6
"""Searches of one process that are worked on at once: of many, the first are answered soon, instead of all too late."""
TURN_SECONDS = 2.0
"""How long one waits for its turn."""
HURRY_SECONDS = 0.5
"""Whose turn came later is answered by words alone, so that the others have theirs: a vector is half of the work."""
AT_A_TIME = 100
"""Documents that are read at once, the best first, until no other can come before those found."""


@dataclass(frozen=True, slots=True)
class SearchIn:
    """What is searched for, and where. `tags`: what carries one of these, which no message does; none: all.

    `since` leaves out what was said, or last confirmed, earlier; `moment` is when the memory is read.
    """

    query: str
    agent_id: str
    store_id: str | None = None
    limit: int = 10
    kinds: frozenset[HitKind] = frozenset(HitKind)
    tags: frozenset[str] = frozenset()
    scopes: frozenset[Scope] = frozenset(Scope)
    min_score: float = 0.0
    since: datetime | None = None
    moment: Moment = PRESENT

    def admits(self, fact: Fact) -> bool:
        """Whether the fact is among what is asked for, whatever its score."""
        tagged = not self.tags or not self.tags.isdisjoint(fact.traits.tags)
        return tagged and (self.since is None or fact.last_reinforced_at >= self.since)


@dataclass(frozen=True, slots=True)
class Results:
    """The hits, best first; `degraded` names what was not looked at as it should be."""

    hits: Sequence[Hit]
    degraded: tuple[str, ...] = ()


class Search:
    """Answers searches, each in its turn."""

    def __init__(
        self,
        storage: Storage,
        questions: Questions,
        clock: Clock,
        turn_seconds: float = TURN_SECONDS,
        hurry_seconds: float = HURRY_SECONDS,
    ) -> None:
        self._storage = storage
        self._questions = questions
        self._clock = clock
        self._hurry_seconds = hurry_seconds
        self._room = Room(AT_ONCE, turn_seconds, _overloaded)

    async def find(self, scope: TenantScope, asked: SearchIn, gone: Callable[[], Awaitable[bool]]) -> Results:
        """The best `limit` hits; none where the query names nothing, nor where whoever asked is `gone` by their turn.

        Raises NotFound for a store or a pocket out of reach, Invalid for a time to come, BadRequest where the past
        cannot be told, Unavailable where its turn did not come.
        """
        asked.moment.require_past(self._clock())
        if not scope.reaches_store(asked.store_id) or not scope.reads_pocket(asked.agent_id):
            raise NotFound
        async with self._room.place(scope.org_id) as waited:
            hurried = waited > self._hurry_seconds
            if hurried and await gone():
                return Results(())
            return await self._find(scope, asked, 0.0 if hurried else PATIENCE)

    @property
    def waiting(self) -> int:
        """How many searches wait for their turn."""
        return self._room.waiting

    async def _find(self, scope: TenantScope, asked: SearchIn, patience: float) -> Results:
        kinds = {kind for kind in asked.kinds if not asked.tags or kind is not HitKind.MESSAGE}
        documents = [document for kind in kinds for document in DOCUMENTS[kind]]
        async with self._storage.transaction(scope) as uow:
            organisation = await uow.organisations.get()
            if organisation is None:
                raise NotFound
            place = (organisation.settings, asked.agent_id, asked.store_id)
            reach = await shelves(uow, scope, *place, documents, asked.scopes, anywhere=True)
            speakers = await names(uow, reach)
        question = await self._questions.ready(asked.query, speakers, patience)
        async with self._storage.transaction(scope) as uow:
            then = view(uow, asked.moment)
            finding = await find(then, question, reach, asked.since)
            hits = [hit for kind in kinds for hit in await self._hits(then, scope, asked, finding, kind)]
        return Results(ranked(hits)[: asked.limit], finding.degraded)

    async def _hits(self, uow: View, scope: TenantScope, asked: SearchIn, finding: Finding, kind: HitKind) -> list[Hit]:
        match kind:
            case HitKind.FACT:
                return await self._facts(uow, scope, asked, finding)
            case HitKind.MESSAGE:
                return await _messages(uow, asked, finding)
            case HitKind.OBSERVATION:
                return await _observations(uow, asked, finding)

    async def _facts(self, uow: View, scope: TenantScope, asked: SearchIn, finding: Finding) -> list[Hit]:
        """The best facts. A fact's score is never above its relevance, which tells when to stop reading."""
        why, now = finding.why(*DOCUMENTS[HitKind.FACT]), asked.moment.instant(self._clock())
        subjects, best = subjects_about(scope, asked.store_id), list[Hit]()
        facts, labels = dict[UUID, Fact](), finding.labels
        for ids in _slices(why):
            if len(best) == asked.limit and best[-1].score >= why[ids[0]].relevance:
                break
            keys = {labels[fact_id] for fact_id in ids}
            rows = {row.id: row for row in await uow.facts.across(subjects, pockets(asked.agent_id), keys)}
            found_rows = [rows[fact_id] for fact_id in ids if fact_id in rows]
            facts |= {row.id: row for row in await _unmerged(uow, subjects, found_rows, why) if asked.admits(row)}
            hits = fact_hits(facts.values(), why, now)
            best = ranked(hit for hit in hits if hit.score >= asked.min_score)[: asked.limit]
        return best


def _overloaded() -> Unavailable:
    return Unavailable("overloaded", "Too many searches at once; try again.")


async def _unmerged(uow: View, subjects: Sequence[Subject], rows: Sequence[Fact], why: dict[UUID, Why]) -> list[Fact]:
    """The rows, and for those merged away what they were merged into: that answers by their words, too."""
    heirs = [row.merged_into for row in rows if row.merged_into is not None]
    there = {heir.id: heir for heir in await uow.facts.among(heirs, subjects)} if heirs else {}
    for row in rows:
        if row.merged_into in there:
            own = why.get(row.merged_into, why[row.id])
            why[row.merged_into] = max(own, why[row.id], key=lambda each: each.relevance)
    return [row for row in rows if row.merged_into is None] + list(there.values())


async def _observations(uow: View, asked: SearchIn, finding: Finding) -> list[Hit]:
    why, hits = finding.why(*DOCUMENTS[HitKind.OBSERVATION]), list[Hit]()
    for ids in _slices(why):
        kept = [one for one in await uow.observations.get(ids) if not asked.tags or not asked.tags.isdisjoint(one.tags)]
        hits += [observation_hit(one, why[one.id]) for one in kept if why[one.id].relevance >= asked.min_score]
        if len(hits) >= asked.limit:
            break
    return hits


async def _messages(uow: View, asked: SearchIn, finding: Finding) -> list[Hit]:
    found = await answers(uow, finding, since=asked.since)
    best = [each for each, score in found.scores.items() if score >= asked.min_score][: asked.limit]
    messages = await uow.messages.get(best)
    stale = found.disowned | await lapsed(uow, messages)
    return [message_hit(one, found.scores[one.id], found.why[one.id], superseded=one.id in stale) for one in messages]


def _slices(why: Mapping[UUID, Why]) -> Iterator[list[UUID]]:
    """The documents, the best answers first, `AT_A_TIME` at a time."""
    best = sorted(why, key=lambda place: (why[place].relevance, place), reverse=True)
    for start in range(0, len(best), AT_A_TIME):
        yield best[start : start + AT_A_TIME]
