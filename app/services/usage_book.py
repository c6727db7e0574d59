"""What questions cost, counted for their organisations some seconds after the answers."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from app.domain.errors import RetenirError
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.embedders import Tally
from app.ports.storage import Storage
from app.services.usage import count_embedding

PAUSE_SECONDS = 3.0
"""Longer than a question is waited for: what a call cost that nobody waited for any more is in its tally by then."""

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Spent:
    """What waits to be counted for one organisation."""

    scope: TenantScope
    tallies: list[Tally] = field(default_factory=list)


class UsageBook:
    """Counts what it was told of `pause` seconds later, an organisation's in one transaction. A process that is killed
    takes so much with it.
    """

    def __init__(self, storage: Storage, clock: Clock, pause: float = PAUSE_SECONDS) -> None:
        self._storage = storage
        self._clock = clock
        self._pause = pause
        self._waiting: dict[str, _Spent] = {}
        self._task: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    def spent(self, scope: TenantScope, tally: Tally) -> None:
        """Keep in mind what embedding cost, or is going to have cost in a moment; needs a running loop."""
        self._waiting.setdefault(scope.org_id, _Spent(scope)).tallies.append(tally)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._count_soon())

    async def close(self) -> None:
        """Count what still waits."""
        self._closing.set()
        while self._task is not None and not self._task.done():
            await self._task

    async def _count_soon(self) -> None:
        while self._waiting:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await self._closing.wait()
            taken, self._waiting = self._waiting, {}
            for spent in taken.values():
                await self._count(spent.scope, _summed(spent.tallies))

    async def _count(self, scope: TenantScope, tally: Tally) -> None:
        if tally == Tally():
            return
        try:
            async with self._storage.transaction(scope) as uow:
                await count_embedding(uow, tally, self._clock())
        except RetenirError as error:
            _log.warning("usage_lost", embeddings=tally.vectors, tokens=tally.tokens, code=error.code)


def _summed(tallies: Sequence[Tally]) -> Tally:
    return Tally(
        calls=sum(each.calls for each in tallies),
        tokens=sum(each.tokens for each in tallies),
        vectors=sum(each.vectors for each in tallies),
    )
