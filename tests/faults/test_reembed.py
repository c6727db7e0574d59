"""`retenir reembed`, killed again and again: in the end all have vectors of the new model, each of its own words."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import uuid4

import pytest

from app.adapters.doubles.embedder import by_words
from app.adapters.postgres.directory import PostgresDirectory
from app.adapters.postgres.storage import PostgresStorage, make_engine
from app.domain.identifiers import uuid7
from app.domain.organisations import Organisation, Person
from app.domain.search import DocumentKind, Shelf
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.vectors import Embedded, Progress
from tests.contract.embedding_jobs import apart
from tests.contract.scopes import scope_of
from tests.faults.programs import Program, running
from tests.faults.stand import Stand
from tests.support.embeddings import DIMENSION, honest_vectors
from tests.support.model_server import ModelServer, model_server
from tests.unit.memories import ME, START

MESSAGES, KILLS = 300, 6
OLD, NEW = f"old@{DIMENSION}", f"new@{DIMENSION}"


@pytest.fixture
async def provider() -> AsyncIterator[ModelServer]:
    async with model_server(honest_vectors) as server:
        yield server


@pytest.fixture
async def storage(stand: Stand) -> AsyncIterator[PostgresStorage]:
    engine = make_engine(stand.urls.serving)
    yield PostgresStorage(engine, b"pepper")
    await engine.dispose()


def words(number: int) -> str:
    return f"colis numéro {number} du rayon {number % 7}"


async def moved_from(storage: PostgresStorage, org_id: str) -> TenantScope:
    """An organisation all of whose messages have vectors of the old model."""
    scope = scope_of(org_id)
    async with storage.transaction(scope) as uow:
        await uow.organisations.save(Organisation(org_id, "Org", START))
        await uow.people.save(Person("alice", START))
        said = [apart(number, id=uuid7(), content=words(number)) for number in range(MESSAGES)]
        await uow.messages.add(said)
        seen = await uow.vectors.lacking(MESSAGES)
        await uow.vectors.put(OLD, dict.fromkeys(seen, Embedded([by_words("an old one", DIMENSION)])))
    return scope


async def progress(storage: PostgresStorage, scope: TenantScope) -> Progress:
    async with storage.transaction(scope) as uow:
        return await uow.vectors.progress(NEW)


def command(stand: Stand, provider: ModelServer) -> Program:
    named = {"MODEL": "new", "URL": provider.url, "DIMENSION": str(DIMENSION), "BATCH_SIZE": "8"}
    settings = {f"RETENIR_EMBEDDER_{name}": value for name, value in named.items()}
    return Program("reembed", stand.folder, {**stand.settings, **settings, "RETENIR_EMBEDDER": "openai"})


async def test_killed_anywhere_it_goes_on_where_it_was(
    stand: Stand, storage: PostgresStorage, provider: ModelServer
) -> None:
    scopes = [await moved_from(storage, f"moving-{uuid4().hex[:8]}") for _ in range(2)]
    moving, done = command(stand, provider), [0]
    with running(moving):
        for _ in range(KILLS):
            before = len(provider.asked)
            while len(provider.asked) < before + 7:
                assert moving.process.exitcode is None, moving.said()
                await asyncio.sleep(0.01)
            moving.kill()
            done.append(sum([(await progress(storage, scope)).embedded for scope in scopes]))
            await asyncio.to_thread(moving.start)
        await asyncio.to_thread(moving.ended, 120)
    assert done == sorted(done)
    assert done[-1] > done[1] > 0
    for scope in scopes:
        assert await progress(storage, scope) == Progress(MESSAGES, 0, MESSAGES)
        await every_vector_is_of_its_own_words(storage, scope)
    assert f"{scopes[1].org_id}: {MESSAGES} of {MESSAGES}" in moving.said()


async def every_vector_is_of_its_own_words(storage: PostgresStorage, scope: TenantScope) -> None:
    shelf = Shelf((ME,), frozenset(DocumentKind), (ATLAS,))
    async with storage.transaction(scope) as uow:
        for number in range(0, MESSAGES, 7):
            asked = by_words(words(number), DIMENSION)
            near = (await uow.vectors.nearest(asked, NEW, [shelf], 1))[DocumentKind.MESSAGE]
            [found] = await uow.messages.get(list(near.cosines))
            assert (found.content, round(near.most, 2)) == (words(number), 1)
        assert await uow.vectors.nearest(asked, OLD, [shelf], 1) is not None
        assert (await uow.vectors.nearest(asked, OLD, [shelf], 1))[DocumentKind.MESSAGE].embedded == 0


async def test_what_is_left_is_told_until_it_is_done(
    stand: Stand, storage: PostgresStorage, provider: ModelServer
) -> None:
    scope = await moved_from(storage, f"moving-{uuid4().hex[:8]}")
    engine = make_engine(stand.urls.serving)
    directory = PostgresDirectory(engine, timedelta(seconds=60))
    assert await directory.embedded_elsewhere(NEW) >= MESSAGES
    moving = command(stand, provider)
    with running(moving):
        await asyncio.to_thread(moving.ended, 120)
    assert await directory.embedded_elsewhere(NEW) == 0
    assert await directory.embedded_elsewhere(OLD) >= MESSAGES
    assert (await progress(storage, scope)).embedded == MESSAGES
    await engine.dispose()
