"""Jobs whose time has not come: put back without an attempt, and resumed when what they wait for is there."""

from datetime import datetime
from uuid import UUID

from app.domain.jobs import LEASE, Claim, JobStatus
from app.domain.tenancy import TenantScope
from tests.contract.backends import Backend
from tests.contract.test_jobs import MINUTE, claim, fail, finish, job, queue, status
from tests.unit.memories import START


async def postpone(backend: Backend, scope: TenantScope, job_id: UUID, until: datetime, attempt: int = 1) -> bool:
    async with backend.storage.transaction(scope) as uow:
        return await uow.jobs.postpone(Claim(scope.org_id, job_id, attempt), "away", until)


async def test_a_postponed_job_waits_as_if_it_had_not_been_tried(backend: Backend, scope: TenantScope) -> None:
    first, second = await queue(backend, scope, job(), job())
    assert await claim(backend.directory, scope) == [first]
    assert await postpone(backend, scope, first, START + MINUTE)
    waiting = await status(backend, scope, first)
    assert (waiting.status, waiting.attempts, waiting.error) == (JobStatus.QUEUED, 0, "away")
    assert await claim(backend.directory, scope, START + MINUTE / 2) == []
    assert await claim(backend.directory, scope, START + MINUTE) == [first]
    assert not await postpone(backend, scope, second, START)


async def test_a_late_attempt_postpones_nothing(backend: Backend, scope: TenantScope) -> None:
    (one,) = await queue(backend, scope, job())
    await claim(backend.directory, scope)
    later = START + 2 * LEASE
    assert await claim(backend.directory, scope, later) == [one]
    assert not await postpone(backend, scope, one, later)
    assert await postpone(backend, scope, one, later, attempt=2)
    assert not await finish(backend, scope, one)
    assert await claim(backend.directory, scope, later) == [one]
    assert not await finish(backend, scope, one)
    assert await finish(backend, scope, one, attempt=2)


async def test_what_waits_for_a_reason_is_resumed_and_nothing_else(backend: Backend, scope: TenantScope) -> None:
    waits, failed, other = await queue(backend, scope, job("a"), job("b"), job("c"))
    await claim(backend.directory, scope)
    far = START + 60 * MINUTE
    await postpone(backend, scope, waits, far)
    await fail(backend, scope, failed, far)
    async with backend.storage.transaction(scope) as uow:
        await uow.jobs.postpone(Claim(scope.org_id, other, 1), "full", far)
        assert await uow.jobs.resume(["away", "unavailable"], START + MINUTE) == 1
    assert await claim(backend.directory, scope, START + MINUTE) == [waits]
