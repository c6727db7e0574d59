"""Durable jobs: claimed by one worker at a time and in their order, ended by their latest attempt alone."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.domain.errors import Conflict
from app.domain.identifiers import uuid7
from app.domain.jobs import LEASE, Claim, Job, JobKind, JobStatus
from app.domain.organisations import Organisation
from app.domain.tenancy import Actor, ActorType, TenantScope
from app.ports.paging import PageRequest
from app.ports.storage import Directory
from tests.contract.backends import Backend
from tests.contract.scopes import scope_of, walked
from tests.unit.memories import ALICE, START, day

MINUTE = timedelta(minutes=1)


def job(lane: str = "lane", at: datetime = START, **more: Any) -> Job:
    return replace(Job(uuid7(), JobKind.TURN, lane, {"message": "m1"}, ALICE, at), **more)


async def queue(backend: Backend, scope: TenantScope, *jobs: Job) -> list[UUID]:
    async with backend.storage.transaction(scope) as uow:
        for one in jobs:
            await uow.jobs.add(one)
    return [one.id for one in jobs]


async def claim(directory: Directory, scope: TenantScope, now: datetime = START) -> list[UUID]:
    """The jobs that a worker may now do; others of other organisations may be due as well."""
    return [one.job_id for one in await directory.claim_jobs(1000, now) if one.org_id == scope.org_id]


async def status(backend: Backend, scope: TenantScope, job_id: UUID) -> Job:
    async with backend.storage.transaction(scope) as uow:
        found = await uow.jobs.get(job_id)
    assert found is not None
    return found


async def finish(backend: Backend, scope: TenantScope, job_id: UUID, attempt: int = 1) -> bool:
    async with backend.storage.transaction(scope) as uow:
        return await uow.jobs.finish(Claim(scope.org_id, job_id, attempt), {"facts": 2}, day(1))


async def fail(backend: Backend, scope: TenantScope, job_id: UUID, retry_at: datetime | None, attempt: int = 1) -> bool:
    async with backend.storage.transaction(scope) as uow:
        return await uow.jobs.fail(Claim(scope.org_id, job_id, attempt), "unavailable", retry_at, day(1))


async def retry(backend: Backend, scope: TenantScope, job_id: UUID, now: datetime = START) -> bool:
    async with backend.storage.transaction(scope) as uow:
        return await uow.jobs.retry(job_id, now)


async def test_a_job_comes_back_as_it_was_added(backend: Backend, scope: TenantScope) -> None:
    bob, payload = Actor(ActorType.PERSON, "bob"), {"messages": ["a", 1, None]}
    added = job(payload=payload, created_by=bob, key_id=str(uuid4()), user_id="bob")
    await queue(backend, scope, added)
    assert await status(backend, scope, added.id) == added
    for refused in (added, job(user_id="nobody")):
        with pytest.raises(Conflict):
            await queue(backend, scope, refused)


async def test_a_claim_runs_the_job_and_its_end_is_written(backend: Backend, scope: TenantScope) -> None:
    (one,) = await queue(backend, scope, job())
    assert await claim(backend.directory, scope) == [one]
    assert (await status(backend, scope, one)).status is JobStatus.RUNNING
    assert await finish(backend, scope, one)
    done = await status(backend, scope, one)
    assert (done.status, done.attempts, done.result, done.error) == (JobStatus.DONE, 1, {"facts": 2}, None)
    assert done.finished_at == day(1)
    assert await claim(backend.directory, scope, day(100)) == []


async def test_jobs_of_a_lane_follow_each_other_and_lanes_do_not_wait(backend: Backend, scope: TenantScope) -> None:
    first, second, third, other = await queue(backend, scope, job(), job(), job(), job("other"))
    assert set(await claim(backend.directory, scope)) == {first, other}
    assert await claim(backend.directory, scope) == []
    await finish(backend, scope, first)
    assert await claim(backend.directory, scope) == [second]
    assert await fail(backend, scope, second, START + MINUTE)
    assert await claim(backend.directory, scope) == [], "a failed one holds up its lane until it is tried again"
    assert await claim(backend.directory, scope, START + MINUTE) == [second]
    assert await fail(backend, scope, second, None, attempt=2)
    assert await claim(backend.directory, scope, START + MINUTE) == [third], "one that is given up does not"


async def test_a_job_is_not_due_before_its_time(backend: Backend, scope: TenantScope) -> None:
    (one,) = await queue(backend, scope, job(at=START + MINUTE))
    assert await claim(backend.directory, scope) == []
    assert await claim(backend.directory, scope, START + MINUTE) == [one]


async def test_a_worker_that_does_not_return_loses_the_job(backend: Backend, scope: TenantScope) -> None:
    (one,) = await queue(backend, scope, job())
    await claim(backend.directory, scope)
    assert await claim(backend.directory, scope, START + LEASE) == []
    later = START + LEASE + MINUTE
    assert await claim(backend.directory, scope, later) == [one]
    assert not await finish(backend, scope, one, attempt=1)
    assert not await fail(backend, scope, one, None, attempt=1)
    assert (await status(backend, scope, one)).status is JobStatus.RUNNING
    assert await finish(backend, scope, one, attempt=2)
    assert not await finish(backend, scope, one, attempt=2), "it is done"


async def test_a_late_worker_that_was_not_replaced_ends_its_job(backend: Backend, scope: TenantScope) -> None:
    (one,) = await queue(backend, scope, job())
    await claim(backend.directory, scope)
    assert await finish(backend, scope, one, attempt=1)


async def test_failures_are_visible_and_a_dead_job_can_be_queued_again(backend: Backend, scope: TenantScope) -> None:
    (one,) = await queue(backend, scope, job())
    assert not await retry(backend, scope, one)
    await claim(backend.directory, scope)
    assert not await retry(backend, scope, one)
    await fail(backend, scope, one, day(2))
    failed = await status(backend, scope, one)
    assert (failed.status, failed.error, failed.finished_at) == (JobStatus.FAILED, "unavailable", None)
    assert await claim(backend.directory, scope, day(2)) == [one]
    await fail(backend, scope, one, None, attempt=2)
    dead = await status(backend, scope, one)
    assert (dead.status, dead.attempts, dead.finished_at) == (JobStatus.DEAD, 2, day(1))
    assert await claim(backend.directory, scope, day(100)) == []
    assert await retry(backend, scope, one, day(3))
    assert (await status(backend, scope, one)).status is JobStatus.QUEUED
    assert await claim(backend.directory, scope, day(2)) == []
    assert await claim(backend.directory, scope, day(3)) == [one]
    assert (await status(backend, scope, one)).attempts == 1
    assert not await retry(backend, scope, uuid4())


async def test_a_job_queued_again_waits_for_the_one_that_took_its_turn(backend: Backend, scope: TenantScope) -> None:
    first, second = await queue(backend, scope, job(), job())
    await claim(backend.directory, scope)
    await fail(backend, scope, first, None)
    assert await claim(backend.directory, scope) == [second]
    await retry(backend, scope, first)
    assert await claim(backend.directory, scope) == [], "no lane has two running"
    await finish(backend, scope, second)
    assert await claim(backend.directory, scope) == [first]


async def test_a_lost_worker_of_a_later_job_does_not_stop_its_lane(backend: Backend, scope: TenantScope) -> None:
    first, second = await queue(backend, scope, job(), job())
    await claim(backend.directory, scope)
    await fail(backend, scope, first, None)
    await claim(backend.directory, scope)
    later = START + LEASE + MINUTE
    await retry(backend, scope, first, later)
    assert await claim(backend.directory, scope, later) == [first]
    await finish(backend, scope, first)
    assert await claim(backend.directory, scope, later) == [second]


async def test_workers_who_ask_at_once_get_different_jobs(backend: Backend, scope: TenantScope) -> None:
    jobs = await queue(backend, scope, *(job(f"lane{number}") for number in range(20)))
    claims = await asyncio.gather(*(claim(backend.directory, scope) for _ in range(6)))
    assert Counter(one for claimed in claims for one in claimed) == Counter(jobs)


async def test_organisations_take_turns(backend: Backend, scope: TenantScope) -> None:
    others = [scope_of(f"turn-{uuid4().hex}") for _ in range(2)]
    for other in others:
        async with backend.storage.transaction(other) as uow:
            await uow.organisations.save(Organisation(other.org_id, "Other", START))
        await queue(backend, other, job())
    early = START - timedelta(days=10_000)
    await queue(backend, scope, *(job(f"lane{number}", early) for number in range(50)))
    try:
        while await backend.directory.claim_jobs(1000, early - MINUTE):
            pass
        claims = await backend.directory.claim_jobs(6, START)
        assert len(claims) == 6
        assert {one.org_id for one in claims} >= {other.org_id for other in others}
    finally:
        for other in others:
            async with backend.storage.transaction(other) as uow:
                await uow.organisations.delete()


async def test_lists_are_newest_first_by_status_and_maker(backend: Backend, scope: TenantScope) -> None:
    key = Actor(ActorType.KEY, str(uuid4()))
    bobs = Actor(ActorType.PERSON, "bob")
    jobs = await queue(
        backend, scope, job("a"), job("b", created_by=bobs, key_id=key.id), job("c", created_by=key), job("d")
    )
    await claim(backend.directory, scope)
    await finish(backend, scope, jobs[3])

    async def listed(state: JobStatus | None, maker: Actor | None) -> list[int]:
        async with backend.storage.transaction(scope) as uow:
            page = await uow.jobs.page(state, maker, PageRequest(with_total=True))
        assert page.total == len(page.items)
        return [jobs.index(one.id) for one in page.items]

    async def read(request: PageRequest) -> Any:
        async with backend.storage.transaction(scope) as uow:
            return await uow.jobs.page(None, None, request)

    assert await listed(None, None) == [3, 2, 1, 0]
    assert await listed(JobStatus.RUNNING, None) == [2, 1, 0]
    assert await listed(JobStatus.DEAD, None) == []
    assert await listed(None, ALICE) == [3, 0]
    assert await listed(None, bobs) == [1]
    assert await listed(None, key) == [2, 1]
    seen = await walked(read, 2, lambda: queue(backend, scope, job("late")))
    assert [jobs.index(one.id) for one in seen] == [3, 2, 1, 0]


async def test_jobs_go_to_an_heir_or_with_their_person(backend: Backend, scope: TenantScope) -> None:
    one, other = await queue(backend, scope, job(user_id="bob"), job())
    async with backend.storage.transaction(scope) as uow:
        await uow.jobs.reassign("bob", "carl")
    assert (await status(backend, scope, one)).user_id == "carl"
    async with backend.storage.transaction(scope) as uow:
        await uow.people.delete("carl")
        assert await uow.jobs.get(one) is None
        assert await uow.jobs.get(other) is not None
