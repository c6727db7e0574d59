"""Further replicas of the service under test, on the same database and, unless they do without, the same Valkey."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from app.container import Container
from app.main import create_app
from app.ports.clock import Clock
from tests.support.world import Tenant, World


@asynccontextmanager
async def replica(world: World, clock: Clock | None = None, **settings: str | None) -> AsyncIterator[World]:
    """Another one, with these settings otherwise; `redis_url=None`: without a cache."""
    own = world.settings.model_copy(update=settings)
    container = Container(own, clock or world.container.clock)
    await container.open()
    try:
        yield World(create_app(own, container), own, container, world.platform_key)
    finally:
        await container.close()


def at(world: World, tenant: Tenant) -> Tenant:
    """The organisation, asked at this replica."""
    return replace(tenant, world=world)
