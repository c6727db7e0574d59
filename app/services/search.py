"""Search: what is remembered, by its words, within the caller's reach."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.domain.bm25 import joined, shares
from app.domain.errors import NotFound
from app.domain.facts import Fact
from app.domain.hits import DOCUMENTS, Hit, HitKind, fact_hits, message_hit, observation_hit, ranked
from app.domain.past import PRESENT, Moment
from app.domain.subjects import Scope, Subject
from app.domain.tenancy import TenantScope, pockets
from app.ports.clock import Clock
from app.ports.past import View
from app.ports.search import Found
from app.ports.storage import Storage
from app.services.archive import lapsed
from app.services.past import view
from app.services.reach import shelves, subjects_about

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


class Search:
    """Answers searches."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock

    async def find(self, scope: TenantScope, asked: SearchIn) -> list[Hit]:
        """The best `limit` hits, best first; none where the query names nothing.

        Raises NotFound for a store or a pocket out of reach, Invalid for a time to come, BadRequest where the past
        cannot be told.
        """
        asked.moment.require_past(self._clock())
        if not scope.reaches_store(asked.store_id) or not scope.reads_pocket(asked.agent_id):
            raise NotFound
        kinds = {kind for kind in asked.kinds if not asked.tags or kind is not HitKind.MESSAGE}
        documents = [document for kind in kinds for document in DOCUMENTS[kind]]
        async with self._storage.transaction(scope) as uow:
            organisation = await uow.organisations.get()
            if organisation is None:
                raise NotFound
            place = (organisation.settings, asked.agent_id, asked.store_id)
            then = view(uow, asked.moment)
            reach = await shelves(then, scope, *place, documents, asked.scopes, anywhere=True)
            found = await then.search.look_up(asked.query, reach, asked.since)
            hits = [hit for kind in kinds for hit in await self._hits(then, scope, asked, found, kind)]
        return ranked(hits)[: asked.limit]

    async def _hits(self, uow: View, scope: TenantScope, asked: SearchIn, found: Found, kind: HitKind) -> list[Hit]:
        match kind:
            case HitKind.FACT:
                return await self._facts(uow, scope, asked, found)
            case HitKind.MESSAGE:
                return await _messages(uow, asked, found)
            case HitKind.OBSERVATION:
                return await _observations(uow, asked, found)

    async def _facts(self, uow: View, scope: TenantScope, asked: SearchIn, found: Found) -> list[Hit]:
        """The best facts. A fact's score is never above its lexical one, which tells when to stop reading."""
        lexical, now = _lexical(found, HitKind.FACT), asked.moment.instant(self._clock())
        subjects, best = subjects_about(scope, asked.store_id), list[Hit]()
        facts: dict[UUID, Fact] = {}
        for ids in _slices(lexical):
            if len(best) == asked.limit and best[-1].score >= lexical[ids[0]]:
                break
            keys = {found.labels[fact_id] for fact_id in ids}
            rows = {row.id: row for row in await uow.facts.across(subjects, pockets(asked.agent_id), keys)}
            found_rows = [rows[fact_id] for fact_id in ids if fact_id in rows]
            facts |= {row.id: row for row in await _unmerged(uow, subjects, found_rows, lexical) if asked.admits(row)}
            hits = fact_hits(facts.values(), lexical, now)
            best = ranked(hit for hit in hits if hit.score >= asked.min_score)[: asked.limit]
        return best


async def _unmerged(
    uow: View, subjects: Sequence[Subject], rows: Sequence[Fact], lexical: dict[UUID, float]
) -> list[Fact]:
    """The rows, and for those merged away what they were merged into: that answers by their words, too."""
    heirs = [row.merged_into for row in rows if row.merged_into is not None]
    there = {heir.id: heir for heir in await uow.facts.among(heirs, subjects)} if heirs else {}
    for row in rows:
        if row.merged_into in there:
            lexical[row.merged_into] = max(lexical[row.id], lexical.get(row.merged_into, 0.0))
    return [row for row in rows if row.merged_into is None] + list(there.values())


async def _observations(uow: View, asked: SearchIn, found: Found) -> list[Hit]:
    lexical, hits = _lexical(found, HitKind.OBSERVATION), list[Hit]()
    for ids in _slices(lexical):
        kept = [one for one in await uow.observations.get(ids) if not asked.tags or not asked.tags.isdisjoint(one.tags)]
        hits += [observation_hit(one, lexical[one.id]) for one in kept if lexical[one.id] >= asked.min_score]
        if len(hits) >= asked.limit:
            break
    return hits


async def _messages(uow: View, asked: SearchIn, found: Found) -> list[Hit]:
    lexical = _lexical(found, HitKind.MESSAGE)
    best = [each for each in next(_slices(lexical), []) if lexical[each] >= asked.min_score][: asked.limit]
    messages = await uow.messages.get(best)
    stale = found.disowned | await lapsed(uow, messages)
    return [message_hit(message, lexical[message.id], superseded=message.id in stale) for message in messages]


def _lexical(found: Found, kind: HitKind) -> dict[UUID, float]:
    """How well each document of the kind answers."""
    held = [found.collections[each] for each in DOCUMENTS[kind] if each in found.collections]
    return shares(found.words, joined(held))


def _slices(lexical: Mapping[UUID, float]) -> Iterator[list[UUID]]:
    """The documents, the best answers first, `AT_A_TIME` at a time."""
    best = sorted(lexical, key=lambda place: (lexical[place], place), reverse=True)
    for start in range(0, len(best), AT_A_TIME):
        yield best[start : start + AT_A_TIME]
