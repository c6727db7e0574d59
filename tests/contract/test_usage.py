"""Usage on both storages: every use is counted once, and a day takes no more turns than it may."""

import asyncio
from collections.abc import Sequence
from datetime import date, timedelta

from app.domain.tenancy import TenantScope
from app.domain.usage import ModelUse, UsageDay
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage
from tests.contract.scopes import walked

TODAY = date(2026, 11, 30)
USE = ModelUse(1, 900, 100)


async def add(storage: Storage, scope: TenantScope, day: date = TODAY, most: int | None = None) -> bool:
    async with storage.transaction(scope) as uow:
        return await uow.usage.add(day, USE, turns=1, most_turns=most)


async def of(storage: Storage, scope: TenantScope, day: date = TODAY) -> UsageDay:
    async with storage.transaction(scope) as uow:
        return await uow.usage.of(day)


async def test_uses_of_a_day_add_up(storage: Storage, scope: TenantScope) -> None:
    assert await of(storage, scope) == UsageDay(TODAY)
    assert all(await asyncio.gather(*(add(storage, scope) for _ in range(5))))
    async with storage.transaction(scope) as uow:
        assert await uow.usage.add(TODAY, USE)
    assert await of(storage, scope) == UsageDay(TODAY, 5, 6, 5400, 600)
    assert await of(storage, scope, TODAY + timedelta(days=1)) == UsageDay(TODAY + timedelta(days=1))


async def test_a_full_day_counts_nothing_more(storage: Storage, scope: TenantScope) -> None:
    counted = await asyncio.gather(*(add(storage, scope, most=3) for _ in range(6)))
    assert sorted(counted) == [False] * 3 + [True] * 3
    assert await of(storage, scope) == UsageDay(TODAY, 3, 3, 2700, 300)
    assert await add(storage, scope, most=4)


async def test_days_are_listed_from_the_latest(storage: Storage, scope: TenantScope) -> None:
    for number in (3, 1, 2, 5):
        await add(storage, scope, TODAY - timedelta(days=number))

    async def page(request: PageRequest, since: date | None = None, until: date | None = None) -> Page[UsageDay]:
        async with storage.transaction(scope) as uow:
            return await uow.usage.page(since, until, request)

    def ages(days: Sequence[UsageDay]) -> list[int]:
        return [(TODAY - used.day).days for used in days]

    assert ages(await walked(page, 2)) == [1, 2, 3, 5]
    two_days_ago = TODAY - timedelta(days=2)
    assert ages((await page(PageRequest(), since=two_days_ago)).items) == [1, 2]
    assert ages((await page(PageRequest(), until=two_days_ago)).items) == [2, 3, 5]
