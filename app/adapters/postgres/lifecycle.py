"""Ages in Postgres."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, delete, func, or_, select, update
from sqlalchemy.orm import aliased

from app.adapters.postgres.fact_rows import TABLES, fact_of, fading_values, record_of
from app.adapters.postgres.messages import PostgresMessages
from app.adapters.postgres.models import FactColumns, JobRow, MessageRow, PersonRow, StoreFactRow, UserFactRow
from app.adapters.postgres.session import TenantSession
from app.domain.facts import Fact
from app.domain.identifiers import first_uuid7
from app.domain.jobs import JobStatus
from app.domain.lifecycle import JUST_SEEN
from app.domain.subjects import Scope
from app.domain.tiers import TIERS, Tiers, own_fading
from app.ports.facts import FactRecord
from app.ports.lifecycle import PruneFilter

_VALUE = ("agent_id", "key", "normal")
_OVER = (JobStatus.DONE.value, JobStatus.CANCELLED.value)


class PostgresAgeing:
    """Ages over the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def faded(self, scope: Scope, now: datetime, limit: int) -> list[Fact]:
        table = TABLES[scope]
        query: Select[Any] = select(table).where(
            table.archived_at.is_(None), table.policy.is_(None), table.fades_at <= now
        )
        rows = await self._session.execute(query.order_by(table.fades_at).limit(limit))
        return [fact_of(row) for row in rows.scalars()]

    async def retune(self, scope: Scope, tiers: Tiers, limit: int, after: UUID | None = None) -> list[UUID]:
        table = TABLES[scope]
        query: Select[Any] = select(table).where(
            table.archived_at.is_(None), table.policy.is_(None), or_(*_otherwise(table, tiers))
        )
        if after is not None:
            query = query.where(table.id > after)
        # Rows that somebody is writing are left out, as in `mark_seen`.
        free = query.order_by(table.id).limit(limit).with_for_update(key_share=True, skip_locked=True)
        rows = (await self._session.execute(free)).scalars().all()
        for row in rows:
            fact = fact_of(row)
            self._session.touch(fact.ref.subject)
            tuned = replace(fact, own_fading=own_fading(tiers, fact.traits.tier))
            for name, value in fading_values(tuned).items():
                setattr(row, name, value)
        await self._session.flush()
        return [row.id for row in rows]

    async def over_age(
        self, scope: Scope, now: datetime, limit: int, after: UUID | None = None, tiers: Tiers = TIERS
    ) -> list[Fact]:
        table = TABLES[scope]
        latest = func.greatest(table.last_reinforced_at, table.created_at)
        had_their_time = [
            (table.tier == tier.value) & (latest <= now - timedelta(days=rule.hard_delete_days))
            for tier, rule in tiers.items()
            if rule.hard_delete_days is not None
        ]
        query: Select[Any] = select(table).where(
            table.archived_at.is_not(None),
            table.merged_into.is_(None),
            table.policy.is_(None),
            ~table.pinned,
            or_(*had_their_time),
        )
        if after is not None:
            query = query.where(table.id > after)
        rows = await self._session.execute(query.order_by(table.id).limit(limit))
        return [fact_of(row) for row in rows.scalars()]

    async def prunable(self, scope: Scope, wanted: PruneFilter, limit: int) -> list[FactRecord]:
        table = TABLES[scope]
        may_go = table.fades_at <= wanted.now
        if wanted.idle is not None:
            unseen = table.last_seen_at.is_(None) | (table.last_seen_at < wanted.idle)
            may_go |= (table.last_reinforced_at < wanted.idle) & unseen
        other = aliased(table)
        same = (getattr(other, name) == getattr(table, name) for name in (*_subject_columns(table), *_VALUE))
        believed = select(other.id).where(*same, other.id != table.id, other.archived_at.is_(None)).exists()
        query: Select[Any] = select(table).where(
            ~table.pinned, may_go, table.superseded_by.is_(None), table.merged_into.is_(None), ~believed
        )
        if issubclass(table, UserFactRow):
            contacts = select(PersonRow.user_id).where(PersonRow.role.is_(None))
            query = query.where(table.user_id.in_(contacts) | (table.user_id == wanted.reader))
        rows = await self._session.execute(query.order_by(table.id).limit(limit))
        return list(map(record_of, rows.scalars()))

    async def mark_seen(self, fact_ids: Sequence[UUID], now: datetime) -> None:
        for table in TABLES.values():
            stale = table.last_seen_at.is_(None) | (table.last_seen_at < now - JUST_SEEN)
            query = select(table.id).where(table.id.in_(fact_ids), stale).order_by(table.id)
            # Rows that somebody is writing are left out: marking waits for nobody, and nobody waits for it in turn.
            free = query.with_for_update(key_share=True, skip_locked=True)
            ids = (await self._session.execute(free)).scalars().all()
            if ids:
                await self._session.execute(update(table).where(table.id.in_(ids)).values(last_seen_at=now))

    async def uncompared(self, scope: Scope, limit: int, after: UUID | None = None) -> list[Fact]:
        table = TABLES[scope]
        query: Select[Any] = select(table).where(
            table.compared_at.is_(None), table.archived_at.is_(None), table.policy.is_(None)
        )
        if after is not None:
            query = query.where(table.id > after)
        rows = await self._session.execute(query.order_by(table.id).limit(limit))
        return [fact_of(row) for row in rows.scalars()]

    async def mark_compared(self, scope: Scope, fact_ids: Sequence[UUID], now: datetime) -> None:
        table = TABLES[scope]
        await self._session.execute(update(table).where(table.id.in_(fact_ids)).values(compared_at=now))

    async def forget_messages_before(self, instant: datetime, limit: int) -> int:
        old = (MessageRow.id < first_uuid7(instant), MessageRow.recorded_at < instant)
        first = select(MessageRow.id).where(*old).order_by(MessageRow.id).limit(limit)
        return await PostgresMessages(self._session).delete((await self._session.execute(first)).scalars().all())

    async def forget_jobs_before(self, instant: datetime, limit: int) -> int:
        old = (JobRow.status.in_(_OVER), JobRow.finished_at < instant)
        first = select(JobRow.id).where(*old).order_by(JobRow.id).limit(limit)
        statement = delete(JobRow).where(JobRow.id.in_(first)).returning(JobRow.id)
        return len((await self._session.execute(statement)).all())


def _otherwise(table: type[FactColumns], tiers: Tiers) -> Iterator[ColumnElement[bool]]:
    """By tier: the rows that fade by other numbers than these."""
    for tier in tiers:
        own = own_fading(tiers, tier)
        days, line = (own.half_life_days, own.archive_below) if own else (None, None)
        other = table.tier_half_life_days.is_distinct_from(days) | table.archive_below.is_distinct_from(line)
        yield (table.tier == tier.value) & other


def _subject_columns(table: type[FactColumns]) -> tuple[str, ...]:
    if issubclass(table, StoreFactRow):
        return ("store_id",)
    return ("user_id",) if issubclass(table, UserFactRow) else ()
