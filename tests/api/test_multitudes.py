"""Work on many rows ends in time, although nothing has been counted since they came."""

import pytest

from tests.support.erasing import erase, leave_words, word
from tests.support.multitudes import look, multiply
from tests.support.talk import path_of, tables_holding, write
from tests.support.world import Tenant, World

TIMES = 800


@pytest.fixture
async def crowded(world: World, superuser_url: str) -> Tenant:
    """An organisation that was not there when the tables were last looked at."""
    for _ in range(3):
        await talkative(world)
    await look(superuser_url)
    tenant = await talkative(world)
    await multiply(superuser_url, tenant.org_id, TIMES)
    return tenant


async def talkative(world: World) -> Tenant:
    tenant = await world.organisation(people={"olga": "owner", "carla": None})
    await leave_words(world, tenant, "carla", word())
    await world.finish_jobs()
    return tenant


async def test_a_fact_and_a_memory_go_at_the_first_attempt(world: World, crowded: Tenant, superuser_url: str) -> None:
    olga = crowded.acting("olga")
    rows = await tables_holding(superuser_url, crowded.org_id)
    assert {name for name, count in rows.items() if count > TIMES} >= {"user_facts", "events", "messages"}
    await erase(olga, path_of(await write(olga, "org", "motto", "x")))
    await erase(olga, "/memory", 202, confirm=crowded.org_id)
    await world.finish_jobs()
    assert {"user_facts", "messages", "documents"}.isdisjoint(await tables_holding(superuser_url, crowded.org_id))
