"""Numbers in Postgres: one pass over each table of the organisation, by its key; no words leave the database."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, case, func, select

from app.adapters.postgres.fact_rows import TABLES
from app.adapters.postgres.models import (
    ContradictionRow,
    EventRow,
    JobRow,
    MessageRow,
    ObservationRow,
)
from app.adapters.postgres.session import TenantSession
from app.domain.decay import Tier
from app.domain.events import BIRTHS, EventKind
from app.domain.identifiers import first_uuid7
from app.domain.jobs import JobStatus
from app.domain.stats import RATE_DAYS, FactCount, FactState, MemoryStats, Volume
from app.domain.subjects import Scope
from app.domain.tenancy import ATLAS

_Limits = tuple[frozenset[str] | None, frozenset[str] | None]


class PostgresStats:
    """The numbers of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def read(
        self, now: datetime, stores: frozenset[str] | None = None, agents: frozenset[str] | None = None
    ) -> MemoryStats:
        limits = stores, agents
        counts = [count for scope in TABLES for count in await self._facts(scope, limits)]
        since = now - timedelta(days=RATE_DAYS)
        rates = await self._by(EventRow.kind, EventRow.id >= first_uuid7(since), EventRow.created_at >= since)
        unsettled = select(func.count()).select_from(ContradictionRow).where(ContradictionRow.settled_at.is_(None))
        return MemoryStats(
            facts=tuple(counts),
            created=sum(rates.get(kind.value, 0) for kind in BIRTHS),
            confirmed=rates.get(EventKind.CONFIRMED.value, 0) + rates.get(EventKind.REINFORCED.value, 0),
            messages=await self._volume(MessageRow, limits),
            observations=await self._volume(ObservationRow, limits),
            open_contradictions=(
                await self._session.execute(unsettled.where(*_within(ContradictionRow, limits)))
            ).scalar_one(),
            jobs={JobStatus(status): count for status, count in (await self._by(JobRow.status)).items()},
        )

    async def _facts(self, scope: Scope, limits: _Limits) -> list[FactCount]:
        table = TABLES[scope]
        state = case(
            (table.archived_at.is_(None), FactState.LIVE.value),
            (table.merged_into.is_not(None), FactState.MERGED.value),
            (table.superseded_by.is_not(None), FactState.SUPERSEDED.value),
            else_=FactState.ARCHIVED.value,
        ).label("state")
        query: Select[Any] = select(
            table.tier,
            state,
            func.count(),
            func.count().filter(table.pinned),
            func.count().filter(table.contradicted),
            func.sum(func.pg_column_size(table.value) + func.pg_column_size(table.content)),
            func.min(table.last_reinforced_at),
            func.max(table.last_reinforced_at),
        ).where(*_within(table, limits))
        rows = (await self._session.execute(query.group_by(table.tier, "state").order_by(table.tier, "state"))).all()
        return [_count(scope, *row) for row in rows]

    async def _volume(self, table: type[MessageRow] | type[ObservationRow], limits: _Limits) -> Volume:
        size = func.coalesce(func.sum(func.pg_column_size(table.content)), 0)
        query = select(func.count(), size, func.min(table.recorded_at)).where(*_within(table, limits))
        count, total, oldest_at = (await self._session.execute(query)).one()
        return Volume(count, int(total), oldest_at)

    async def _by(self, column: Any, *conditions: ColumnElement[bool]) -> dict[str, int]:
        """How many rows there are of each value."""
        rows = await self._session.execute(select(column, func.count()).where(*conditions).group_by(column))
        return dict(list(map(tuple, rows)))


def _count(scope: Scope, tier: str, state: str, count: int, pinned: int, contradicted: int, *rest: Any) -> FactCount:
    size, oldest_at, newest_at = rest
    return FactCount(scope, Tier(tier), FactState(state), count, pinned, contradicted, int(size), oldest_at, newest_at)


def _within(table: Any, limits: _Limits) -> Sequence[ColumnElement[bool]]:
    """A key's limits; what is of no store lies within them."""
    stores, agents = limits
    within: list[ColumnElement[bool]] = []
    if stores is not None and hasattr(table, "store_id"):
        within.append(table.store_id.is_(None) | table.store_id.in_(stores))
    if agents is not None:
        within.append(table.agent_id.in_({*agents, ATLAS}))
    return within
