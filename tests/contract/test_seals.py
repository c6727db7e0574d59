"""Seals on both storages: added once, over all that is closed, and still whole after words were erased."""

import asyncio
from uuid import UUID, uuid4

import pytest

from app.domain.errors import Conflict, NotFound
from app.domain.events import Change, EventKind, event
from app.domain.inspection import Report
from app.domain.seals import Seal, sealed
from app.domain.subjects import StoreSubject, UserSubject
from app.domain.tenancy import TenantScope
from app.domain.trail import Teller
from app.ports.storage import Storage, UnitOfWork
from app.services.seals import AT_ONCE, Seals
from tests.contract.backends import Backend
from tests.contract.scopes import gathered, scope_of
from tests.unit.memories import ALICE, ME, SHOP, START, day, fact


@pytest.fixture
def seals(backend: Backend) -> Seals:
    return Seals(backend.storage, backend.directory, lambda: START)


class HalfwayError(Exception):
    """Something ends the transaction half-way."""


async def happen(storage: Storage, scope: TenantScope, count: int = 3) -> None:
    abouts = (SHOP, ME, None)
    made = [
        event(EventKind.PINNED, ALICE, day(n), subject=abouts[n % 3], fact_id=UUID(int=n + 1), new=f"words {n}")
        for n in range(count)
    ]
    async with storage.transaction(scope) as uow:
        await uow.events.append(made)


async def seal(seals: Seals, scope: TenantScope) -> int:
    upto = await seals.closed()
    assert upto is not None
    assert (scope.org_id in [one async for one in seals.unsealed(upto)]) is bool(await waiting(seals, scope, upto))
    return await seals.seal(scope, upto)


async def waiting(seals: Seals, scope: TenantScope, upto: int) -> int:
    async with seals.storage.transaction(scope) as uow:
        last = await uow.seals.last()
        return len(await uow.seals.unsealed(last.last_place if last else 0, upto, AT_ONCE))


def counts(report: Report) -> tuple[int, int, int, int]:
    assert report.broken is None, report.broken
    return report.events, report.sealed, report.checked, report.erased


async def test_what_happened_is_sealed_once_and_what_comes_then_later(
    storage: Storage, scope: TenantScope, seals: Seals
) -> None:
    assert counts(await seals.verify(scope)) == (0, 0, 0, 0)
    assert await seal(seals, scope) == 0
    await happen(storage, scope, 3)
    assert await seal(seals, scope) == 3
    assert await seal(seals, scope) == 0
    await happen(storage, scope, 4)
    assert counts(await seals.verify(scope)) == (7, 3, 7, 0)
    assert await seal(seals, scope) == 4
    assert counts(await seals.verify(scope)) == (7, 7, 7, 0)
    async with storage.transaction(scope) as uow:
        chain = await gathered(uow.seals.chain())
        assert await uow.seals.last() == chain[-1]
    assert [(one.seq, one.count) for one in chain] == [(1, 3), (2, 4)]
    assert chain[1].previous == chain[0].digest
    assert (await seals.verify(scope)).head == chain[1].digest


async def test_many_are_sealed_in_portions(storage: Storage, scope: TenantScope, seals: Seals) -> None:
    await happen(storage, scope, 2 * AT_ONCE + 5)
    assert await seal(seals, scope) == 2 * AT_ONCE + 5
    report = await seals.verify(scope)
    assert (report.seals, report.sealed, report.broken) == (3, 2 * AT_ONCE + 5, None)


async def test_it_holds_after_every_erasure(storage: Storage, scope: TenantScope, seals: Seals) -> None:
    await happen(storage, scope, 6)
    assert await seal(seals, scope) == 6
    async with storage.transaction(scope) as uow:
        await uow.events.erase_values([UUID(int=1)])
    assert counts(await seals.verify(scope)) == (6, 6, 5, 1)
    async with storage.transaction(scope) as uow:
        assert await uow.events.erase_about(ME) == 2
        assert await uow.events.erase_about(UserSubject("nobody")) == 0
        await uow.people.delete("alice")
    assert counts(await seals.verify(scope)) == (6, 6, 3, 3)
    async with storage.transaction(scope) as uow:
        assert await uow.events.erase_about(SHOP, with_facts=False) == 0
        assert await uow.events.erase_about(SHOP) == 1
        assert await uow.events.erase_about(StoreSubject("shop2")) == 0
        await uow.stores.delete("shop1")
    assert counts(await seals.verify(scope)) == (6, 6, 2, 4)


async def test_two_who_seal_at_once_make_one_chain(storage: Storage, scope: TenantScope, seals: Seals) -> None:
    await happen(storage, scope, 30)
    upto = await seals.closed()
    assert upto is not None
    assert sum(await asyncio.gather(*(seals.seal(scope, upto) for _ in range(4)))) == 30
    report = await seals.verify(scope)
    assert (report.seals, report.sealed, report.broken) == (1, 30, None)


async def test_a_number_is_given_once(storage: Storage, scope: TenantScope) -> None:
    await happen(storage, scope)
    async with storage.transaction(scope) as uow:
        lines = await uow.seals.unsealed(0, 2**62, 2)
        assert len(lines) == 2
        one: Seal = sealed(scope.org_id, None, lines, START)
        await uow.seals.add(one)
        assert (await uow.seals.kept()).seals == 1
    with pytest.raises(Conflict):
        async with storage.transaction(scope) as uow:
            await uow.seals.add(one)


async def test_nothing_of_a_seal_stays_where_its_transaction_fails(
    storage: Storage, scope: TenantScope, seals: Seals
) -> None:
    await happen(storage, scope)
    with pytest.raises(HalfwayError):
        await half_sealed(storage, scope)
    assert (await seals.verify(scope)).seals == 0
    assert await seal(seals, scope) == 3


async def half_sealed(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        assert await uow.seals.hold()
        await uow.seals.add(sealed(scope.org_id, None, await uow.seals.unsealed(0, 2**62, 9), START))
        raise HalfwayError


async def test_what_a_transaction_tells_of_rows_is_one_event_for_each(storage: Storage, scope: TenantScope) -> None:
    row, pinned = fact(1, about=SHOP), fact(1, about=SHOP, pinned=True)
    async with storage.transaction(scope) as uow:
        uow.events.tell([Change(None, row)], Teller(ALICE, START))
        await undone(uow, Change(row, None))
        uow.events.tell([Change(row, pinned)], Teller(ALICE, START))
        await uow.events.flush()
        uow.events.tell([Change(pinned, None)], Teller(ALICE, START))
    async with storage.transaction(scope) as uow:
        lines = [pair async for pair in uow.seals.lines(0)]
    assert [(line.kind, words is not None) for line, words in lines] == [
        ("created", False),
        ("pinned", False),
        ("deleted", False),
    ]


async def undone(uow: UnitOfWork, change: Change) -> None:
    with pytest.raises(HalfwayError):
        await half_told(uow, change)


async def half_told(uow: UnitOfWork, change: Change) -> None:
    async with uow.savepoint():
        uow.events.tell([change], Teller(ALICE, START))
        raise HalfwayError


async def test_an_organisation_that_is_gone_is_not_sealed(seals: Seals) -> None:
    gone = scope_of(f"none-{uuid4().hex}")
    assert await seals.seal(gone, 2**62) == 0
    with pytest.raises(NotFound):
        await seals.verify(gone)
