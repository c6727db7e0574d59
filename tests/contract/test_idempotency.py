"""Idempotency keys: one of several takes a key, and what was kept under it is kept with the effect."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from app.domain.errors import Conflict
from app.domain.idempotency import KEEP, LEASE, Claim, Kept, Outcome
from app.domain.organisations import ChannelLink, Store
from app.domain.tenancy import TenantScope
from app.ports.storage import Storage, UnitOfWork
from tests.contract.backends import Backend
from tests.contract.scopes import scope_of
from tests.unit.memories import START

MOMENT = timedelta(seconds=1)
DONE = Outcome(201, {"id": "f1", "rows": [1, None]})


def claim(key: bytes = b"key", request: bytes = b"request") -> Claim:
    return Claim(key, request, uuid4(), START)


def later(first: Claim, wait: timedelta, request: bytes | None = None) -> Claim:
    """Another attempt, so much later."""
    return replace(first, attempt=uuid4(), at=first.at + wait, request=request or first.request)


async def claimed(storage: Storage, scope: TenantScope, one: Claim) -> Kept | None:
    async with storage.transaction(scope) as uow:
        return await uow.idempotency.claim(one)


async def finished(storage: Storage, scope: TenantScope, one: Claim, outcome: Outcome = DONE) -> bool:
    async with storage.transaction(scope) as uow:
        return await uow.idempotency.finish(one, outcome)


async def test_of_many_at_once_one_takes_the_key(storage: Storage, scope: TenantScope) -> None:
    answers = await asyncio.gather(*(claimed(storage, scope, claim()) for _ in range(20)))
    assert answers.count(None) == 1
    assert answers.count(Kept(b"request", None)) == 19


@pytest.mark.parametrize("outcome", [DONE, Outcome(204), Outcome(200, []), Outcome(202, False)])
async def test_what_was_finished_is_told(storage: Storage, scope: TenantScope, outcome: Outcome) -> None:
    first = claim()
    assert await claimed(storage, scope, first) is None
    assert await finished(storage, scope, first, outcome)
    assert await claimed(storage, scope, claim(request=b"another")) == Kept(b"request", outcome)


async def test_keys_and_organisations_do_not_meet(storage: Storage, scope: TenantScope) -> None:
    """The organisation need not be there."""
    for place in (scope, scope_of(f"other-{uuid4().hex}")):
        for key in (b"one", b"two", b"\0"):
            assert await claimed(storage, place, claim(key)) is None


async def test_a_dead_one_is_taken_over_and_changes_nothing_any_more(storage: Storage, scope: TenantScope) -> None:
    dead = claim()
    heir = later(dead, LEASE)
    assert await claimed(storage, scope, dead) is None
    assert await claimed(storage, scope, later(dead, LEASE - MOMENT)) == Kept(b"request", None)
    assert await claimed(storage, scope, heir) is None
    assert not await finished(storage, scope, dead)
    async with storage.transaction(scope) as uow:
        await uow.idempotency.release(dead)
    assert await finished(storage, scope, heir)


async def test_nobody_takes_over_what_is_finished(storage: Storage, scope: TenantScope) -> None:
    first = claim()
    await claimed(storage, scope, first)
    await finished(storage, scope, first)
    assert not await finished(storage, scope, first, Outcome(500))
    async with storage.transaction(scope) as uow:
        await uow.idempotency.release(first)
    assert await claimed(storage, scope, later(first, KEEP - MOMENT)) == Kept(b"request", DONE)
    assert await claimed(storage, scope, later(first, KEEP, b"another")) is None


async def test_a_released_key_is_free(storage: Storage, scope: TenantScope) -> None:
    first = claim()
    await claimed(storage, scope, first)
    async with storage.transaction(scope) as uow:
        await uow.idempotency.release(first)
    assert await claimed(storage, scope, claim(request=b"another")) is None


async def test_an_organisation_takes_its_answers_with_it_but_for_the_one_under_way(storage: Storage) -> None:
    scope = scope_of(f"gone-{uuid4().hex}")
    done, removing = claim(b"done"), claim(b"removing")
    await claimed(storage, scope, done)
    await finished(storage, scope, done)
    await claimed(storage, scope, removing)
    async with storage.transaction(scope) as uow:
        await uow.organisations.delete()
        assert await uow.idempotency.finish(removing, Outcome(204))
    assert await claimed(storage, scope, claim(b"done")) is None
    assert await claimed(storage, scope, claim(b"removing")) == Kept(b"request", Outcome(204))


async def test_what_is_over_age_is_removed_everywhere_a_stretch_at_a_time(backend: Backend) -> None:
    storage, places = backend.storage, [scope_of(f"old-{uuid4().hex}") for _ in range(3)]
    old = replace(claim(), at=START - timedelta(days=1000))
    for place in places:
        await claimed(storage, place, old)
        await claimed(storage, place, claim(b"new"))
    before = START - timedelta(days=900)
    assert [await backend.directory.forget_idempotency(before, 2) for _ in range(3)] == [2, 1, 0]
    for place in places:
        assert await claimed(storage, place, replace(old, attempt=uuid4())) is None
        assert await claimed(storage, place, claim(b"new")) == Kept(b"request", None)
    assert await backend.directory.forget_idempotency(before, 100) == 3


async def test_a_savepoint_undoes_what_is_behind_it_and_the_rest_goes_on(storage: Storage, scope: TenantScope) -> None:
    async def refused(uow: UnitOfWork) -> None:
        async with uow.savepoint():
            await uow.stores.save(Store("undone", "undone", START))
            await uow.stores.delete("shop1")
            await uow.channels.save(ChannelLink("web", "x", "nobody-at-all", START))

    async with storage.transaction(scope) as whole:
        await whole.stores.save(Store("kept", "kept", START))
        with pytest.raises(Conflict):
            await refused(whole)
        async with whole.savepoint():
            await whole.stores.save(Store("later", "later", START))
    async with storage.transaction(scope) as uow:
        there = await uow.stores.among(["kept", "undone", "shop1", "later"])
    assert {store.store_id for store in there} == {"kept", "shop1", "later"}
