"""What an organisation's numbers for a tier make of its rows: how they are kept, found, and brought to others."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from app.domain.decay import Tier
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.subjects import Scope
from app.domain.tenancy import ATLAS, TenantScope
from app.domain.tiers import TIERS, Fading, retuned
from app.ports.facts import FactFilter, FactRecord
from app.ports.paging import PageRequest
from app.ports.storage import Storage
from tests.unit.memories import ME, SHOP, day, fact
from tests.unit.sessions import habit

SHORT = Fading(9.0, 0.1)
SHORTER = retuned(TIERS, {Tier.STANDARD: {"half_life_days": 9.0, "archive_below": 0.1}})


async def keep(storage: Storage, scope: TenantScope, *facts: Fact) -> None:
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, one) for one in facts], day(0))


async def kept(storage: Storage, scope: TenantScope, kind: Scope = Scope.STORE) -> dict[int, FactRecord]:
    async with storage.transaction(scope) as uow:
        page = await uow.facts.page(FactFilter(kind, day(0), archived=None), PageRequest(limit=200))
    return {record.fact.id.int: record for record in page.items}


async def test_a_row_keeps_the_numbers_with_which_it_was_written(storage: Storage, scope: TenantScope) -> None:
    mine = fact(1, own_fading=SHORT)
    await keep(storage, scope, mine, fact(2, "other"), fact(3, "never", own_fading=Fading(9.0, 0.0)))
    found = await kept(storage, scope)
    assert (found[1].fact, found[1].fact.half_life_days) == (mine, 9.0)
    assert (found[2].fact.own_fading, found[3].fact.fades_at) == (None, None)
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(mine, replace(mine, own_fading=None))], day(1))
    assert (await kept(storage, scope))[1].fact.half_life_days == 90.0


async def test_a_list_by_score_and_the_worker_go_by_them(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, fact(1, own_fading=SHORT), fact(2, "other"), fact(3, "own", half_life=30.0))
    async with storage.transaction(scope) as uow:
        page = await uow.facts.page(FactFilter(Scope.STORE, day(27), min_score=0.2), PageRequest())
        assert sorted(record.fact.id.int for record in page.items) == [2, 3]
        assert [one.id.int for one in await uow.ageing.faded(Scope.STORE, day(28), 9)] == [1]


async def test_live_rows_are_brought_to_other_numbers_and_nothing_else_moves(
    storage: Storage, scope: TenantScope
) -> None:
    archived: dict[str, Any] = {"archived_at": day(1)}
    await keep(
        storage,
        scope,
        *(fact(number, f"k{number}") for number in range(1, 6)),
        fact(6, "own", half_life=30.0),
        fact(7, "gone", **archived),
        fact(8, "stable", tier=Tier.STABLE),
        fact(9, "me", about=ME),
        habit(10),
    )
    before = await kept(storage, scope)
    async with storage.transaction(scope) as uow:
        first = await uow.ageing.retune(Scope.STORE, SHORTER, 2)
        assert [row.int for row in first] == [1, 2]
        assert [row.int for row in await uow.ageing.retune(Scope.STORE, SHORTER, 2, UUID(int=4))] == [5, 6]
        assert [row.int for row in await uow.ageing.retune(Scope.STORE, SHORTER, 9)] == [3, 4]
        assert await uow.ageing.retune(Scope.STORE, SHORTER, 4) == []
    after = await kept(storage, scope)
    assert {number for number, record in after.items() if record.fact.own_fading} == {1, 2, 3, 4, 5, 6}
    assert (after[1].fact.half_life_days, after[6].fact.half_life_days) == (9.0, 30.0)
    assert after[6].fact.fades_at == day(0) + timedelta(days=90)
    assert {number: _still(record) for number, record in after.items()} == before
    async with storage.transaction(scope) as uow:
        assert [row.int for row in await uow.ageing.retune(Scope.USER, SHORTER, 4)] == [9]
        assert len(await uow.ageing.retune(Scope.STORE, TIERS, 9)) == 6
    assert await kept(storage, scope) == before


def _still(record: FactRecord) -> FactRecord:
    return replace(record, fact=replace(record.fact, own_fading=None))


async def test_the_strongest_are_found_again_once_all_are_brought_there(storage: Storage, scope: TenantScope) -> None:
    weak = [fact(number, f"k{number}", at=number / 10, own_fading=SHORT) for number in range(1, 6)]
    strong = [fact(number, f"k{number}", at=number / 10) for number in range(6, 9)]
    await keep(storage, scope, *weak, *strong)
    async with storage.transaction(scope) as uow:
        await uow.ageing.retune(Scope.STORE, SHORTER, 99)
        found = await uow.facts.candidates([SHOP], [ATLAS], 3)
    assert {one.id for one in found} == {UUID(int=number) for number in (6, 7, 8)}


async def test_what_is_archived_has_had_its_time_by_them(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, fact(1, archived_at=day(1)), fact(2, "x", tier=Tier.WATCH, archived_at=day(1)))
    tiers = retuned(TIERS, {Tier.STANDARD: {"hard_delete_days": 3}})
    async with storage.transaction(scope) as uow:
        assert [one.id.int for one in await uow.ageing.over_age(Scope.STORE, day(3), 9, None, tiers)] == [1]
        assert await uow.ageing.over_age(Scope.STORE, day(2.9), 9, None, tiers) == []
