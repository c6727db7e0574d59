"""One stand for each of the processes that run these tests, and a service on it for each test file."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from app.adapters.embedded.postgres import EmbeddedPostgres
from app.adapters.embedded.roles import provide_database
from app.adapters.embedded.valkey import EmbeddedValkey
from app.cli.keys import make_platform_key
from app.cli.migrate import upgrade
from app.settings import Settings
from tests.faults.programs import Service, running
from tests.faults.stand import SECRET, Stand, Tenant

pytest.register_assert_rewrite("tests.faults.load")  # so that its assertions, too, say what was found


@pytest.fixture(scope="session")
async def stand() -> AsyncIterator[Stand]:
    folder = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))
    folder.chmod(0o711)
    postgres, valkey = EmbeddedPostgres(folder / "postgres"), EmbeddedValkey(folder / "valkey")
    postgres.start()
    valkey.start()
    try:
        urls = await provide_database(postgres, folder)
        await upgrade(urls.owner)
        known = {"database_url": urls.serving, "owner_database_url": urls.owner, "secret": SECRET}
        key = await make_platform_key(Settings.model_validate(known), "faults")
        yield Stand(folder, postgres, valkey, urls, key)
    finally:
        valkey.stop()
        postgres.stop()
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def settings_of_service() -> dict[str, str]:
    """What a test file wants its service to have otherwise."""
    return {}


@pytest.fixture(scope="module")
def service(stand: Stand, settings_of_service: dict[str, str]) -> Iterator[Service]:
    """A service that runs, with a worker in it."""
    service = stand.service(**settings_of_service)
    with running(service):
        yield service


@pytest.fixture
async def tenant(stand: Stand, service: Service) -> Tenant:
    """An organisation of this test's own."""
    return await stand.organisation(service)


@pytest.fixture
async def client(tenant: Tenant, service: Service) -> AsyncIterator[httpx.AsyncClient]:
    """Acts for its owner, alice."""
    async with tenant.client(service) as client:
        yield client
