"""Usage in Postgres: one row a day, added to in one statement."""

from dataclasses import asdict
from datetime import date

from sqlalchemy import select

from app.adapters.postgres.models import UsageRow
from app.adapters.postgres.paging import keyset_page
from app.adapters.postgres.session import TenantSession
from app.domain.usage import ModelUse, UsageDay
from app.ports.paging import Page, PageRequest


class PostgresUsage:
    """The days of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def of(self, day: date) -> UsageDay:
        row = (await self._session.execute(select(UsageRow).where(UsageRow.day == day))).scalar_one_or_none()
        return _day(row) if row else UsageDay(day)

    async def add(
        self,
        day: date,
        use: ModelUse,
        *,
        turns: int = 0,
        most_turns: int | None = None,
        embeddings: int = 0,
        embedding_tokens: int = 0,
    ) -> bool:
        told = (use.calls, use.input_tokens, use.output_tokens, embeddings, embedding_tokens)
        added = asdict(UsageDay(day, turns, *told))
        insertion = self._session.insertion(UsageRow, [added])
        sums = {name: getattr(UsageRow, name) + amount for name, amount in added.items() if name != "day"}
        room = None if most_turns is None else UsageRow.turns + turns <= most_turns
        statement = insertion.on_conflict_do_update(index_elements=["org_id", "day"], set_=sums, where=room)
        return (await self._session.execute(statement.returning(UsageRow.day))).first() is not None

    async def page(self, since: date | None, until: date | None, request: PageRequest) -> Page[UsageDay]:
        query = select(UsageRow)
        if since is not None:
            query = query.where(UsageRow.day >= since)
        if until is not None:
            query = query.where(UsageRow.day <= until)
        return await keyset_page(self._session, query, [UsageRow.day], request, _day, newest_first=True)


def _day(row: UsageRow) -> UsageDay:
    return UsageDay(
        row.day,
        row.turns,
        row.model_calls,
        row.input_tokens,
        row.output_tokens,
        row.embeddings,
        row.embedding_tokens,
    )
