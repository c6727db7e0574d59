"""Durable jobs in memory, and who may take which."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from app.adapters.doubles.paging import page_of
from app.adapters.doubles.state import QueuedJob, State
from app.domain.jobs import LEASE, Claim, Job, JobStatus
from app.domain.tenancy import Actor
from app.domain.values import JsonValue
from app.ports.paging import Page, PageRequest

_OPEN = (JobStatus.QUEUED, JobStatus.RUNNING, JobStatus.FAILED)


class InMemoryJobs:
    """The jobs of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, job: Job) -> None:
        self._state.require(user_id=job.user_id)
        self._state.require_new(job.id in self._state.jobs)
        self._state.jobs[job.id] = QueuedJob(job, run_at=job.created_at)

    async def get(self, job_id: UUID) -> Job | None:
        kept = self._state.jobs.get(job_id)
        return kept.job if kept else None

    async def page(self, status: JobStatus | None, maker: Actor | None, request: PageRequest) -> Page[Job]:
        jobs = [kept.job for kept in self._state.jobs.values()]
        wanted = [job for job in jobs if status in (None, job.status) and (maker is None or maker in job.makers)]
        return page_of(wanted, lambda job: (job.id,), request, newest_first=True)

    async def finish(self, claim: Claim, result: Mapping[str, JsonValue], now: datetime) -> bool:
        kept = self._held(claim)
        if kept is None:
            return False
        job = replace(kept.job, status=JobStatus.DONE, result=dict(result), error=None, finished_at=now)
        self._state.jobs[job.id] = QueuedJob(job, kept.run_at)
        return True

    async def proceed(self, claim: Claim, payload: Mapping[str, JsonValue], now: datetime) -> bool:
        kept = self._held(claim)
        if kept is None:
            return False
        job = replace(kept.job, status=JobStatus.QUEUED, payload=dict(payload), attempts=0, error=None)
        self._state.jobs[job.id] = QueuedJob(job, now)
        return True

    async def report(self, claim: Claim, result: Mapping[str, JsonValue]) -> bool:
        kept = self._held(claim)
        if kept is None:
            return False
        self._state.jobs[claim.job_id] = replace(kept, job=replace(kept.job, result=dict(result)))
        return True

    async def fail(self, claim: Claim, error: str, retry_at: datetime | None, now: datetime) -> bool:
        kept = self._held(claim)
        if kept is None:
            return False
        status, ended = (JobStatus.DEAD, now) if retry_at is None else (JobStatus.FAILED, None)
        job = replace(kept.job, status=status, error=error, finished_at=ended)
        self._state.jobs[job.id] = QueuedJob(job, retry_at or now)
        return True

    async def postpone(self, claim: Claim, reason: str, until: datetime) -> bool:
        kept = self._held(claim)
        if kept is None:
            return False
        job = replace(kept.job, status=JobStatus.QUEUED, error=reason, attempts=kept.job.attempts - 1)
        self._state.jobs[job.id] = QueuedJob(job, until)
        return True

    async def resume(self, reasons: Collection[str], now: datetime) -> int:
        waiting = [
            kept
            for kept in self._state.jobs.values()
            if kept.job.status is JobStatus.QUEUED and kept.job.error in reasons and kept.run_at > now
        ]
        for kept in waiting:
            self._state.jobs[kept.job.id] = replace(kept, run_at=now)
        return len(waiting)

    async def reassign(self, user_id: str, heir: str) -> None:
        for place, kept in self._state.jobs.items():
            if kept.job.user_id == user_id:
                self._state.require(user_id=heir)
                self._state.jobs[place] = replace(kept, job=replace(kept.job, user_id=heir))

    async def cancel(self, job_ids: Sequence[UUID], now: datetime) -> int:
        over = (JobStatus.DONE, JobStatus.CANCELLED)
        open_ones = [
            kept for kept in self._state.jobs.values() if kept.job.id in job_ids and kept.job.status not in over
        ]
        for kept in open_ones:
            job = replace(kept.job, status=JobStatus.CANCELLED, finished_at=now)
            self._state.jobs[job.id] = QueuedJob(job, kept.run_at)
        return len(open_ones)

    async def remove(self, job_ids: Sequence[UUID]) -> int:
        there = [job_id for job_id in job_ids if self._state.jobs.pop(job_id, None)]
        return len(there)

    async def retry(self, job_id: UUID, now: datetime) -> bool:
        kept = self._state.jobs.get(job_id)
        if kept is None or kept.job.status not in (JobStatus.DEAD, JobStatus.FAILED):
            return False
        job = replace(kept.job, status=JobStatus.QUEUED, attempts=0, finished_at=None)
        self._state.jobs[job_id] = QueuedJob(job, now)
        return True

    def _held(self, claim: Claim) -> QueuedJob | None:
        """The job, while this attempt is its latest."""
        kept = self._state.jobs.get(claim.job_id)
        held = kept is not None and kept.job.status is JobStatus.RUNNING and kept.job.attempts == claim.attempt
        return kept if held else None


def due(state: State, now: datetime) -> Iterator[UUID]:
    """The jobs that may be taken, oldest first: of each lane the first open one, unless another of it is running."""
    seen: set[str] = set()
    leased = {kept.job.lane for kept in state.jobs.values() if _is_leased(kept, now)}
    for kept in state.jobs.values():
        job = kept.job
        if job.status in _OPEN and job.lane not in seen:
            seen.add(job.lane)
            waits = job.status is not JobStatus.RUNNING and kept.run_at > now
            if job.lane not in leased and not waits:
                yield job.id


def is_over(job: Job) -> bool:
    """Nobody will take it any more, as it stands."""
    return job.status not in _OPEN


def take(state: State, job_id: UUID, now: datetime) -> int:
    """Lease the job for one more attempt; answers its number."""
    job = state.jobs[job_id].job
    running = replace(job, status=JobStatus.RUNNING, attempts=job.attempts + 1)
    state.jobs[job_id] = QueuedJob(running, state.jobs[job_id].run_at, now + LEASE)
    return running.attempts


def _is_leased(kept: QueuedJob, now: datetime) -> bool:
    return kept.job.status is JobStatus.RUNNING and kept.lease_until is not None and kept.lease_until >= now
