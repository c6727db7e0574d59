"""The ledger in Postgres."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select

from app.adapters.postgres.models import ErasedRow
from app.adapters.postgres.session import TenantSession
from app.adapters.postgres.streaming import entities_of
from app.domain.erasures import Erased, Thing, ThingKind


class PostgresLedger:
    """The lines of the scope's organisation. Where there are none, nothing is asked."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    def digest(self, thing: Thing) -> bytes:
        return self._session.digest(thing)

    async def add(self, things: Collection[Thing], at: datetime) -> None:
        await self.restore([Erased(self.digest(thing), thing.kind, at) for thing in dict.fromkeys(things)])

    async def among(self, things: Collection[Thing], *, afresh: bool = False) -> Mapping[Thing, datetime]:
        if not things or not (afresh or self._session.has_ledger):
            return {}
        named = {self.digest(thing): thing for thing in things}
        query = select(ErasedRow.digest, ErasedRow.at).where(ErasedRow.digest.in_(named))
        return {named[found]: at for found, at in await self._session.execute(query)}

    async def everything(self) -> AsyncIterator[Erased]:
        query = select(ErasedRow).order_by(ErasedRow.digest)
        async for row in entities_of(self._session, query):
            yield Erased(row.digest, ThingKind(row.kind), row.at)

    async def restore(self, lines: Sequence[Erased]) -> None:
        latest = {line.digest: line for line in sorted(lines, key=lambda line: line.at)}
        rows: list[dict[str, Any]] = [
            {"digest": line.digest, "kind": line.kind.value, "at": line.at} for line in latest.values()
        ]
        if not rows:
            return
        statement = self._session.insertion(ErasedRow, rows)
        later = func.greatest(ErasedRow.at, statement.excluded.at)
        await self._session.execute(
            statement.on_conflict_do_update(index_elements=["org_id", "digest"], set_={"at": later})
        )
