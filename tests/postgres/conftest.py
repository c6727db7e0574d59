"""Engines of the roles, and two organisations to keep apart."""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.adapters.embedded.roles import DatabaseUrls
from app.adapters.postgres.storage import PostgresStorage
from app.domain.tenancy import TenantScope
from tests.postgres.furnished import LATER, furnish


@pytest.fixture
async def serving(urls: DatabaseUrls) -> AsyncIterator[AsyncEngine]:
    engine = create_async_engine(urls.serving, poolclass=NullPool)
    yield engine
    await engine.dispose()


@pytest.fixture
async def orgs(serving: AsyncEngine, superuser: AsyncEngine) -> AsyncIterator[tuple[TenantScope, str]]:
    """One organisation's scope, and the id of another."""
    ours, theirs = f"ours-{uuid4().hex}", f"theirs-{uuid4().hex}"
    storage = PostgresStorage(serving, b"pepper")
    scope = await furnish(storage, ours)
    await furnish(storage, theirs, LATER)
    async with superuser.begin() as connection:
        running = text("update jobs set status = 'running', attempts = 1 where org_id = any(:orgs)")
        await connection.execute(running, {"orgs": [ours, theirs]})
    yield scope, theirs
    async with superuser.begin() as connection:
        await connection.execute(text("delete from organisations where org_id = any(:orgs)"), {"orgs": [ours, theirs]})
