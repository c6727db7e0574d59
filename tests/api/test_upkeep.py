"""The worker's upkeep: room is made for what will come, and nothing is kept longer than it may be."""

from datetime import date, datetime, timedelta

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.container import Container
from app.worker import Upkeep, beside
from tests.support.clock import MovingClock
from tests.support.sessions import TOOL, post
from tests.support.talk import tables_holding
from tests.support.waiting import until
from tests.support.world import Tenant, World


async def tell(tenant: Tenant, word: str) -> None:
    await post(tenant.acting("alice"), {**TOOL, "content": word})


async def last_day(superuser_url: str) -> date:
    """The day of the last partition."""
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.connect() as connection:
        query = "select max(relname) from pg_class where relname ~ '^observations_[0-9]+$'"
        return datetime.strptime(str(await connection.scalar(text(query))), "observations_%Y%m%d").date()


async def test_an_organisation_that_keeps_less_keeps_less(
    world: World, container: Container, clock: MovingClock, superuser_url: str
) -> None:
    usual, short = await world.organisation(), await world.organisation()
    await short.owner.patch("/memory/settings", json={"observation_days": 7})
    for tenant in (usual, short):
        await tell(tenant, f"canary-{tenant.org_id}")
    upkeep = Upkeep(container)
    await upkeep.once()
    clock.advance(days=8)
    await upkeep.once()
    assert await tables_holding(superuser_url, f"canary-{short.org_id}") == {}
    assert "observations" in await tables_holding(superuser_url, f"canary-{usual.org_id}")


@pytest.mark.parametrize("owns", [True, False], ids=["day by day", "row by row"])
async def test_what_is_over_age_is_gone(world: World, clock: MovingClock, superuser_url: str, owns: bool) -> None:
    """Also where the worker may not drop partitions."""
    tenant = await world.organisation()
    await tell(tenant, f"canary-{tenant.org_id}")
    clock.advance(days=32)
    settings = world.settings if owns else world.settings.model_copy(update={"owner_database_url": None})
    container = Container(settings, clock)
    await Upkeep(container).once()
    await container.close()
    assert await tables_holding(superuser_url, f"canary-{tenant.org_id}") == {}


async def test_room_is_made_ahead_by_whoever_does_the_jobs(
    container: Container, clock: MovingClock, superuser_url: str
) -> None:
    wanted = await last_day(superuser_url) + timedelta(days=1)
    clock.advance(days=(wanted - clock().date()).days)
    async with beside(container):
        await until(lambda: _reaches(superuser_url, wanted))


async def _reaches(superuser_url: str, day: date) -> bool:
    return await last_day(superuser_url) >= day


async def test_idempotency_keys_are_gone_after_a_day_also_those_of_an_organisation_that_is(
    world: World, container: Container, clock: MovingClock, superuser_url: str
) -> None:
    tenant = await world.organisation()
    headers = {"Idempotency-Key": "key"}
    await tenant.owner.patch("/memory/settings", json={"language": "en"}, headers=headers)
    await world.platform.delete(tenant.path, headers=headers)
    assert "idempotency" in await tables_holding(superuser_url, tenant.org_id)
    clock.advance(hours=25)
    await Upkeep(container).once()
    assert await tables_holding(superuser_url, tenant.org_id) == {}
