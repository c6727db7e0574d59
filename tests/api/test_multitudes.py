"""Work on many rows ends in time, although nothing has been counted since they came."""

from collections.abc import AsyncIterator

import pytest

from app.adapters.doubles.embedder import InMemoryEmbedder
from tests.support.embeddings import embed_all, embedding_with
from tests.support.erasing import erase, leave_words, word
from tests.support.multitudes import look, multiply
from tests.support.talk import path_of, tables_holding, write
from tests.support.world import Tenant, World

TIMES = 800
SAID = word()


@pytest.fixture
async def crowded(world: World, superuser_url: str) -> AsyncIterator[Tenant]:
    """An organisation that was not there when the tables were last looked at."""
    async with embedding_with(InMemoryEmbedder(), world) as here:
        for _ in range(3):
            await talkative(here)
        await look(superuser_url)
        tenant = await talkative(here)
        await multiply(superuser_url, tenant.org_id, TIMES)
        yield tenant
        await here.platform.delete(tenant.path)
        await here.finish_jobs()


async def talkative(world: World) -> Tenant:
    tenant = await world.organisation(people={"olga": "owner", "carla": None})
    await leave_words(world, tenant, "carla", SAID)
    await world.finish_jobs()
    await embed_all(world)
    return tenant


async def test_what_is_asked_of_many_is_answered_and_what_is_erased_goes_at_the_first_attempt(
    crowded: Tenant, superuser_url: str
) -> None:
    rows = await tables_holding(superuser_url, crowded.org_id)
    assert {name for name, count in rows.items() if count > TIMES} >= {"user_facts", "events", "vectors"}
    asked = {"query": f"Le transporteur est {SAID} ?"}
    answer = await crowded.acting("carla").post("/memory/search", json=asked)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (len(found["items"]), found["degraded"]) == (10, [])
    assert all(SAID in hit["content"] for hit in found["items"])
    olga = crowded.acting("olga")
    await erase(olga, path_of(await write(olga, "org", "motto", "x")))
    await erase(olga, "/memory", 202, confirm=crowded.org_id)
    await crowded.world.finish_jobs()
    assert {"user_facts", "messages", "documents"}.isdisjoint(await tables_holding(superuser_url, crowded.org_id))
