"""The export as a stream: its size costs no memory, and neither who reads slowly nor who leaves keeps anything busy."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import asyncpg
import httpx
import pytest
from fastapi import FastAPI, Response

from app.adapters.postgres.models import StoreFactRow
from app.api.edge import install
from app.api.export import DocumentResponse
from app.api.routing import router
from app.domain.errors import NotFound, Unavailable
from app.domain.events import Change
from app.domain.export import Section
from app.services.export import Document
from app.services.spool import JsonSpool
from tests.api.furnished import ROLES, owner_of
from tests.support.readers import SlowReader
from tests.support.talk import turn
from tests.support.world import Tenant, World, speaking
from tests.unit.memories import START, fact

MANY = 20_000
PATH = "/memory/export"


@pytest.fixture(scope="module")
async def some(world: World) -> Tenant:
    """An organisation whose export does not stay in memory."""
    return await stuffed(world, 4_000)


async def stuffed(world: World, facts: int) -> Tenant:
    """An organisation with so many facts: one made in the usual way, and the others copied from it."""
    tenant = await world.organisation(ROLES)
    async with world.container.storage.transaction(owner_of(tenant.org_id)) as uow:
        await uow.facts.apply([Change(None, fact(1, content="Livraison « offerte » dès 60 € 🎁 " * 10))], START)
    copied = ", ".join(column.name for column in StoreFactRow.__table__.columns if column.name not in ("id", "key"))
    async with database(world) as connection, connection.transaction():
        await connection.execute("select set_config('app.org_id', $1, true)", tenant.org_id)
        await connection.execute(
            f"insert into store_facts (id, key, {copied}) "
            f"select gen_random_uuid(), key || n, {copied} from store_facts, generate_series(2, {facts}) n"
        )
    return tenant


@asynccontextmanager
async def database(world: World) -> AsyncIterator[asyncpg.Connection]:
    url = str(world.settings.database_url).replace("+asyncpg", "")
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def open_transactions(world: World) -> int:
    """How many connections of this database hold a transaction that waits for its client."""
    async with database(world) as connection:
        count = await connection.fetchval(
            "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in tra%'"
        )
        return int(count)


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    """Returns as soon as it is so."""
    async with asyncio.timeout(10):
        while not await true():
            await asyncio.sleep(0.01)


def resident() -> int:
    """Bytes of memory that this process occupies."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def unnamed_files() -> int:
    """Open files of this process that no folder lists."""
    count = 0
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            count += entry.readlink().name.endswith("(deleted)")
    return count


async def test_many_facts_cost_no_memory(world: World, some: Tenant) -> None:
    big = await stuffed(world, MANY)
    first = SlowReader(world.app, some.owner, PATH)
    first.take()
    await first.run()  # whatever the process needs once, it has now
    before = peak = resident()
    reader = SlowReader(world.app, big.owner, PATH)
    reader.take()
    running = asyncio.create_task(reader.run())
    while not running.done():
        peak = max(peak, resident())
        await asyncio.sleep(0.005)
    await running
    assert reader.whole
    assert reader.taken == int(reader.headers["content-length"]) > MANY * 1000
    assert peak - before < 16 * 1024 * 1024 < reader.taken


async def test_slow_readers_hold_two_places_and_no_connection(world: World, some: Tenant) -> None:
    other = await world.organisation(ROLES)
    readers = [SlowReader(world.app, some.owner, PATH) for _ in range(2)]
    running = [asyncio.create_task(reader.run()) for reader in readers]
    for reader in readers:
        await reader.answered.wait()
        reader.take(1)
    third = await some.owner.get(PATH)
    assert (third.status_code, third.json()["code"]) == (429, "too_many_exports")
    assert int(third.headers["retry-after"]) > 0
    assert (await other.owner.get(PATH)).status_code == 200
    assert await open_transactions(world) == 0
    for reader in readers:
        reader.take()
    await asyncio.gather(*running)
    assert all(reader.whole and reader.taken == int(reader.headers["content-length"]) for reader in readers)
    assert (await some.owner.get(PATH, params={"scope": "org"})).status_code == 200


