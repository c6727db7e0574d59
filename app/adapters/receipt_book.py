"""Receipts, and which facts were seen, written in batches a moment after the answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

import structlog

from app.domain.erasures import Thing, person_thing, store_thing
from app.domain.errors import RetenirError
from app.domain.receipts import Receipt
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.storage import Storage, UnitOfWork

PAUSE_SECONDS = 0.02
MOST_WAITING = 10_000
KEEP = timedelta(days=30)

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Noted:
    """What waits to be written for one organisation."""

    scope: TenantScope
    receipts: list[Receipt] = field(default_factory=list)
    seen: set[UUID] = field(default_factory=set)


class BatchedReceiptBook:
    """Writes what it was told at most `PAUSE_SECONDS` later; over `MOST_WAITING` the newest are left out."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock
        self._waiting: dict[str, _Noted] = {}
        self._count = 0
        self._task: asyncio.Task[None] | None = None

    def note(self, scope: TenantScope, receipt: Receipt) -> None:
        """Keep the receipt in mind, and what it served as seen; needs a running loop."""
        if self._count < MOST_WAITING:
            noted = self._noted(scope, 1)
            noted.receipts.append(receipt)
            noted.seen.update(receipt.fact_ids)

    def seen(self, scope: TenantScope, fact_ids: Sequence[UUID]) -> None:
        """Keep in mind that these were read; needs a running loop."""
        if fact_ids and self._count < MOST_WAITING:
            self._noted(scope, len(fact_ids)).seen.update(fact_ids)

    async def close(self) -> None:
        """Write what still waits."""
        while self._task is not None and not self._task.done():
            await self._task

    def _noted(self, scope: TenantScope, more: int) -> _Noted:
        self._count += more
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_soon())
        return self._waiting.setdefault(scope.org_id, _Noted(scope))

    async def _write_soon(self) -> None:
        while self._waiting:
            await asyncio.sleep(PAUSE_SECONDS)
            taken, self._waiting, self._count = self._waiting, {}, 0
            for noted in taken.values():
                await self._write(noted)

    async def _write(self, noted: _Noted) -> None:
        now = self._clock()
        try:
            async with self._storage.transaction(noted.scope) as uow:
                if noted.receipts:
                    await uow.receipts.add(await _standing(uow, noted.receipts))
                    await uow.receipts.forget_before(now - KEEP)
                await uow.ageing.mark_seen(sorted(noted.seen), now)
        except RetenirError as error:
            _log.warning("receipts_lost", count=len(noted.receipts), code=error.code)


async def _standing(uow: UnitOfWork, receipts: Sequence[Receipt]) -> list[Receipt]:
    """Those about nobody, and no store, that was erased since."""
    things = {receipt.receipt_id: _things(receipt) for receipt in receipts}
    erased = await uow.ledger.among({thing for named in things.values() for thing in named})
    return [
        receipt
        for receipt in receipts
        if all(erased[thing] < receipt.created_at for thing in things[receipt.receipt_id] if thing in erased)
    ]


def _things(receipt: Receipt) -> list[Thing]:
    person = [person_thing(receipt.user_id)] if receipt.user_id else []
    return person + ([store_thing(receipt.store_id)] if receipt.store_id else [])
