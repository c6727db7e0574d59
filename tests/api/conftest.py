"""The service behind its whole edge, and a world to make organisations in."""

import httpx
import pytest
from fastapi import FastAPI

from app.container import Container
from app.domain.credentials import KeyKind, digest, make_key
from app.main import create_app
from app.owner import platform_keys
from app.settings import Settings
from tests.support.world import World, speaking


@pytest.fixture(scope="module")
def app(settings: Settings, container: Container) -> FastAPI:
    return create_app(settings, container)


@pytest.fixture(scope="module")
async def world(app: FastAPI, settings: Settings, container: Container) -> World:
    """`tenant = await world.organisation(people={"alice": "owner"})` is all that most tests need."""
    key = make_key(KeyKind.PLATFORM)
    async with platform_keys(settings) as keys:
        await keys.add("tests", digest(key, container.secret), container.clock())
    return World(app, settings, container, key)


@pytest.fixture(scope="module")
def client(app: FastAPI) -> httpx.AsyncClient:
    """Nobody's client."""
    return speaking(app)


@pytest.fixture(scope="module")
def platform(world: World) -> httpx.AsyncClient:
    """A client with the platform's key."""
    return world.platform
