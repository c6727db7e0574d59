"""Idempotency keys in Postgres."""

from typing import Any

from sqlalchemy import ColumnElement, and_, delete, or_, select, update

from app.adapters.postgres.models import IdempotencyRow
from app.adapters.postgres.session import TenantSession
from app.domain.idempotency import KEEP, Claim, Kept, Outcome


class PostgresIdempotency:
    """The keys of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def claim(self, claim: Claim) -> Kept | None:
        """Whoever finds the key taken locks nothing: many may come at once."""
        values = {
            "request": claim.request,
            "attempt": claim.attempt,
            "claimed_at": claim.at,
            "lease_until": claim.lease_until,
            "status": None,
            "answer": None,
        }
        statement = self._session.insertion(IdempotencyRow, [{"key": claim.key, **values}])
        fresh = statement.on_conflict_do_nothing(index_elements=["org_id", "key"]).returning(IdempotencyRow.attempt)
        if (await self._session.execute(fresh)).scalar_one_or_none() is not None:
            return None
        there = select(IdempotencyRow, _free(claim)).where(IdempotencyRow.key == claim.key)
        row = (await self._session.execute(there)).one_or_none()
        if row is None:  # released meanwhile: whoever asks again will find it free
            return Kept(claim.request, None)
        kept, free = row
        if free:
            over = update(IdempotencyRow).where(IdempotencyRow.key == claim.key, _free(claim)).values(values)
            if _count(await self._session.execute(over)) == 1:
                return None
            return Kept(claim.request, None)  # another one took it over at the same time
        return Kept(kept.request, None if kept.status is None else Outcome(kept.status, kept.answer))

    async def finish(self, claim: Claim, outcome: Outcome) -> bool:
        statement = update(IdempotencyRow).where(*_held(claim)).values(status=outcome.status, answer=outcome.answer)
        return _count(await self._session.execute(statement)) == 1

    async def release(self, claim: Claim) -> None:
        await self._session.execute(delete(IdempotencyRow).where(*_held(claim)))


def _held(claim: Claim) -> tuple[ColumnElement[bool], ...]:
    """The row, as long as this attempt has it."""
    table = IdempotencyRow
    return table.key == claim.key, table.attempt == claim.attempt, table.status.is_(None)


def _free(claim: Claim) -> ColumnElement[bool]:
    """Whether a row may be claimed anew: nobody finished it in time, or it is over age."""
    table = IdempotencyRow
    left = and_(table.status.is_(None), table.lease_until <= claim.at)
    return or_(left, table.claimed_at <= claim.at - KEEP)


def _count(result: Any) -> int:
    return int(result.rowcount)
