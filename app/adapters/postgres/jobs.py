"""Jobs in Postgres. Claiming them comes before any scope: see `directory`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select, update

from app.adapters.postgres.models import JobRow
from app.adapters.postgres.paging import keyset_page
from app.adapters.postgres.session import TenantSession
from app.domain.jobs import Claim, Job, JobKind, JobStatus
from app.domain.tenancy import Actor, ActorType
from app.domain.values import JsonValue
from app.ports.paging import Page, PageRequest

_OURS = JobStatus.RUNNING.value


class PostgresJobs:
    """The jobs of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def add(self, job: Job) -> None:
        row = {**asdict(job), "run_at": job.created_at, "payload": dict(job.payload)}
        maker = row.pop("created_by")
        row |= {"maker_type": maker["type"], "maker_id": maker["id"]}
        await self._session.execute(self._session.insertion(JobRow, [row]))

    async def get(self, job_id: UUID) -> Job | None:
        row = (await self._session.execute(select(JobRow).where(JobRow.id == job_id))).scalar_one_or_none()
        return _job(row) if row else None

    async def page(self, status: JobStatus | None, maker: Actor | None, request: PageRequest) -> Page[Job]:
        query = select(JobRow)
        if maker is not None:
            asked = (JobRow.maker_type == maker.type.value) & (JobRow.maker_id == maker.id)
            query = query.where(asked | (JobRow.key_id == maker.id) if maker.type is ActorType.KEY else asked)
        if status is not None:
            query = query.where(JobRow.status == status.value)
        return await keyset_page(self._session, query, [JobRow.id], request, _job, newest_first=True)

    async def finish(self, claim: Claim, result: Mapping[str, JsonValue], now: datetime) -> bool:
        done = {"status": JobStatus.DONE.value, "result": dict(result), "error": None, "finished_at": now}
        return await self._end(claim, {**done, "lease_until": None})

    async def proceed(self, claim: Claim, payload: Mapping[str, JsonValue], now: datetime) -> bool:
        again = {"status": JobStatus.QUEUED.value, "payload": dict(payload), "attempts": 0, "error": None}
        return await self._end(claim, {**again, "run_at": now, "lease_until": None})

    async def report(self, claim: Claim, result: Mapping[str, JsonValue]) -> bool:
        return await self._end(claim, {"result": dict(result)})

    async def fail(self, claim: Claim, error: str, retry_at: datetime | None, now: datetime) -> bool:
        status = JobStatus.DEAD if retry_at is None else JobStatus.FAILED
        failed = {"status": status.value, "error": error, "run_at": retry_at or now, "lease_until": None}
        return await self._end(claim, {**failed, "finished_at": now if retry_at is None else None})

    async def postpone(self, claim: Claim, reason: str, until: datetime) -> bool:
        again = {"status": JobStatus.QUEUED.value, "error": reason, "run_at": until, "lease_until": None}
        return await self._end(claim, {**again, "attempts": JobRow.attempts - 1})

    async def resume(self, reasons: Collection[str], now: datetime) -> int:
        waiting = (JobRow.status == JobStatus.QUEUED.value, JobRow.error.in_(reasons), JobRow.run_at > now)
        statement = update(JobRow).where(*waiting).values(run_at=now).returning(JobRow.id)
        return len((await self._session.execute(statement)).all())

    async def reassign(self, user_id: str, heir: str) -> None:
        await self._session.execute(update(JobRow).where(JobRow.user_id == user_id).values(user_id=heir))

    async def retry(self, job_id: UUID, now: datetime) -> bool:
        again = {"status": JobStatus.QUEUED.value, "attempts": 0, "run_at": now, "finished_at": None}
        given_up = JobRow.status.in_((JobStatus.DEAD.value, JobStatus.FAILED.value))
        statement = update(JobRow).where(JobRow.id == job_id, given_up).values(again).returning(JobRow.id)
        return (await self._session.execute(statement)).first() is not None

    async def cancel(self, job_ids: Sequence[UUID], now: datetime) -> int:
        given_up = {"status": JobStatus.CANCELLED.value, "lease_until": None, "finished_at": now}
        open_ones = JobRow.status.not_in((JobStatus.DONE.value, JobStatus.CANCELLED.value))
        statement = update(JobRow).where(JobRow.id.in_(job_ids), open_ones).values(given_up).returning(JobRow.id)
        return len((await self._session.execute(statement)).all())

    async def remove(self, job_ids: Sequence[UUID]) -> int:
        statement = delete(JobRow).where(JobRow.id.in_(job_ids)).returning(JobRow.id)
        return len((await self._session.execute(statement)).all())

    async def _end(self, claim: Claim, values: dict[str, object]) -> bool:
        """Fenced: an attempt that was taken over changes nothing."""
        mine = (JobRow.id == claim.job_id, JobRow.attempts == claim.attempt, JobRow.status == _OURS)
        statement = update(JobRow).where(*mine).values(values).returning(JobRow.id)
        return (await self._session.execute(statement)).first() is not None


def _job(row: JobRow) -> Job:
    return Job(
        id=row.id,
        kind=JobKind(row.kind),
        lane=row.lane,
        payload=row.payload,
        created_by=Actor(ActorType(row.maker_type), row.maker_id),
        created_at=row.created_at,
        key_id=row.key_id,
        user_id=row.user_id,
        status=JobStatus(row.status),
        attempts=row.attempts,
        error=row.error,
        finished_at=row.finished_at,
        result=row.result,
    )
