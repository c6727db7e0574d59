"""How far people are consolidated, as kept: who is due, who is held, and the job that goes through them."""

import asyncio
from datetime import datetime

from app.domain.consolidation import Checkpoint
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.jobs import Claim, Job, JobKind, JobStatus
from app.domain.observations import ObservationType
from app.domain.organisations import Organisation, OrgSettings, Person
from app.domain.sources import MessageRef
from app.domain.tenancy import TenantScope
from app.ports.storage import Storage
from tests.contract.backends import Backend
from tests.unit.memories import ALICE, START, day
from tests.unit.observed import observed
from tests.unit.sessions import TOOL, habit


async def believe(storage: Storage, scope: TenantScope, *facts: Fact) -> None:
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, one) for one in facts], START)


async def test_who_wants_nothing_remembered_is_not(storage: Storage, scope: TenantScope) -> None:
    async def remembered(user_id: str) -> bool:
        async with storage.transaction(scope) as uow:
            return (await uow.consolidations.progress(user_id, START)).remembered

    assert [await remembered(one) for one in ("alice", "bob", "unknown")] == [True, True, False]
    async with storage.transaction(scope) as uow:
        await uow.people.save(Person("bob", START, remember=False))
    assert [await remembered(one) for one in ("alice", "bob")] == [True, False]
    async with storage.transaction(scope) as uow:
        await uow.organisations.save(Organisation(scope.org_id, "Org", START, OrgSettings(enabled=False)))
    assert not await remembered("alice")


async def test_a_person_is_due_while_observations_wait_or_something_has_faded(
    storage: Storage, scope: TenantScope
) -> None:
    async def due(user_id: str, now: datetime = START) -> bool:
        async with storage.transaction(scope) as uow:
            return (await uow.consolidations.progress(user_id, now)).due

    assert not await due("alice")
    assert not await due("unknown")
    async with storage.transaction(scope) as uow:
        await uow.observations.add([observed(number=1), observed(ObservationType.NOTE, 2, consolidated_at=START)])
    assert await due("alice")
    assert not await due("bob")
    async with storage.transaction(scope) as uow:
        await uow.observations.mark_consolidated([observed(number=1).id], START)
    await believe(storage, scope, habit(1))
    assert not await due("alice", day(31))
    assert await due("alice", day(32))


async def test_a_checkpoint_moves_on_and_keeps_what_the_next_one_does_not_name(
    storage: Storage, scope: TenantScope
) -> None:
    async def kept() -> Checkpoint | None:
        async with storage.transaction(scope) as uow:
            return (await uow.consolidations.progress("alice", START)).checkpoint

    assert await kept() is None
    for saved, wanted in (
        (Checkpoint(day(1), day(0.5), "s1"), Checkpoint(day(1), day(0.5), "s1")),
        (Checkpoint(day(2)), Checkpoint(day(2), day(0.5), "s1")),
        (Checkpoint(day(3), day(0.2), "s2"), Checkpoint(day(3), day(0.5), "s2")),
        (Checkpoint(day(4), day(3), None), Checkpoint(day(4), day(3), "s2")),
    ):
        async with storage.transaction(scope) as uow:
            await uow.consolidations.save("alice", saved)
        assert await kept() == wanted
    async with storage.transaction(scope) as uow:
        await uow.people.delete("alice")
        await uow.people.save(Person("alice", START))
    assert await kept() is None


async def test_one_holds_a_person_at_a_time(storage: Storage, scope: TenantScope) -> None:
    """Each adds a row for every row it finds, and one: a lost look would leave fewer."""

    async def grow(number: int) -> None:
        async with storage.transaction(scope) as uow:
            await uow.consolidations.hold("alice")
            rows = await uow.facts.of_key(TOOL)
            await asyncio.sleep(0)
            grown = [Change(None, habit(1000 * number + one)) for one in range(len(rows) + 1)]
            await uow.facts.apply(grown, START)

    await asyncio.gather(*(grow(number) for number in range(1, 6)))
    async with storage.transaction(scope) as uow:
        assert len(await uow.facts.of_key(TOOL)) == 2**5 - 1


async def test_query_patterns_are_found_by_their_message(storage: Storage, scope: TenantScope) -> None:
    ref = MessageRef("talk", "m1", "web")
    asked = observed(ObservationType.QUERY_PATTERN, 1, message=ref)
    async with storage.transaction(scope) as uow:
        await uow.observations.add([asked, observed(ObservationType.QUERY_PATTERN, 2), observed(number=3)])
        assert await uow.observations.found_in([ref, MessageRef("talk", "m2", "web")]) == [asked]


async def test_people_who_wait_are_listed_by_store(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.observations.add(
            [observed(number=1, store_id="shop1"), observed(number=2, user_id="bob", store_id="shop2")]
        )
        assert await uow.observations.people_with_unconsolidated(9) == ["alice", "bob"]
        assert await uow.observations.people_with_unconsolidated(9, None, "shop2") == ["bob"]


async def test_a_job_goes_on_from_where_it_came_to(backend: Backend, scope: TenantScope) -> None:
    job = Job(uuid7(), JobKind.CONSOLIDATION, "consolidation", {"after": None}, ALICE, START)
    async with backend.storage.transaction(scope) as uow:
        await uow.jobs.add(job)
    (first,) = [one for one in await backend.directory.claim_jobs(1000, START) if one.org_id == scope.org_id]
    async with backend.storage.transaction(scope) as uow:
        assert not await uow.jobs.proceed(Claim(scope.org_id, job.id, 7), {}, START)
        assert await uow.jobs.proceed(first, {"after": "alice"}, START)
        assert not await uow.jobs.proceed(first, {}, START)
        kept = await uow.jobs.get(job.id)
    assert kept is not None
    assert (kept.status, kept.payload, kept.attempts) == (JobStatus.QUEUED, {"after": "alice"}, 0)
    again = [one for one in await backend.directory.claim_jobs(1000, START) if one.org_id == scope.org_id]
    assert [(one.job_id, one.attempt) for one in again] == [(job.id, 1)]
