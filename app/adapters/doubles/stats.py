"""Numbers in memory."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from app.adapters.doubles.state import State
from app.domain.events import BIRTHS, EventKind
from app.domain.facts import Fact
from app.domain.messages import Message
from app.domain.observations import Observation
from app.domain.stats import RATE_DAYS, FactCount, FactState, MemoryStats, Volume
from app.domain.subjects import store_of
from app.domain.tenancy import ATLAS


class InMemoryStats:
    """The numbers of one organisation. Sizes are those of the words in UTF-8."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def read(
        self, now: datetime, stores: frozenset[str] | None = None, agents: frozenset[str] | None = None
    ) -> MemoryStats:
        def within(store_id: str | None, agent_id: str) -> bool:
            in_store = stores is None or store_id is None or store_id in stores
            return in_store and (agents is None or agent_id in {*agents, ATLAS})

        facts = [kept.fact for kept in self._state.facts.values()]
        reached = [fact for fact in facts if within(store_of(fact.ref.subject), fact.ref.agent_id)]
        pairs = [kept for kept in self._state.contradictions.values() if kept.settled_at is None]
        since = now - timedelta(days=RATE_DAYS)
        kinds = Counter(event.kind for event in self._state.events.values() if event.created_at >= since)
        messages = [kept for kept in self._state.messages.values() if within(kept.store_id, kept.agent_id)]
        observed = [kept for kept in self._state.observations.values() if within(kept.store_id, kept.agent_id)]
        return MemoryStats(
            facts=tuple(_counts(reached)),
            created=sum(kinds[kind] for kind in BIRTHS),
            confirmed=kinds[EventKind.CONFIRMED] + kinds[EventKind.REINFORCED],
            messages=_volume(messages),
            observations=_volume(observed),
            open_contradictions=sum(within(store_of(kept.ref.subject), kept.ref.agent_id) for kept in pairs),
            jobs=Counter(kept.job.status for kept in self._state.jobs.values()),
        )


def _counts(facts: Sequence[Fact]) -> Iterable[FactCount]:
    shelves = {(fact.ref.subject.scope, fact.traits.tier, _state(fact)) for fact in facts}
    for scope, tier, state in sorted(shelves):
        rows = [row for row in facts if (row.ref.subject.scope, row.traits.tier, _state(row)) == (scope, tier, state)]
        yield FactCount(
            scope=scope,
            tier=tier,
            state=state,
            count=len(rows),
            pinned=sum(row.pinned for row in rows),
            contradicted=sum(row.contradicted for row in rows),
            size=sum(len(row.content.encode()) + len(str(row.value).encode()) for row in rows),
            oldest_at=min(row.last_reinforced_at for row in rows),
            newest_at=max(row.last_reinforced_at for row in rows),
        )


def _state(fact: Fact) -> FactState:
    if fact.live:
        return FactState.LIVE
    if fact.merged_into is not None:
        return FactState.MERGED
    return FactState.SUPERSEDED if fact.superseded_by else FactState.ARCHIVED


def _volume(kept: Sequence[Message | Observation]) -> Volume:
    size = sum(len((row.content or "").encode()) for row in kept)
    return Volume(len(kept), size, min((row.recorded_at for row in kept), default=None))
