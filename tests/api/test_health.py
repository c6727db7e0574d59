"""Health tells the truth: live while the loop turns, ready while the database can be used, degraded without a cache."""

import httpx
import pytest

from app.adapters.doubles.embedder import InMemoryEmbedder
from app.container import Container, StartRefusedError
from app.domain.credentials import KeyKind, make_key
from app.main import create_app
from app.ports.embedders import EmbedderAway
from app.settings import Settings
from tests.support.servers import Servers
from tests.support.world import speaking

AWAY = "postgresql+asyncpg://retenir_app:x@127.0.0.1:9/retenir"


async def asked(settings: Settings, path: str) -> httpx.Response:
    """The answer of a service on these settings, started like any other."""
    app = create_app(settings)
    async with app.router.lifespan_context(app), speaking(app) as client:
        return await client.get(path, headers={"Authorization": "Bearer rtn_x"})


def changed(settings: Settings, **values: object) -> Settings:
    return settings.model_copy(update=values)


async def test_is_live_and_ready_without_credentials(client: httpx.AsyncClient) -> None:
    assert (await client.get("/healthz")).json() == {"status": "live"}
    ready = await client.get("/readyz")
    assert (ready.status_code, ready.json()) == (200, {"status": "ready", "degraded": []})


async def test_without_a_cache_it_is_ready_and_says_so(settings: Settings) -> None:
    ready = await asked(changed(settings, redis_url="redis://127.0.0.1:9/0"), "/readyz")
    assert (ready.status_code, ready.json()["degraded"]) == (200, ["cache"])


async def test_a_cache_that_is_not_wanted_is_not_missed(settings: Settings) -> None:
    ready = await asked(changed(settings, redis_url=None), "/readyz")
    assert (ready.status_code, ready.json()["degraded"]) == (200, [])


async def test_an_embedder_that_is_not_wanted_is_not_missed(settings: Settings) -> None:
    assert settings.embedder == "none"
    assert (await asked(settings, "/readyz")).json()["degraded"] == []


async def test_the_embedder_of_this_process_is_there(settings: Settings) -> None:
    assert (await asked(changed(settings, embedder="local"), "/readyz")).json()["degraded"] == []


async def test_an_embedder_that_is_away_is_named(settings: Settings) -> None:
    container = Container(settings, embedder=InMemoryEmbedder(fault=EmbedderAway("embedder_unavailable", "not now")))
    app = create_app(settings, container)
    async with app.router.lifespan_context(app), speaking(app) as client:
        ready = await client.get("/readyz")
    assert (ready.status_code, ready.json()["degraded"]) == (200, ["embedder"])


def test_an_embedder_that_cannot_be_is_refused(settings: Settings) -> None:
    with pytest.raises(StartRefusedError, match="RETENIR_EMBEDDER_DIMENSION is missing"):
        Container(changed(settings, embedder="openai", embedder_model="x", embedder_url="http://localhost:9/v1"))


async def test_without_a_database_it_starts_lives_and_is_not_ready(settings: Settings) -> None:
    away = changed(settings, database_url=AWAY)
    assert (await asked(away, "/healthz")).status_code == 200
    ready = await asked(away, "/readyz")
    assert (ready.status_code, ready.json()["code"]) == (503, "database_unavailable")
    assert int(ready.headers["retry-after"]) >= 1


async def test_the_owner_s_role_may_not_serve(settings: Settings) -> None:
    container = Container(changed(settings, database_url=settings.owner_database_url))
    with pytest.raises(StartRefusedError, match="owns tables"):
        await container.open()
    await container.close()


async def test_a_superuser_may_not_serve(settings: Settings, superuser_url: str) -> None:
    container = Container(changed(settings, database_url=superuser_url))
    with pytest.raises(StartRefusedError, match="superuser"):
        await container.open()
    await container.close()


async def test_a_database_without_our_schema_is_refused(settings: Settings, servers: Servers) -> None:
    empty = await servers.empty_database("t_empty")
    container = Container(changed(settings, database_url=empty.serving))
    with pytest.raises(StartRefusedError, match="retenir migrate"):
        await container.open()
    await container.close()
    await servers.drop("t_empty")


async def test_a_wrong_password_is_refused(settings: Settings) -> None:
    assert settings.database_url is not None
    user, _, place = settings.database_url.partition("@")
    container = Container(changed(settings, database_url=f"{user}x@{place}"))
    with pytest.raises(StartRefusedError, match="does not let us in"):
        await container.open()
    await container.close()


async def test_what_was_not_checked_at_the_start_is_checked_before_it_serves(
    settings: Settings, superuser_url: str
) -> None:
    """A database that comes up later, and is the wrong one, is not served from."""
    app = create_app(changed(settings, database_url=superuser_url))
    async with speaking(app) as client:
        assert (await client.get("/readyz")).json()["code"] == "database_refused"
        key = {"Authorization": f"Bearer {make_key(KeyKind.API)}"}
        refused = await client.get("/memory/settings", headers=key)
        assert (refused.status_code, refused.json()["code"]) == (503, "database_refused")
    await app.state.container.close()


def test_a_service_without_a_secret_is_refused(settings: Settings) -> None:
    with pytest.raises(StartRefusedError, match="RETENIR_SECRET"):
        Container(changed(settings, secret=None))
    with pytest.raises(StartRefusedError, match="RETENIR_DATABASE_URL"):
        Container(changed(settings, database_url=None))
