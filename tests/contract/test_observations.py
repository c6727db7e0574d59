"""Observations: kept once, listed to their person, taken once by a consolidation, forgotten by message and by age."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.domain.errors import Conflict
from app.domain.observations import ErrorFamily, Observation, ObservationType
from app.domain.sources import MessageRef
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.observations import ObservationFilter
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage
from tests.contract.scopes import gathered, walked
from tests.unit.memories import START, day
from tests.unit.observed import observed

FAILED, NOTE = ObservationType.TOOL_FAILURE, ObservationType.NOTE
MINE = ObservationFilter("alice")


async def keep(storage: Storage, scope: TenantScope, *observations: Observation) -> frozenset[UUID]:
    async with storage.transaction(scope) as uow:
        return await uow.observations.add(observations)


async def listed(storage: Storage, scope: TenantScope, wanted: ObservationFilter = MINE) -> list[Observation]:
    async with storage.transaction(scope) as uow:
        return list((await uow.observations.page(wanted, PageRequest(limit=200))).items)


async def test_come_back_as_they_were(storage: Storage, scope: TenantScope) -> None:
    whole = [
        observed(number=1, metadata={"toolName": "x", "quality": 0.5, "free": [1, {"é": None}]}, tags=("a", "é b")),
        observed(FAILED, number=2, store_id="shop1", session="day 2026-03-01", content="\u2028 'quoted' \"words\" \\n"),
        observed(NOTE, number=3, content="Rappeler.", consolidated_at=day(1), agent_id="maya"),
        observed(ObservationType.QUERY_PATTERN, number=4, message=MessageRef("talk", "m=/1", "web")),
    ]
    assert await keep(storage, scope, *whole) == {one.id for one in whole}
    assert await listed(storage, scope) == whole[::-1]


@pytest.mark.parametrize("count", [1, 19, 20, 1000])
async def test_however_many_are_kept_as_one(storage: Storage, scope: TenantScope, count: int) -> None:
    some = [observed(number=number, content=f"n {number}", tags=("t",)) for number in range(count)]
    assert len(await keep(storage, scope, *some)) == count
    async with storage.transaction(scope) as uow:
        assert await gathered(uow.observations.everything("alice")) == some


async def test_a_repeat_changes_nothing(storage: Storage, scope: TenantScope) -> None:
    first = observed(number=1)
    await keep(storage, scope, first)
    assert await keep(storage, scope, replace(first, content="other"), observed(number=2)) == {observed(number=2).id}
    assert (await listed(storage, scope))[1] == first


@pytest.mark.parametrize("stranger", [{"user_id": "nobody"}, {"store_id": "nowhere"}])
async def test_belong_to_somebody_who_is_there(storage: Storage, scope: TenantScope, stranger: dict[str, Any]) -> None:
    with pytest.raises(Conflict):
        await keep(storage, scope, observed(number=1), observed(number=2, **stranger))
    assert await listed(storage, scope) == []


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (MINE, [6, 5, 4, 3, 2, 1]),
        (replace(MINE, user_id="bob"), [7]),
        (replace(MINE, type=FAILED), [2]),
        (replace(MINE, agent_id="maya"), [3]),
        (replace(MINE, session_id="s2"), [4]),
        (replace(MINE, tag="b"), [5]),
        (replace(MINE, tag="%"), []),
        (replace(MINE, since=day(1)), [6]),
        (replace(MINE, until=day(1)), [5, 4, 3, 2, 1]),
        (replace(MINE, recorded_since=day(1)), [6]),
        (replace(MINE, stores=frozenset()), [5, 4, 3, 1]),
        (replace(MINE, stores=frozenset({"shop2"})), [6, 5, 4, 3, 1]),
        (replace(MINE, agents=frozenset({"otis"})), [6, 5, 4, 2, 1]),
    ],
)
async def test_each_filter_narrows(
    storage: Storage, scope: TenantScope, wanted: ObservationFilter, numbers: list[int]
) -> None:
    kept = [
        observed(number=1),
        observed(FAILED, number=2, store_id="shop1"),
        observed(number=3, agent_id="maya"),
        observed(number=4, session="s2"),
        observed(number=5, tags=("a", "b")),
        observed(number=6, at=1, store_id="shop2"),
        observed(number=7, user_id="bob"),
    ]
    await keep(storage, scope, *kept)
    assert await listed(storage, scope, wanted) == [kept[number - 1] for number in numbers]


async def test_pages_neither_skip_nor_repeat(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, *(observed(number=number) for number in range(1, 8)))
    coming = iter(range(100, 200))

    async def read(request: PageRequest) -> Page[Observation]:
        async with storage.transaction(scope) as uow:
            return await uow.observations.page(MINE, request)

    async def another_comes() -> None:
        await keep(storage, scope, observed(number=next(coming)))

    seen = await walked(read, 3, another_comes)
    assert seen == [observed(number=number) for number in range(7, 0, -1)]


async def take(storage: Storage, scope: TenantScope, limit: int = 10) -> Sequence[Observation]:
    async with storage.transaction(scope) as uow:
        taken = await uow.observations.take_unconsolidated("alice", limit)
        assert await uow.observations.mark_consolidated([one.id for one in taken], day(2)) == len(taken)
        return taken


async def test_each_is_taken_once_oldest_first(storage: Storage, scope: TenantScope) -> None:
    kept = [observed(number=number) for number in (1, 2, 3)]
    note = observed(NOTE, number=4, content="x", consolidated_at=START)
    await keep(storage, scope, *kept, note, observed(number=5, user_id="bob"))
    assert list(await take(storage, scope, 2)) == kept[:2]
    assert list(await take(storage, scope)) == kept[2:]
    assert list(await take(storage, scope)) == []
    async with storage.transaction(scope) as uow:
        assert await uow.observations.mark_consolidated([kept[0].id, uuid4()], day(3)) == 0
    assert {one.consolidated_at for one in await listed(storage, scope)} == {day(2), START}


async def test_who_has_some_to_be_taken(storage: Storage, scope: TenantScope) -> None:
    taken = observed(number=4, user_id="carl", consolidated_at=START)
    await keep(storage, scope, observed(number=1), observed(number=2), observed(number=3, user_id="bob"), taken)
    async with storage.transaction(scope) as uow:
        assert await uow.observations.people_with_unconsolidated(10) == ["alice", "bob"]
        assert await uow.observations.people_with_unconsolidated(1) == ["alice"]
        assert await uow.observations.people_with_unconsolidated(10, "alice") == ["bob"]


async def test_failures_are_told_by_tool_family_and_session(storage: Storage, scope: TenantScope) -> None:
    other = {"toolName": "get_order", "error": "404"}
    await keep(
        storage,
        scope,
        observed(FAILED, number=1, at=-1, session="s0"),
        observed(FAILED, number=2),
        observed(FAILED, number=3, at=1),
        observed(FAILED, number=4, session="s2"),
        observed(FAILED, number=5, metadata=other),
        observed(FAILED, number=6, agent_id="maya"),
        observed(FAILED, number=7, user_id="bob"),
        observed(number=8, session="s3"),
    )
    async with storage.transaction(scope) as uow:
        told = await uow.observations.failures("alice", START)
    assert {(one.agent_id, one.tool_name, one.family, one.session): one.last_at for one in told} == {
        (ATLAS, "get_order", ErrorFamily.TIMEOUT, "s1"): day(1),
        (ATLAS, "get_order", ErrorFamily.TIMEOUT, "s2"): START,
        (ATLAS, "get_order", ErrorFamily.NOT_FOUND, "s1"): START,
        ("maya", "get_order", ErrorFamily.TIMEOUT, "s1"): START,
    }


async def test_an_heir_takes_over(storage: Storage, scope: TenantScope) -> None:
    bobs = [observed(number=1, user_id="bob"), observed(number=2, user_id="bob", store_id="shop1")]
    await keep(storage, scope, *bobs)
    async with storage.transaction(scope) as uow:
        await uow.observations.reassign("bob", "alice", "shop2")
    stores = {one.id: one.store_id for one in await listed(storage, scope)}
    assert stores == {bobs[0].id: "shop2", bobs[1].id: "shop1"}


async def test_are_forgotten_by_id_by_message_and_by_age(storage: Storage, scope: TenantScope) -> None:
    said = MessageRef("talk", "m1", "web")
    found = observed(ObservationType.QUERY_PATTERN, number=3, message=said)
    await keep(storage, scope, observed(number=1), observed(number=2, at=1), found, observed(number=4))
    async with storage.transaction(scope) as uow:
        assert await uow.observations.delete([observed(number=1).id, uuid4()]) == 1
        assert await uow.observations.delete_found_in([MessageRef("talk", "m2", "web")]) == 0
        assert await uow.observations.delete_found_in([said]) == 1
        assert await uow.observations.forget_before(day(1)) == 1
        assert await gathered(uow.observations.everything(None)) == [observed(number=2, at=1)]
        assert await uow.observations.forget_before(day(1) + timedelta(seconds=1)) == 1


@pytest.mark.parametrize("gone", ["person", "store"])
async def test_go_with_their_person_and_their_store(storage: Storage, scope: TenantScope, gone: str) -> None:
    await keep(
        storage, scope, observed(number=1, user_id="bob"), observed(number=2, store_id="shop1"), observed(number=3)
    )
    async with storage.transaction(scope) as uow:
        await (uow.people.delete("bob") if gone == "person" else uow.stores.delete("shop1"))
        left = [one.id for one in await gathered(uow.observations.everything(None))]
    assert left == [observed(number=number).id for number in ((2, 3) if gone == "person" else (1, 3))]
