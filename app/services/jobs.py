"""Looking after durable jobs: what callers see of them, and how a worker runs them."""

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from app.domain.errors import Conflict, NotFound, RetenirError
from app.domain.jobs import MAX_ATTEMPTS, NEVER_GIVEN_UP, Claim, Job, JobKind, JobStatus, NotNow, wait_before
from app.domain.tenancy import Rank, TenantScope
from app.ports.clock import Clock
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage

ERASING = "erasing"
"""What a job would write into is being erased: its time has not come."""
Handler = Callable[[TenantScope, Claim], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Jobs:
    """The jobs of an organisation: a maker sees their own, as does the key that asked for them; admins see all."""

    storage: Storage
    clock: Clock

    async def get(self, scope: TenantScope, job_id: UUID) -> Job:
        """Raises NotFound for what is not there for this caller."""
        async with self.storage.transaction(scope) as uow:
            job = await uow.jobs.get(job_id)
        if job is None or not _sees(scope, job):
            raise NotFound
        return job

    async def page(self, scope: TenantScope, status: JobStatus | None, request: PageRequest) -> Page[Job]:
        """Newest first; below admin, one's own alone."""
        maker = None if scope.rank >= Rank.ADMIN else scope.actor
        async with self.storage.transaction(scope) as uow:
            return await uow.jobs.page(status, maker, request)

    async def retry(self, scope: TenantScope, job_id: UUID) -> Job:
        """Queue a dead or failed job again. Raises NotFound, Conflict `not_retryable`."""
        async with self.storage.transaction(scope) as uow:
            if await uow.jobs.get(job_id) is None:
                raise NotFound
            if not await uow.jobs.retry(job_id, self.clock()):
                raise Conflict("not_retryable", "Only a failed or dead job can be tried again.")
            job = await uow.jobs.get(job_id)
        if job is None:
            raise NotFound
        return job


@dataclass(frozen=True, slots=True)
class JobRunner:
    """Runs one claimed job by its kind, and writes down how it went."""

    storage: Storage
    clock: Clock
    handlers: Mapping[JobKind, Handler]

    async def run(self, scope: TenantScope, claim: Claim) -> str | None:
        """Afterwards the job is done, failed with a time to try again, dead, or put back because its time has not come.

        Answers the error's code where it failed. A claim that another worker took over changes nothing.
        """
        try:
            async with self.storage.transaction(scope) as uow:
                job = await uow.jobs.get(claim.job_id)
            if job is not None and claim.attempt > MAX_ATTEMPTS and job.kind not in NEVER_GIVEN_UP:
                return await self._fail(scope, claim, "attempts_exhausted")
            if job is not None:
                await self.handlers[job.kind](scope, claim)
        except NotNow as wait:
            async with self.storage.transaction(scope) as uow:
                await uow.jobs.postpone(claim, wait.code, wait.until)
        except RetenirError as error:
            if error.code != ERASING:
                return await self._fail(scope, claim, error.code)
            async with self.storage.transaction(scope) as uow:
                await uow.jobs.postpone(claim, error.code, self.clock() + timedelta(seconds=error.retry_after or 1))
        return None

    async def give_up_attempt(self, scope: TenantScope, claim: Claim) -> None:
        """After a fault of ours: the attempt failed, the reason is in the log."""
        await self._fail(scope, claim, "internal")

    async def _fail(self, scope: TenantScope, claim: Claim, code: str) -> str:
        now = self.clock()
        async with self.storage.transaction(scope) as uow:
            job = await uow.jobs.get(claim.job_id)
            last = claim.attempt >= MAX_ATTEMPTS and (job is None or job.kind not in NEVER_GIVEN_UP)
            retry_at = None if last else now + wait_before(claim.attempt, random.random())  # noqa: S311
            await uow.jobs.fail(claim, code, retry_at, now)
        return code


def _sees(scope: TenantScope, job: Job) -> bool:
    return scope.rank >= Rank.ADMIN or scope.actor in job.makers
