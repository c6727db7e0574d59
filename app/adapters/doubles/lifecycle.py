"""Ages in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from app.adapters.doubles.messages import InMemoryMessages
from app.adapters.doubles.state import State
from app.domain import lifecycle
from app.domain.facts import Fact
from app.domain.jobs import JobStatus
from app.domain.subjects import Scope, UserSubject
from app.domain.tiers import TIERS, Tiers, own_fading
from app.ports.facts import FactRecord
from app.ports.lifecycle import PruneFilter


class InMemoryAgeing:
    """Ages over one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def faded(self, scope: Scope, now: datetime, limit: int) -> list[Fact]:
        stated = [kept.fact for kept in self._records(scope) if kept.fact.live and kept.fact.behaviour is None]
        under = [(fact.fades_at, fact.id, fact) for fact in stated if fact.fades_at and fact.fades_at <= now]
        return [fact for _, _, fact in sorted(under)[:limit]]

    async def retune(self, scope: Scope, tiers: Tiers, limit: int, after: UUID | None = None) -> list[UUID]:
        stated = [kept for kept in self._records(scope) if kept.fact.live and kept.fact.behaviour is None]
        tuned = [(kept, own_fading(tiers, kept.fact.traits.tier)) for kept in stated]
        behind = [(kept, own) for kept, own in tuned if after is None or kept.fact.id > after]
        moved = [(kept, own) for kept, own in behind if kept.fact.own_fading != own][:limit]
        for kept, own in moved:
            self._state.facts[scope, kept.fact.id] = replace(kept, fact=replace(kept.fact, own_fading=own))
        return [kept.fact.id for kept, _ in moved]

    async def over_age(
        self, scope: Scope, now: datetime, limit: int, after: UUID | None = None, tiers: Tiers = TIERS
    ) -> list[Fact]:
        shelved = [kept.fact for kept in self._records(scope) if not kept.fact.live and not kept.fact.pinned]
        found = [
            fact
            for fact in shelved
            if fact.behaviour is None
            and fact.merged_into is None
            and lifecycle.over_age(fact.traits.tier, fact.last_reinforced_at, fact.created_at, now, tiers)
            and (after is None or fact.id > after)
        ]
        return found[:limit]

    async def prunable(self, scope: Scope, wanted: PruneFilter, limit: int) -> list[FactRecord]:
        return [kept for kept in self._records(scope) if self._may_go(kept, wanted)][:limit]

    async def mark_seen(self, fact_ids: Sequence[UUID], now: datetime) -> None:
        for place, kept in self._state.facts.items():
            if place[1] in fact_ids and (kept.last_seen_at is None or kept.last_seen_at < now - lifecycle.JUST_SEEN):
                self._state.facts[place] = replace(kept, last_seen_at=now)

    async def uncompared(self, scope: Scope, limit: int, after: UUID | None = None) -> list[Fact]:
        stated = [kept.fact for kept in self._records(scope) if kept.fact.live and kept.fact.behaviour is None]
        new = [fact for fact in stated if fact.id not in self._state.compared]
        return [fact for fact in new if after is None or fact.id > after][:limit]

    async def mark_compared(self, scope: Scope, fact_ids: Sequence[UUID], now: datetime) -> None:
        there = {place for where, place in self._state.facts if where is scope}
        self._state.compared = self._state.compared | (there & set(fact_ids))

    async def forget_messages_before(self, instant: datetime, limit: int) -> int:
        old = [place for place, kept in sorted(self._state.messages.items()) if kept.recorded_at < instant][:limit]
        return await InMemoryMessages(self._state).delete(old)

    async def forget_jobs_before(self, instant: datetime, limit: int) -> int:
        over = [kept.job for kept in self._state.jobs.values()]
        ended = [job for job in over if job.status in (JobStatus.DONE, JobStatus.CANCELLED) and job.finished_at]
        old = sorted(job.id for job in ended if job.finished_at and job.finished_at < instant)[:limit]
        for place in old:
            del self._state.jobs[place]
        return len(old)

    def _records(self, scope: Scope) -> list[FactRecord]:
        kept = [record for (where, _), record in self._state.facts.items() if where is scope]
        return sorted(kept, key=lambda record: record.fact.id)

    def _may_go(self, record: FactRecord, wanted: PruneFilter) -> bool:
        fact, subject = record.fact, record.fact.ref.subject
        if isinstance(subject, UserSubject) and subject.user_id != wanted.reader and self._has_role(subject.user_id):
            return False
        alike = [kept.fact for kept in self._state.facts.values() if kept.fact.ref == fact.ref]
        believed = any(row.live and row.normal == fact.normal and row.id != fact.id for row in alike)
        return fact.superseded_by is None and fact.merged_into is None and not believed and wanted.admits(record)

    def _has_role(self, user_id: str) -> bool:
        return self._state.people[user_id].role is not None