@pytest.mark.parametrize("answered", [True, False])
async def test_who_leaves_frees_the_file_and_the_place(world: World, some: Tenant, answered: bool) -> None:
    files = unnamed_files()
    for _ in range(3):  # more than there are places
        reader = SlowReader(world.app, some.owner, PATH)
        running = asyncio.create_task(reader.run())
        if answered:
            await reader.answered.wait()
            assert unnamed_files() == files + 1
        else:
            await until(lambda: _holds(files))
        reader.leave()
        await running
        assert not reader.whole
        assert unnamed_files() == files
    assert (await some.owner.get(PATH, params={"scope": "org"})).status_code == 200
    assert await open_transactions(world) == 0


async def _holds(files: int) -> bool:
    """Whether an export has come to write into its file."""
    return unnamed_files() == files + 1


async def test_a_snapshot_does_not_see_what_comes_after(world: World) -> None:
    tenant = await world.organisation(ROLES)
    scope = owner_of(tenant.org_id)
    async with world.container.storage.snapshot(scope) as then:
        before = await then.organisations.get()
        renamed = await world.platform.put(tenant.path, json={"name": "renamed"})
        assert renamed.status_code == 200
        assert await then.organisations.get() == before
    async with world.container.storage.snapshot(scope) as now:
        renamed_now = await now.organisations.get()
        assert renamed_now is not None
        assert renamed_now.name == "renamed"


@pytest.mark.parametrize("erased", ["/memory/users/33698765432==", "/memory/messages/m0", "{org}"])
async def test_what_is_erased_meanwhile_ends_it_before_its_manifest(world: World, erased: str) -> None:
    tenant = await stuffed(world, 2_000)
    said = turn("Je préfère le thé.", conversation_id="c0", user_id="33698765432==", store_id=None)
    said["user_message"]["id"] = "m0"
    assert (await tenant.owner.post("/memory/turns", json=said)).status_code == 202
    await world.finish_jobs()
    for whole in (True, False):
        reader = SlowReader(world.app, tenant.owner, PATH)
        reader.take(1)
        running = asyncio.create_task(reader.run())

        async def begun(reader: SlowReader = reader) -> bool:
            return reader.taken > 0

        await until(begun)
        if not whole:
            by, path = (world.platform, tenant.path) if erased == "{org}" else (tenant.owner, erased)
            assert (await by.delete(path)).is_success
        reader.take()
        await running
        assert reader.whole == whole


async def test_an_organisation_that_is_gone_is_not_found(world: World) -> None:
    with pytest.raises(NotFound):
        async with world.container.export.document(owner_of("gone")):
            pass


async def whole() -> bool:
    """Nothing was erased."""
    return True


@asynccontextmanager
async def broken() -> AsyncIterator[Document]:
    raise Unavailable("database_unavailable", "The database does not answer.")
    yield Document(JsonSpool(), whole)


async def test_a_failure_before_the_first_byte_is_an_answer_of_its_own() -> None:
    app, routes = FastAPI(), router()

    @routes.get("/broken")
    async def answer() -> Response:
        return DocumentResponse(broken())

    app.include_router(routes)
    install(app)
    failed: httpx.Response = await speaking(app).get("/broken")
    assert (failed.status_code, failed.headers["content-type"]) == (503, "application/problem+json")
    assert failed.json()["code"] == "database_unavailable"


async def test_a_reader_who_takes_nothing_is_given_up() -> None:
    closed = asyncio.Event()

    @asynccontextmanager
    async def document() -> AsyncIterator[Document]:
        with JsonSpool() as spool:
            await spool.member(Section.SETTINGS, "x" * 1_000_000)
            await spool.finish({})
            yield Document(spool, whole)
        closed.set()

    app, routes = FastAPI(), router()

    @routes.get("/long")
    async def answer() -> Response:
        return DocumentResponse(document(), patience=0.05)

    app.include_router(routes)
    install(app)
    reader = SlowReader(app, speaking(app), "/long")
    reader.take(1)
    await reader.run()
    assert closed.is_set()
    assert 0 < reader.taken < 1_000_000
    assert not reader.whole
