"""A transaction is kept whole or not at all, and is its organisation's alone."""

import asyncio
from contextlib import suppress
from uuid import uuid4

import pytest

from app.domain.errors import Conflict, RetenirError
from app.domain.jobs import Job, JobKind
from app.domain.organisations import Organisation, Person, Store
from app.domain.tenancy import Role, TenantScope
from app.ports.storage import Storage
from tests.contract.scopes import scope_of
from tests.unit.memories import ALICE, START


async def names(storage: Storage, scope: TenantScope) -> dict[str, str]:
    found: dict[str, str] = {}
    async with storage.transaction(scope) as uow:
        for store_id in ("shop1", "shop2", "new"):
            store = await uow.stores.get(store_id)
            found |= {store_id: store.name} if store else {}
    return found


async def test_what_the_block_wrote_is_there_afterwards(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.stores.save(Store("new", "New", START))
        await uow.stores.delete("shop2")
    assert await names(storage, scope) == {"shop1": "shop1", "new": "New"}


@pytest.mark.parametrize("error", [RuntimeError, asyncio.CancelledError])
async def test_a_block_that_raises_leaves_nothing(
    storage: Storage, scope: TenantScope, error: type[BaseException]
) -> None:
    async def fail() -> None:
        async with storage.transaction(scope) as uow:
            await uow.stores.save(Store("new", "New", START))
            await uow.stores.save(Store("shop1", "changed", START))
            await uow.stores.delete("shop2")
            assert await uow.stores.get("shop2") is None
            raise error

    with pytest.raises(error):
        await fail()
    assert await names(storage, scope) == {"shop1": "shop1", "shop2": "shop2"}


async def test_a_refused_write_takes_the_earlier_ones_with_it(storage: Storage, scope: TenantScope) -> None:
    async def write() -> None:
        async with storage.transaction(scope) as uow:
            await uow.stores.save(Store("new", "New", START))
            await uow.jobs.add(Job(uuid4(), JobKind.TURN, "lane", {}, ALICE, START, user_id="nobody"))

    with pytest.raises(Conflict):
        await write()
    assert "new" not in await names(storage, scope)


async def test_others_see_nothing_before_the_end(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.stores.save(Store("new", "New", START))
        async with storage.snapshot(scope) as other:
            assert await other.stores.get("new") is None


async def test_a_snapshot_sees_one_state_and_keeps_nothing(storage: Storage, scope: TenantScope) -> None:
    async with storage.snapshot(scope) as early:
        assert await early.stores.get("shop1") is not None
        async with storage.transaction(scope) as uow:
            await uow.stores.save(Store("new", "New", START))
        assert await early.stores.get("new") is None
    with suppress(RetenirError):
        async with storage.snapshot(scope) as late:
            await late.stores.save(Store("shop1", "changed", START))
    assert await names(storage, scope) == {"shop1": "shop1", "shop2": "shop2", "new": "New"}


async def test_organisations_with_the_same_ids_do_not_meet(storage: Storage, scope: TenantScope) -> None:
    other = scope_of(f"other-{uuid4().hex}")
    async with storage.transaction(other) as uow:
        await uow.organisations.save(Organisation(other.org_id, "Other", START))
        await uow.stores.save(Store("shop1", "theirs", START))
    assert await names(storage, other) == {"shop1": "theirs"}
    async with storage.transaction(other) as uow:
        await uow.organisations.delete()
    assert await names(storage, scope) == {"shop1": "shop1", "shop2": "shop2"}


async def test_writers_of_one_row_follow_each_other(storage: Storage, scope: TenantScope) -> None:
    """Each reads what the one before wrote: no addition is lost."""

    async def add_one() -> None:
        async with storage.transaction(scope) as uow:
            before = await uow.organisations.get(for_update=True)
            assert before is not None
            await asyncio.sleep(0)
            await uow.organisations.save(Organisation(scope.org_id, "Org", START, version=before.version + 1))

    await asyncio.gather(*(add_one() for _ in range(5)))
    async with storage.transaction(scope) as uow:
        organisation = await uow.organisations.get()
    assert organisation is not None
    assert organisation.version == 6


async def test_two_owners_cannot_both_see_the_other_stay(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.people.save(Person("dora", START, Role.OWNER))

    async def leave(person: str) -> bool:
        async with storage.transaction(scope) as uow:
            if await uow.people.lock_owners() <= {person}:
                return False
            await asyncio.sleep(0)
            await uow.people.delete(person)
            return True

    assert sorted(await asyncio.gather(leave("alice"), leave("dora"))) == [False, True]
