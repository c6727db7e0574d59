"""The worker: claims jobs of any organisation and runs each under a scope of its own. Any number of them may run."""

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator, Coroutine
from datetime import date, timedelta

import structlog

from app.adapters.logs import configure_logging
from app.container import Container
from app.domain.errors import Collision, Conflict, RetenirError
from app.domain.idempotency import KEEP
from app.domain.jobs import Claim
from app.domain.tenancy import Actor, ActorType, Rank, TenantScope
from app.services.learning import StaleClaimError
from app.settings import Settings

AT_ONCE = 8
IDLE_SECONDS = 0.25
LOOK_SECONDS = 1.0
"""How often it is looked for documents that lack vectors."""
UPKEEP_SECONDS = 3600.0
UPKEEP_RETRY_SECONDS = 60.0
ORGANISATIONS_AT_ONCE = 500
KEYS_AT_ONCE = 5000
AFTER_FAULT_SECONDS = 1.0
DRAIN_SECONDS = 5.0

_log = structlog.get_logger(__name__)
_WORKER = Actor(ActorType.WORKER, "worker")


class Worker:
    """Runs jobs until it is stopped; `wake` spares a waiting job the pause between two looks."""

    def __init__(self, container: Container) -> None:
        self._container = container
        self._woken = asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()
        self._stopped = asyncio.Event()
        self._next_look = 0.0

    def wake(self) -> None:
        """Look for work now."""
        self._woken.set()

    async def run(self) -> None:
        """Until `stop`; then the jobs under way are finished. A database that is away is waited for.

        What is not finished in time is left: whoever sees its lease end takes it over.
        """
        await _until(self._stopped, self._work())
        late = list(self._running)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def stop(self) -> None:
        """Take no more work."""
        self._stopped.set()
        self.wake()

    async def _work(self) -> None:
        while not self._stopped.is_set():
            self._woken.clear()
            try:
                claimed = await self._claim()
            except RetenirError as error:
                _log.warning("claim_failed", code=error.code)
                await self._pause(AFTER_FAULT_SECONDS)
            except Exception:  # a fault of ours must not end the worker, which nobody would miss
                _log.exception("claim_broke")
                await self._pause(AFTER_FAULT_SECONDS)
            else:
                if not claimed:
                    await self._pause(IDLE_SECONDS)
        if self._running:
            await asyncio.wait(self._running)

    async def _claim(self) -> bool:
        """Start what is due, as far as there is room. Answers whether to look again at once."""
        room = AT_ONCE - len(self._running)
        if room <= 0:
            await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
            return True
        await self._container.require_checked()
        await self._queue_embedding()
        claims = await self._container.directory.claim_jobs(room, self._container.clock())
        for claim in claims:
            task = asyncio.create_task(self._run(claim))
            self._running.add(task)
            task.add_done_callback(self._ended)
        return bool(claims)

    async def _queue_embedding(self) -> None:
        """What was written lacks its vectors, and says so itself: no writer has to ask for them."""
        now = time.monotonic()
        if self._container.embedding is not None and now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            await self._container.directory.queue_embedding(ORGANISATIONS_AT_ONCE, self._container.clock())

    def _ended(self, task: asyncio.Task[None]) -> None:
        """The next job of the same lane may be waiting for this one."""
        self._running.discard(task)
        self.wake()

    async def _run(self, claim: Claim) -> None:
        scope = TenantScope(claim.org_id, _WORKER, Rank.OWNER)
        runner = self._container.job_runner
        try:
            # Whoever is later than the lease has lost the job, and must not keep the room of another.
            async with asyncio.timeout(self._container.settings.job_lease_seconds):
                code = await runner.run(scope, claim)
            if code is not None:
                _log.warning("job_failed", job_id=str(claim.job_id), attempt=claim.attempt, code=code)
        except TimeoutError:
            _log.warning("job_overdue", job_id=str(claim.job_id), attempt=claim.attempt)
        except StaleClaimError:
            _log.warning("job_taken_over", job_id=str(claim.job_id), attempt=claim.attempt)
        except RetenirError as error:  # not even the failure could be written down; the lease will end
            _log.warning("job_left", job_id=str(claim.job_id), attempt=claim.attempt, code=error.code)
        except Exception:  # a fault of ours must not end the worker; the job is tried again
            _log.exception("job_broke", job_id=str(claim.job_id), attempt=claim.attempt)
            with contextlib.suppress(RetenirError):
                await runner.give_up_attempt(scope, claim)

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), seconds)


