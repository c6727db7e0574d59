"""The two storages that keep the ports' promises: the double and Postgres. Each test of this folder runs on both."""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from app.adapters.doubles.directory import InMemoryDirectory
from app.adapters.doubles.storage import InMemoryStorage
from app.adapters.embedded.roles import DatabaseUrls
from app.adapters.postgres.directory import PostgresDirectory
from app.adapters.postgres.platform import PostgresPlatformKeys
from app.adapters.postgres.storage import PostgresStorage, make_engine
from app.domain.organisations import Organisation, Person, Store
from app.domain.tenancy import Role, TenantScope
from app.ports.storage import Storage
from tests.contract.backends import PLATFORM_KEY, Backend
from tests.contract.scopes import scope_of
from tests.unit.memories import START


@pytest.fixture(scope="module")
async def postgres(urls: DatabaseUrls) -> AsyncIterator[Backend]:
    engine, owner = make_engine(urls.serving), create_async_engine(urls.owner)
    await PostgresPlatformKeys(owner).add("tests", PLATFORM_KEY, START)
    yield Backend(PostgresStorage(engine, b"pepper"), PostgresDirectory(engine, pepper=b"pepper"))
    await engine.dispose()
    await owner.dispose()


@pytest.fixture(scope="module", params=["double", "postgres"])
def backend(request: pytest.FixtureRequest) -> Backend:
    if request.param == "postgres":
        found: Backend = request.getfixturevalue("postgres")
        return found
    storage = InMemoryStorage()
    return Backend(storage, InMemoryDirectory(storage, [PLATFORM_KEY]))


@pytest.fixture
def storage(backend: Backend) -> Storage:
    return backend.storage


@pytest.fixture
async def scope(storage: Storage) -> AsyncIterator[TenantScope]:
    """A new organisation with stores `shop1` and `shop2`, alice its owner, carl a member, and bob, a contact."""
    scope = scope_of(f"org-{uuid4().hex}")
    async with storage.transaction(scope) as uow:
        await uow.organisations.save(Organisation(scope.org_id, "Org", START))
        for store in ("shop1", "shop2"):
            await uow.stores.save(Store(store, store, START))
        for person, role in {"alice": Role.OWNER, "bob": None, "carl": Role.MEMBER}.items():
            await uow.people.save(Person(person, START, role))
    yield scope
    async with storage.transaction(scope) as uow:
        await uow.organisations.delete()
