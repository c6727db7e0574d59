"""What every test may ask for: servers, and for each test file a migrated database and the service's parts on it.

Nothing that one file leaves behind, jobs above all, is another one's to do or to look through.
"""

from collections.abc import AsyncIterator, Iterator

import pytest
from sqlalchemy import NullPool
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.adapters.embedded.roles import DRIVER, DatabaseUrls
from app.container import Container
from app.settings import Settings
from tests.support.clock import MovingClock
from tests.support.servers import RUN, Servers, running_servers

SECRET = "kQ3v9ZpL0sXw7TfB2mYc8RdJ5hGn4AeU"
TOKEN_SECRET = "zW8nB4kT1qLs6XvR9cPj3MfH7dYg2EaU"


def database_name(worker_id: str) -> str:
    return f"t_{worker_id}_{RUN}"


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    with running_servers() as running:
        yield running


@pytest.fixture(scope="module")
async def urls(servers: Servers, worker_id: str) -> AsyncIterator[DatabaseUrls]:
    """Our schema, as the owner and as the serving role."""
    name = database_name(worker_id)
    yield await servers.database(name)
    await servers.drop(name)


@pytest.fixture(scope="module")
def superuser_url(urls: DatabaseUrls, servers: Servers, worker_id: str) -> str:
    """The same database, as one whom nothing holds back."""
    return servers.postgres.url(driver=DRIVER, database=database_name(worker_id))


@pytest.fixture
async def superuser(superuser_url: str) -> AsyncIterator[AsyncEngine]:
    """An engine that row-level security does not hold: lock 5 is off."""
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    yield engine
    await engine.dispose()


@pytest.fixture(scope="module")
def settings(urls: DatabaseUrls, servers: Servers) -> Settings:
    """A service that lets keys and tokens in, whose jobs wait until a test does them."""
    return Settings.model_validate(
        {
            "database_url": urls.serving,
            "owner_database_url": urls.owner,
            "redis_url": servers.valkey.url(),
            "secret": SECRET,
            "jwt_secret": TOKEN_SECRET,
            "jwt_audience": "retenir",
            "jwt_issuer": "https://issuer.test",
            "worker_in_process": False,
            "requests_per_minute": 1_000_000,
            "observation_patience_ms": 10_000,
            "embedder": "none",
        }
    )


@pytest.fixture(scope="module")
def file_clock() -> MovingClock:
    """Use `clock`."""
    return MovingClock()


@pytest.fixture
def clock(file_clock: MovingClock) -> Iterator[MovingClock]:
    """The service's clock, to be moved by this test alone."""
    yield file_clock
    file_clock.reset()


@pytest.fixture(scope="module")
async def container(settings: Settings, file_clock: MovingClock) -> AsyncIterator[Container]:
    """Everything behind the door."""
    made = Container(settings, file_clock)
    await made.open()
    yield made
    await made.close()
