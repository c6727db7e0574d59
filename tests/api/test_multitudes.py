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
async def service(world: World) -> AsyncIterator[World]:
    """On a database that nothing was ever removed from: this file has one test."""
    async with embedding_with(InMemoryEmbedder(), world) as here:
        yield here


async def talkative(world: World) -> Tenant:
    tenant = await world.organisation(people={"olga": "owner", "carla": None})
    await leave_words(world, tenant, "carla", SAID)
    await world.finish_jobs()
    await embed_all(world)
    return tenant


async def test_what_is_asked_of_many_is_answered_and_what_is_erased_goes_at_the_first_attempt(
    service: World, superuser_url: str
) -> None:
    for _ in range(3):
        await talkative(service)
    await look(superuser_url)
    crowded = await talkative(service)  # of which nothing was known then
    await multiply(superuser_url, crowded.org_id, TIMES)
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
    await service.finish_jobs()
    assert {"user_facts", "messages", "documents"}.isdisjoint(await tables_holding(superuser_url, crowded.org_id))
