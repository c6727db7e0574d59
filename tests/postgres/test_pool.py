"""Lock 5 ends with the transaction: a connection that served one organisation shows the next nothing of it."""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.adapters.embedded.roles import DatabaseUrls
from app.adapters.postgres.storage import PostgresStorage
from app.domain.organisations import Store
from app.domain.tenancy import TenantScope
from app.ports.paging import PageRequest
from tests.postgres.furnished import scope_of
from tests.unit.memories import START

REQUESTS = 1000
CANCELLED, RAISING = 0.2, 0.3


@pytest.fixture
async def single(urls: DatabaseUrls) -> AsyncIterator[AsyncEngine]:
    """A pool of one connection, which every request therefore uses again."""
    engine = create_async_engine(urls.serving, pool_size=1, max_overflow=0, pool_timeout=10)
    yield engine
    await engine.dispose()


async def request(storage: PostgresStorage, scope: TenantScope, *, fails: bool) -> set[str]:
    """The stores that a request sees, whose names say whose they are."""
    async with storage.transaction(scope) as uow:
        await uow.stores.save(Store("shop1", f"of {scope.org_id}", START))
        page = await uow.stores.page(PageRequest())
        if fails:
            raise RuntimeError("in the middle")
    return {store.name for store in page.items}


async def cut_short(storage: PostgresStorage, scope: TenantScope, turns: int) -> set[str]:
    """A request whose client goes away after some turns of the loop; empty when it did so in time."""
    task = asyncio.create_task(request(storage, scope, fails=False))
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    outcome = (await asyncio.gather(task, return_exceptions=True))[0]
    assert isinstance(outcome, set | asyncio.CancelledError)
    return outcome if isinstance(outcome, set) else set()


async def test_a_connection_used_again_shows_each_organisation_its_own(
    single: AsyncEngine, orgs: tuple[TenantScope, str]
) -> None:
    storage, chance = PostgresStorage(single, b"pepper"), random.Random(7)
    scopes, cut, raised = (orgs[0], scope_of(orgs[1])), 0, 0
    for number in range(REQUESTS):
        scope, share = scopes[number % 2], chance.random()
        own = {f"of {scope.org_id}"}
        if share < CANCELLED:
            seen = await cut_short(storage, scope, chance.randrange(25))
            cut += not seen
            assert seen <= own
        elif share < RAISING:
            with pytest.raises(RuntimeError):
                await request(storage, scope, fails=True)
            raised += 1
        else:
            assert await request(storage, scope, fails=False) == own
        assert await told(single) == ""
    assert cut > REQUESTS * CANCELLED / 2
    assert raised > 0


async def told(engine: AsyncEngine) -> str:
    """Which organisation the pool's connection still speaks for."""
    async with engine.connect() as connection:
        return str(await connection.scalar(text("select coalesce(current_setting('app.org_id', true), '')")))


async def test_a_snapshot_leaves_the_connection_writable(single: AsyncEngine, orgs: tuple[TenantScope, str]) -> None:
    storage = PostgresStorage(single, b"pepper")
    async with storage.snapshot(orgs[0]) as uow:
        assert await uow.organisations.get() is not None
    assert await request(storage, orgs[0], fails=False) == {f"of {orgs[0].org_id}"}
    async with single.connect() as connection:
        assert await connection.scalar(text("show statement_timeout")) == "3s"
        assert await connection.scalar(text("show transaction_isolation")) == "read committed"
