"""Durable jobs, as kept."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.jobs import Claim, Job, JobStatus
from app.domain.tenancy import Actor
from app.domain.values import JsonValue
from app.ports.paging import Page, PageRequest


class Jobs(Protocol):
    async def add(self, job: Job) -> None: ...

    async def get(self, job_id: UUID) -> Job | None: ...

    async def page(self, status: JobStatus | None, maker: Actor | None, request: PageRequest) -> Page[Job]:
        """Newest first; of one maker (a key: also what was asked for with it), or of all."""
        ...

    async def finish(self, claim: Claim, result: Mapping[str, JsonValue], now: datetime) -> bool:
        """Marks the attempt's job done; False when the claim is no longer its latest."""
        ...

    async def proceed(self, claim: Claim, payload: Mapping[str, JsonValue], now: datetime) -> bool:
        """Queues the attempt's job again, to go on from `payload` as if it were new; False as for `finish`."""
        ...

    async def report(self, claim: Claim, result: Mapping[str, JsonValue]) -> bool:
        """Keeps how far the attempt's job has come, as its result; False as for `finish`."""
        ...

    async def fail(self, claim: Claim, error: str, retry_at: datetime | None, now: datetime) -> bool:
        """Marks the attempt failed, to be tried again at `retry_at`, or dead where that is None."""
        ...

    async def postpone(self, claim: Claim, reason: str, until: datetime) -> bool:
        """Queues the attempt's job again, not to be taken before `until`, as if there had been no attempt; False as for
        `finish`. `reason` is told as its error.
        """
        ...

    async def resume(self, reasons: Collection[str], now: datetime) -> int:
        """What was postponed for one of these reasons may be taken from `now` on. Answers how many."""
        ...

    async def reassign(self, user_id: str, heir: str) -> None:
        """The first one's jobs are the second's then."""
        ...

    async def cancel(self, job_ids: Sequence[UUID], now: datetime) -> int:
        """Gives up those that are not done; an attempt under way keeps nothing. Answers how many."""
        ...

    async def remove(self, job_ids: Sequence[UUID]) -> int:
        """They are not there any more; an attempt under way keeps nothing. Answers how many."""
        ...

    async def retry(self, job_id: UUID, now: datetime) -> bool:
        """Queues a dead or failed job again, from its first attempt; False when it is neither."""
        ...
