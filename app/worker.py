"""The worker: claims jobs of any organisation and runs each under a scope of its own. Any number of them may run."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator

import structlog

from app.adapters.logs import configure_logging
from app.container import Container
from app.domain.errors import RetenirError
from app.domain.jobs import Claim
from app.domain.tenancy import Actor, ActorType, Rank, TenantScope
from app.services.learning import StaleClaimError
from app.settings import Settings

AT_ONCE = 8
IDLE_SECONDS = 0.25
AFTER_FAULT_SECONDS = 1.0

_log = structlog.get_logger(__name__)
_WORKER = Actor(ActorType.WORKER, "worker")


class Worker:
    """Runs jobs until it is stopped; `wake` spares a waiting job the pause between two looks."""

    def __init__(self, container: Container) -> None:
        self._container = container
        self._woken = asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()
        self._stopping = False

    def wake(self) -> None:
        """Look for work now."""
        self._woken.set()

    async def run(self) -> None:
        """Until `stop`; then the jobs under way are finished. A database that is away is waited for."""
        while not self._stopping:
            self._woken.clear()
            try:
                claimed = await self._claim()
            except RetenirError as error:
                _log.warning("claim_failed", code=error.code)
                await self._pause(AFTER_FAULT_SECONDS)
                continue
            if not claimed:
                await self._pause(IDLE_SECONDS)
        if self._running:
            await asyncio.wait(self._running)

    def stop(self) -> None:
        """Take no more work."""
        self._stopping = True
        self.wake()

    async def _claim(self) -> bool:
        """Start what is due, as far as there is room. Answers whether to look again at once."""
        room = AT_ONCE - len(self._running)
        if room <= 0:
            await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
            return True
        claims = await self._container.directory.claim_jobs(room, self._container.clock())
        for claim in claims:
            task = asyncio.create_task(self._run(claim))
            self._running.add(task)
            task.add_done_callback(self._ended)
        return bool(claims)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """The next job of the same lane may be waiting for this one."""
        self._running.discard(task)
        self.wake()

    async def _run(self, claim: Claim) -> None:
        scope = TenantScope(claim.org_id, _WORKER, Rank.OWNER)
        runner = self._container.job_runner
        try:
            code = await runner.run(scope, claim)
            if code is not None:
                _log.warning("job_failed", job_id=str(claim.job_id), attempt=claim.attempt, code=code)
        except StaleClaimError:
            _log.warning("job_taken_over", job_id=str(claim.job_id), attempt=claim.attempt)
        except Exception:  # a fault of ours must not end the worker; the job is tried again
            _log.exception("job_broke", job_id=str(claim.job_id), attempt=claim.attempt)
            with contextlib.suppress(RetenirError):
                await runner.give_up_attempt(scope, claim)

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), seconds)


@contextlib.asynccontextmanager
async def beside(container: Container) -> AsyncIterator[Worker]:
    """A worker in this process for as long as the block lasts; jobs under way are finished at its end."""
    worker = Worker(container)
    container.on_work = worker.wake
    running = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        container.on_work = None
        worker.stop()
        await running


async def work(settings: Settings) -> None:
    """Run a worker alone until SIGTERM or Ctrl-C."""
    configure_logging(settings.log_format, settings.log_level)
    container = Container(settings)
    worker = Worker(container)
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signum, worker.stop)
    await container.open()
    try:
        await worker.run()
    finally:
        await container.close()
