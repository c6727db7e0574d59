"""Work on many rows ends in time, although nothing has been counted since they came."""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from app.adapters.doubles.embedder import InMemoryEmbedder
from app.adapters.embedded.roles import DRIVER
from app.container import Container
from app.domain.credentials import KeyKind, digest, make_key
from app.main import create_app
from app.owner import platform_keys
from app.settings import Settings
from tests.support.embeddings import embed_all
from tests.support.erasing import erase, leave_words, word
from tests.support.multitudes import look, multiply
from tests.support.servers import Servers
from tests.support.talk import path_of, tables_holding, write
from tests.support.world import Tenant, World

TIMES = 800
SAID = word()


@pytest.fixture
async def alone(servers: Servers, settings: Settings) -> AsyncIterator[tuple[World, str]]:
    """A service on a database of its own, which nothing was ever removed from, and the superuser's address of that."""
    name = f"t_many_{uuid4().hex[:8]}"
    urls = await servers.database(name)
    own = settings.model_copy(update={"database_url": urls.serving, "owner_database_url": urls.owner})
    container, key = Container(own, embedder=InMemoryEmbedder()), make_key(KeyKind.PLATFORM)
    await container.open()
    async with platform_keys(own) as keys:
        await keys.add("tests", digest(key, container.secret), container.clock())
    yield World(create_app(own, container), own, container, key), servers.postgres.url(driver=DRIVER, database=name)
    await container.close()
    await servers.drop(name)


async def talkative(world: World) -> Tenant:
    tenant = await world.organisation(people={"olga": "owner", "carla": None})
    await leave_words(world, tenant, "carla", SAID)
    await world.finish_jobs()
    await embed_all(world)
    return tenant


async def test_what_is_asked_of_many_is_answered_and_what_is_erased_goes_at_the_first_attempt(
    alone: tuple[World, str],
) -> None:
    world, superuser_url = alone
    for _ in range(3):
        await talkative(world)
    await look(superuser_url)
    crowded = await talkative(world)  # of which nothing was known then
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
    await world.finish_jobs()
    assert {"user_facts", "messages", "documents"}.isdisjoint(await tables_holding(superuser_url, crowded.org_id))
