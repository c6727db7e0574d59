"""Receipts, written in batches a moment after the answer."""

import asyncio
from collections import defaultdict
from datetime import timedelta

import structlog

from app.domain.errors import RetenirError
from app.domain.receipts import Receipt
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.storage import Storage

PAUSE_SECONDS = 0.02
MOST_WAITING = 10_000
KEEP = timedelta(days=30)

_log = structlog.get_logger(__name__)


class BatchedReceiptBook:
    """Writes what it was told at most `PAUSE_SECONDS` later; over `MOST_WAITING` the newest are left out."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock
        self._waiting: list[tuple[TenantScope, Receipt]] = []
        self._task: asyncio.Task[None] | None = None

    def note(self, scope: TenantScope, receipt: Receipt) -> None:
        """Keep the receipt in mind; needs a running loop."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append((scope, receipt))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_soon())

    async def close(self) -> None:
        """Write what still waits."""
        while self._task is not None and not self._task.done():
            await self._task

    async def _write_soon(self) -> None:
        while self._waiting:
            await asyncio.sleep(PAUSE_SECONDS)
            taken, self._waiting = self._waiting, []
            by_organisation: dict[str, list[tuple[TenantScope, Receipt]]] = defaultdict(list)
            for scope, receipt in taken:
                by_organisation[scope.org_id].append((scope, receipt))
            for noted in by_organisation.values():
                await self._write(noted[0][0], [receipt for _, receipt in noted])

    async def _write(self, scope: TenantScope, receipts: list[Receipt]) -> None:
        try:
            async with self._storage.transaction(scope) as uow:
                await uow.receipts.add(receipts)
                await uow.receipts.forget_before(self._clock() - KEEP)
        except RetenirError as error:
            _log.warning("receipts_lost", count=len(receipts), code=error.code)
