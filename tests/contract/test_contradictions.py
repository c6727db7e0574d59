"""Contradictions are kept for each key, and listed to those who may see them."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest

from app.domain.contradictions import Contradiction, Standing, contradiction_id
from app.domain.subjects import KeyRef, OrgSubject, Scope, StoreSubject, UserSubject
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.contradictions import ContradictionFilter
from app.ports.paging import PageRequest
from app.ports.storage import Storage
from tests.contract.scopes import walked
from tests.unit.memories import SHIPPING, day

EVERYTHING = ContradictionFilter(reader="alice", contacts=True)
ALICE_S, BOB_S, CARL_S = (KeyRef(UserSubject(name), ATLAS, "shoe.size") for name in ("alice", "bob", "carl"))
COMPANY_S = KeyRef(OrgSubject(), "maya", "hours.opening")
OTHER_STORE_S = replace(SHIPPING, subject=StoreSubject("shop2"))


def pair(number: int, ref: KeyRef = SHIPPING, at: float = 0, settled: float | None = None) -> Contradiction:
    older, newer = UUID(int=number * 10 + 1), UUID(int=number * 10 + 2)
    settled_at = None if settled is None else day(settled)
    return Contradiction(contradiction_id(older, newer), ref, older, newer, day(at), settled_at)


PLACES = (SHIPPING, OTHER_STORE_S, COMPANY_S, ALICE_S, BOB_S, CARL_S)
ONE_EACH = [pair(number, ref, number) for number, ref in enumerate(PLACES)]


async def save(storage: Storage, scope: TenantScope, pairs: Sequence[Contradiction]) -> None:
    async with storage.transaction(scope) as uow:
        for ref in dict.fromkeys(one.ref for one in pairs):
            await uow.contradictions.save(ref, [one for one in pairs if one.ref == ref])


async def listed(storage: Storage, scope: TenantScope, wanted: ContradictionFilter = EVERYTHING) -> list[Contradiction]:
    async with storage.transaction(scope) as uow:
        return list((await uow.contradictions.page(wanted, PageRequest())).items)


async def test_a_key_s_contradictions_are_those_that_were_saved_last(storage: Storage, scope: TenantScope) -> None:
    first, second, elsewhere = pair(1), pair(2, at=1), pair(3, COMPANY_S)
    await save(storage, scope, [first, second, elsewhere])
    await save(storage, scope, [replace(first, settled_at=day(5)), pair(4, at=2)])
    assert set(await listed(storage, scope)) == {replace(first, settled_at=day(5)), pair(4, at=2), elsewhere}
    await save(storage, scope, [replace(first, settled_at=None)])
    async with storage.transaction(scope) as uow:
        assert await uow.contradictions.get(first.id) == first
        assert await uow.contradictions.get(second.id) is None
        await uow.contradictions.save(SHIPPING, [])
    assert await listed(storage, scope) == [elsewhere]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (EVERYTHING, [4, 3, 2, 1, 0]),
        (replace(EVERYTHING, contacts=False), [3, 2, 1, 0]),
        (ContradictionFilter(), [2, 1, 0]),
        (ContradictionFilter(reader="carl"), [5, 2, 1, 0]),
        (replace(EVERYTHING, scope=Scope.USER), [4, 3]),
        (replace(EVERYTHING, user_id="bob"), [4]),
        (replace(EVERYTHING, user_id="carl"), []),
        (replace(EVERYTHING, store_id="shop2"), [1]),
        (replace(EVERYTHING, key="shoe.size"), [4, 3]),
        (replace(EVERYTHING, stores=frozenset({"shop1"})), [4, 3, 2, 0]),
        (replace(EVERYTHING, stores=frozenset()), [4, 3, 2]),
        (replace(EVERYTHING, agents=frozenset({"otis"})), [4, 3, 1, 0]),
        (replace(EVERYTHING, standing=Standing.OPEN), [4, 3, 2, 1, 0]),
        (replace(EVERYTHING, standing=Standing.SETTLED), []),
    ],
)
async def test_what_a_reader_is_shown(
    storage: Storage, scope: TenantScope, wanted: ContradictionFilter, expected: list[int]
) -> None:
    await save(storage, scope, ONE_EACH)
    assert await listed(storage, scope, wanted) == [ONE_EACH[number] for number in expected]


async def test_pages_neither_skip_nor_repeat_while_some_are_opened_at_one_instant(
    storage: Storage, scope: TenantScope
) -> None:
    pairs = [pair(number, at=number // 3, settled=9 if number % 2 else None) for number in range(9)]
    await save(storage, scope, pairs)
    async with storage.transaction(scope) as uow:
        for wanted in (EVERYTHING, replace(EVERYTHING, standing=Standing.SETTLED)):
            rows = await walked(lambda request, wanted=wanted: uow.contradictions.page(wanted, request), limit=2)  # type: ignore[misc]
            chosen = [one for one in pairs if wanted.standing in (None, one.standing)]
            assert rows == sorted(chosen, key=lambda one: (one.opened_at, one.id), reverse=True)


async def test_they_go_with_the_store_or_the_person(storage: Storage, scope: TenantScope) -> None:
    await save(storage, scope, ONE_EACH)
    async with storage.transaction(scope) as uow:
        await uow.people.delete("bob")
        await uow.stores.delete("shop1")
    assert await listed(storage, scope) == [ONE_EACH[number] for number in (3, 2, 1)]
