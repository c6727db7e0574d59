"""Who finds what: shelves, pockets, stores, audiences; what becomes of a document when its owner changes or goes."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from app.domain.events import changes
from app.domain.search import SPOKEN, Document, DocumentKind, Shelf
from app.domain.subjects import StoreSubject
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.storage import Storage, UnitOfWork
from tests.contract.finding import BOB, found, look_up, shelf
from tests.contract.test_messages import message
from tests.unit.memories import COMPANY, ME, SHOP, START, fact

OBSERVATION = DocumentKind.OBSERVATION


@pytest.fixture
async def furnished(storage: Storage, scope: TenantScope) -> None:
    """Five documents that hold one word: of the organisation, of a store, and of two people in several places."""
    async with storage.transaction(scope) as uow:
        await uow.facts.apply(changes([], [fact(1, content="colis", about=COMPANY), fact(2, content="colis")]), START)
        await uow.messages.add(
            [
                message(3, content="colis", store_id="shop1"),
                message(4, content="colis", user_id="bob", store_id="shop1"),
            ]
        )
        await uow.messages.add([message(5, content="colis", agent_id="maya"), message(6, content="colis")])
        seen = Document(OBSERVATION, UUID(int=7), ME, ATLAS, "colis", at=START)
        await uow.search.index([seen])


@pytest.mark.usefixtures("furnished")
@pytest.mark.parametrize(
    ("shelves", "expected"),
    [
        ([shelf(COMPANY)], [1]),
        ([shelf(SHOP)], [2]),
        ([shelf(StoreSubject("shop2"))], []),
        ([shelf(ME)], [3, 6, 7]),
        ([shelf(ME, kinds=SPOKEN)], [3, 6]),
        ([shelf(ME, kinds=[OBSERVATION])], [7]),
        ([shelf(ME, stores=frozenset({"shop1"}))], [3]),
        ([shelf(ME, stores=frozenset({"shop2", None}))], [6, 7]),
        ([shelf(ME, stores=frozenset())], []),
        ([shelf(COMPANY, SHOP, public_only=True)], []),
        ([replace(shelf(ME), agents=("maya", ATLAS))], [3, 5, 6, 7]),
        ([shelf(COMPANY, SHOP), shelf(ME), shelf(BOB, kinds=SPOKEN, stores=frozenset({"shop1"}))], [1, 2, 3, 4, 6, 7]),
    ],
)
async def test_a_shelf_holds_what_it_says(
    storage: Storage, scope: TenantScope, shelves: list[Shelf], expected: list[int]
) -> None:
    assert await found(storage, scope, "colis", *shelves) == expected


@pytest.mark.usefixtures("furnished")
async def test_since_leaves_out_what_was_said_earlier_but_not_of_the_count(
    storage: Storage, scope: TenantScope
) -> None:
    since = START + timedelta(minutes=4)
    assert await found(storage, scope, "colis", since=since) == [1, 2, 4, 6]
    later, always = [await look_up(storage, scope, "colis", since=each) for each in (since, None)]
    assert {kind: each.size for kind, each in later.collections.items()} == {
        kind: each.size for kind, each in always.collections.items()
    }


@pytest.mark.usefixtures("furnished")
async def test_what_is_erased_with_its_owner_is_not_found(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.people.delete("alice")
    assert await found(storage, scope, "colis") == [1, 2, 4]
    async with storage.transaction(scope) as uow:
        await uow.stores.delete("shop1")
    assert await found(storage, scope, "colis") == [1]


@pytest.mark.usefixtures("furnished")
async def test_what_moves_to_another_person_is_found_there(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.messages.reassign("bob", "alice", "shop2")
        await uow.search.move([OBSERVATION], "alice", "bob", "shop1")
    assert await found(storage, scope, "colis", shelf(ME)) == [3, 4, 6]
    assert await found(storage, scope, "colis", shelf(BOB, stores=frozenset({"shop1"}))) == [7]


@pytest.mark.usefixtures("furnished")
async def test_what_is_disowned_is_found_and_marked(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.search.disown([UUID(int=3), UUID(int=99)])
    async with storage.transaction(scope) as uow:
        strips = await uow.search.around([UUID(int=number) for number in range(1, 8)], [shelf(ME)], 0)
    assert {said.id for strip in strips for said in strip if said.disowned} == {UUID(int=3)}
    assert await found(storage, scope, "colis") == [1, 2, 3, 4, 6, 7]


@pytest.mark.usefixtures("furnished")
async def test_unindexing_takes_those_of_the_kind_alone(storage: Storage, scope: TenantScope) -> None:
    async def unindex(uow: UnitOfWork) -> None:
        await uow.search.unindex(OBSERVATION, [UUID(int=number) for number in range(10)])
        await uow.search.unindex(OBSERVATION, [])
        await uow.search.index([])

    async with storage.transaction(scope) as uow:
        await unindex(uow)
    assert await found(storage, scope, "colis") == [1, 2, 3, 4, 6]