class Upkeep:
    """Makes room for what will come, and removes what is over age, until it is stopped. Several may be at it."""

    def __init__(self, container: Container) -> None:
        self._container = container
        self._stopping = asyncio.Event()
        self._swept: date | None = None

    async def run(self) -> None:
        """Every hour until `stop`; after a failure sooner. What is under way then is finished, or rolled back."""
        await _until(self._stopping, self._keep())

    async def _keep(self) -> None:
        while not self._stopping.is_set():
            seconds = UPKEEP_RETRY_SECONDS
            try:
                await self.once()
                seconds = UPKEEP_SECONDS
            except RetenirError as error:
                _log.warning("upkeep_failed", code=error.code)
            except Exception:  # a fault of ours must not end the worker
                _log.exception("upkeep_broke")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), seconds)

    def stop(self) -> None:
        """Begin nothing more."""
        self._stopping.set()

    async def once(self) -> None:
        """Partitions are as they should be, old idempotency keys are gone, once a day each organisation is looked
        through, and the audit trail is sealed. Raises Unavailable.
        """
        await self._container.require_checked()
        now = self._container.clock()
        while await self._container.directory.forget_idempotency(now - KEEP, KEYS_AT_ONCE) == KEYS_AT_ONCE:
            pass
        if (partitions := self._container.partitions) is not None:
            await partitions.provide(now)
            await partitions.drop_before(now - timedelta(days=self._container.settings.observation_days))
        if self._swept != now.date():
            await self._sweep()
            self._swept = now.date()
        await self._seal()

    async def _sweep(self) -> None:
        """Each is consolidated. It may keep less than the partitions hold; where nobody drops these, rows go singly."""
        last: str | None = None
        while org_ids := await self._container.directory.organisations(ORGANISATIONS_AT_ONCE, last):
            for last in org_ids:
                scope = TenantScope(last, _WORKER, Rank.OWNER)
                await self._container.observations.forget_old(scope)
                await self._container.consolidation_jobs.ask_daily(scope)
                if self._container.embedding is not None:
                    await self._container.embedding.forgive(scope)
                if self._stopping.is_set():
                    return

    async def _seal(self) -> None:
        """Each trail, up to where nobody writes any more; one that cannot be sealed now is left to the next time."""
        upto = await self._container.seals.closed()
        if upto is None:
            _log.warning("seals_postponed")
            return
        async for org_id in self._container.seals.unsealed(upto):
            with contextlib.suppress(Conflict, Collision):
                await self._container.seals.seal(TenantScope(org_id, _WORKER, Rank.OWNER), upto)
            if self._stopping.is_set():
                return


async def _until(stopped: asyncio.Event, work: Coroutine[None, None, None]) -> None:
    """Let the work go on until `stopped`, and then for as long as a stop may take."""
    working = asyncio.create_task(work)
    await stopped.wait()
    await asyncio.wait({working}, timeout=DRAIN_SECONDS)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)


@contextlib.asynccontextmanager
async def beside(container: Container) -> AsyncIterator[Worker]:
    """A worker in this process for as long as the block lasts; jobs under way are finished at its end."""
    worker = Worker(container)
    container.on_work = worker.wake
    upkeep = Upkeep(container)
    running = asyncio.gather(worker.run(), upkeep.run())
    try:
        yield worker
    finally:
        container.on_work = None
        worker.stop()
        upkeep.stop()
        await running


async def work(settings: Settings) -> None:
    """Run a worker alone until SIGTERM or Ctrl-C."""
    configure_logging(settings.log_format, settings.log_level)
    container = Container(settings)
    worker, upkeep = Worker(container), Upkeep(container)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        worker.stop()
        upkeep.stop()

    for signum in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signum, stop)
    container.warm()
    await container.open()
    try:
        await asyncio.gather(worker.run(), upkeep.run())
    finally:
        await container.close()
