"""Facts in Postgres: one class for the three tables."""

from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from typing import Any
from uuid import UUID

from sqlalchemy import Select, Text, column, delete, func, select, true, update, values
from sqlalchemy.orm import aliased

from app.adapters.postgres.fact_filters import conditions
from app.adapters.postgres.fact_rows import TABLES, fact_of, fact_values, subject_values
from app.adapters.postgres.messages import STREAM_ROWS
from app.adapters.postgres.models import FactColumns
from app.adapters.postgres.paging import keyset_page
from app.adapters.postgres.session import TenantSession
from app.domain.decay import Tier
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.subjects import KeyRef, Scope, Subject
from app.ports.facts import FactFilter, FactRecord
from app.ports.paging import Page, PageRequest


class PostgresFacts:
    """The facts of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def lock(self, refs: Sequence[KeyRef]) -> None:
        numbers = sorted({_lock_number(self._session.scope.org_id, ref) for ref in refs})
        for number in numbers:
            await self._session.execute(select(func.pg_advisory_xact_lock(number)))

    async def of_key(self, ref: KeyRef) -> list[Fact]:
        table = TABLES[ref.subject.scope]
        query = _of(ref.subject).where(table.agent_id == ref.agent_id, table.key == ref.key)
        rows = await self._session.execute(query.order_by(table.created_at, table.id))
        return [fact_of(row) for row in rows.scalars()]

    async def get(self, scope: Scope, fact_id: UUID) -> FactRecord | None:
        table = TABLES[scope]
        query: Select[Any] = select(table).where(table.id == fact_id)
        row = (await self._session.execute(query)).scalar_one_or_none()
        return _record(row) if row else None

    async def page(self, wanted: FactFilter, request: PageRequest) -> Page[FactRecord]:
        table = TABLES[wanted.scope]
        query: Select[Any] = select(table).where(*conditions(table, wanted))
        return await keyset_page(self._session, query, [table.id], request, _record, newest_first=True)

    async def candidates(self, subjects: Sequence[Subject], agents: Sequence[str], limit: int) -> list[Fact]:
        found: dict[UUID, Fact] = {}
        for subject in subjects:
            for query in (_pinned(subject, agents), _strongest(subject, agents, limit)):
                rows = (await self._session.execute(query)).scalars()
                found |= {row.id: fact_of(row) for row in rows}
        return list(found.values())

    async def among(self, fact_ids: Sequence[UUID], subjects: Sequence[Subject]) -> list[Fact]:
        found: list[Fact] = []
        for subject in subjects:
            table = TABLES[subject.scope]
            query = _of(subject).where(table.id.in_(fact_ids), table.archived_at.is_(None))
            found += map(fact_of, (await self._session.execute(query)).scalars())
        return found

    async def apply(self, changed: Sequence[Change], now: datetime) -> None:
        by_scope = sorted(changed, key=lambda change: change.row.ref.subject.scope)
        for scope, group in groupby(by_scope, key=lambda change: change.row.ref.subject.scope):
            await self._apply(scope, list(group), now)

    async def everything(self, wanted: FactFilter) -> AsyncIterator[FactRecord]:
        table = TABLES[wanted.scope]
        query: Select[Any] = select(table).where(*conditions(table, wanted)).order_by(table.id)
        rows = await self._session.stream_scalars(query.execution_options(yield_per=STREAM_ROWS))
        async for row in rows:
            yield _record(row)

    async def _apply(self, scope: Scope, changed: Iterable[Change], now: datetime) -> None:
        table = TABLES[scope]
        changed = list(changed)
        gone = [change.before.id for change in changed if change.before and change.after is None]
        if gone:
            await self._session.execute(delete(table).where(table.id.in_(gone)))
        made = [change.after for change in changed if change.after and change.before is None]
        if made:
            await self._session.execute(self._session.insertion(table, [_new_row(fact, now) for fact in made]))
        for fact in (change.after for change in changed if change.after and change.before):
            moved = {**fact_values(fact, now), "version": table.version + 1}
            await self._session.execute(update(table).where(table.id == fact.id).values(moved))


def _of(subject: Subject) -> Select[Any]:
    """The rows about one subject."""
    return select(TABLES[subject.scope]).filter_by(**subject_values(subject))


def _pinned(subject: Subject, agents: Sequence[str]) -> Select[Any]:
    table = TABLES[subject.scope]
    return _of(subject).where(table.agent_id.in_(agents), table.pinned, table.archived_at.is_(None))


def _strongest(subject: Subject, agents: Sequence[str], limit: int) -> Select[Any]:
    """The first rows of each pocket and tier, each read in the order of its index, however many follow."""
    table = TABLES[subject.scope]
    shelves = values(column("agent_id", Text), column("tier", Text), name="shelves").data(
        [(agent_id, tier.value) for agent_id in agents for tier in Tier]
    )
    here = (table.agent_id == shelves.c.agent_id, table.tier == shelves.c.tier, table.archived_at.is_(None))
    first = _of(subject).where(*here).order_by(table.rank.desc()).limit(limit).lateral()
    query: Select[Any] = select(aliased(table, first)).select_from(shelves.join(first, true()))
    return query


def _new_row(fact: Fact, now: datetime) -> dict[str, Any]:
    place = {"id": fact.id, "agent_id": fact.ref.agent_id, "key": fact.ref.key, "version": 1}
    return {**place, **subject_values(fact.ref.subject), **fact_values(fact, now)}


def _record(row: FactColumns) -> FactRecord:
    return FactRecord(fact_of(row), row.updated_at, row.version)


def _lock_number(org_id: str, ref: KeyRef) -> int:
    """A key's place among the advisory locks; two keys that share one only wait for each other."""
    name = repr((org_id, ref.subject, ref.agent_id, ref.key)).encode()
    return int.from_bytes(sha256(name).digest()[:8], signed=True)
