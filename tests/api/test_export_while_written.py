"""A large export is read while it is written: who waits for whom, and what becomes of the one when the other fails."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256

import pytest
from structlog.testing import capture_logs

from app.domain.errors import TooMany
from app.domain.tenancy import TenantScope
from app.services.export import SNAPSHOTS, Export
from app.services.spool import IN_MEMORY
from tests.api.furnished import ROLES, owner_of
from tests.api.large import EXPORT, Halted, Taking, database, open_transactions, stuffed, unnamed_files
from tests.support.readers import SlowReader
from tests.support.waiting import until
from tests.support.world import Tenant, World

MORE_THAN_PLACES = 3


@pytest.fixture(scope="module")
async def large(world: World) -> Tenant:
    """An organisation whose facts alone do not stay in memory."""
    return await stuffed(world, 2_000)


@pytest.fixture(scope="module")
async def small(world: World) -> Tenant:
    """One whose whole export does."""
    return await stuffed(world, 10)


@asynccontextmanager
async def nothing_left(world: World) -> AsyncIterator[None]:
    """What the block took is free again, at once or with what was stopped by then: files, connections, tasks."""
    tasks, files = asyncio.all_tasks(), unnamed_files()

    async def free() -> bool:
        left = (asyncio.all_tasks() - tasks, unnamed_files() - files, await open_transactions(world))
        return left == (set(), 0, 0)

    yield
    await until(free)


async def end_the_writer(world: World, halted: Halted) -> None:
    """The database ends the connection on which the writer waits."""
    await halted.there.wait()
    async with database(world) as connection:
        ended = await connection.fetch(
            "select pg_terminate_backend(pid, 5000) as ended from pg_stat_activity "
            "where datname = current_database() and state like 'idle in tra%'"
        )
    assert [row["ended"] for row in ended] == [True]


async def exports_told_of(tenant: Tenant) -> int:
    found = await tenant.owner.get("/memory/events", params={"kind": "exported", "total": "true"})
    return int(found.json()["total"])


async def takes_one(reader: SlowReader) -> None:
    """Returns once the reader has its first bytes."""

    async def taken() -> bool:
        return reader.taken > 0

    reader.take(1)
    await until(taken)


async def test_the_first_bytes_come_before_the_last_are_written(world: World, large: Tenant) -> None:
    taking = Taking(world, large)
    reader, before = taking.reader(), await exports_told_of(large)
    running = asyncio.create_task(reader.run())
    await reader.answered.wait()
    assert (reader.status, reader.headers.get("content-length")) == (200, None)
    assert await exports_told_of(large) == before + 1
    await takes_one(reader)
    await taking.halted.there.wait()
    assert await open_transactions(world) == 1
    reader.take()
    taking.halted.go.set()
    await running
    assert reader.whole
    assert reader.taken > IN_MEMORY


async def test_the_reader_waits_for_what_is_not_written_yet(world: World, large: Tenant) -> None:
    taking = Taking(world, large)
    reader = taking.reader()
    reader.take()
    running = asyncio.create_task(reader.run())

    async def caught_up() -> bool:
        return reader.taken > IN_MEMORY

    await until(caught_up)
    assert not reader.whole
    assert not running.done()
    taking.halted.go.set()
    await running
    assert reader.whole


async def test_the_writer_does_not_wait_for_the_reader(world: World, large: Tenant) -> None:
    taking = Taking(world, large)
    reader = taking.reader()
    running = asyncio.create_task(reader.run())
    await takes_one(reader)
    taking.halted.go.set()

    async def written() -> bool:
        return await open_transactions(world) == 0

    await until(written)
    assert reader.taken < IN_MEMORY
    reader.take()
    await running
    assert reader.whole


async def test_a_large_one_is_as_whole_as_a_small_one(large: Tenant) -> None:
    document = await large.owner.get(EXPORT)
    assert "content-length" not in document.headers
    manifest = document.json()["manifest"]
    before = document.content[: document.content.rindex(b',\n"manifest":')]
    assert manifest["checksum"] == f"sha256:{sha256(before).hexdigest()}"
    assert manifest["counts"]["facts"] == len(document.json()["facts"]) == 2_000
    lines = await large.owner.get(EXPORT, headers={"Accept": "application/x-ndjson"})
    *most, last = lines.content.splitlines(keepends=True)
    assert json.loads(last)["record"]["checksum"] == f"sha256:{sha256(b''.join(most)).hexdigest()}"


async def test_a_writer_that_fails_cuts_the_connection(world: World, large: Tenant) -> None:
    taking = Taking(world, large)
    for _ in range(MORE_THAN_PLACES):
        async with nothing_left(world):
            reader = taking.reader()
            running = asyncio.create_task(reader.run())
            await takes_one(reader)
            await end_the_writer(world, taking.halted)
            taking.halted.go.set()
            reader.take()
            await running
            assert (reader.status, reader.whole) == (200, False)
        taking.halted.go.clear()
        taking.halted.there.clear()


async def test_who_leaves_midway_stops_the_writer(world: World, large: Tenant) -> None:
    taking = Taking(world, large)
    for _ in range(MORE_THAN_PLACES):
        async with nothing_left(world):
            reader = taking.reader()
            running = asyncio.create_task(reader.run())
            await takes_one(reader)
            reader.leave()
            await running
            assert not reader.whole


async def test_who_takes_nothing_is_given_up_and_the_writer_stopped(world: World, large: Tenant) -> None:
    taking = Taking(world, large, patience=0.05)
    for _ in range(MORE_THAN_PLACES):
        async with nothing_left(world):
            reader = taking.reader()
            reader.take(1)
            await reader.run()
            assert 0 < reader.taken < IN_MEMORY
            assert not reader.whole


async def test_who_is_stopped_again_and_again_leaves_nothing(world: World, large: Tenant) -> None:
    taking = Taking(world, large)
    async with nothing_left(world):
        running = asyncio.create_task((reader := taking.reader()).run())
        await takes_one(reader)
        while not running.done():
            running.cancel()
            await asyncio.sleep(0)
        assert running.cancelled()


async def test_a_small_one_is_whole_before_its_first_byte(world: World, small: Tenant) -> None:
    taking = Taking(world, small)
    taking.halted.go.set()
    answer = await taking.client.get(EXPORT)
    assert answer.headers["content-length"] == str(len(answer.content))
    assert answer.json()["manifest"]["counts"]["facts"] == 10
    before = await exports_told_of(small)
    taking = Taking(world, small)
    async with nothing_left(world):
        asked = asyncio.create_task(taking.client.get(EXPORT))
        await end_the_writer(world, taking.halted)
        taking.halted.go.set()
        failed = await asked
        assert (failed.status_code, failed.headers["content-type"]) == (503, "application/problem+json")
        assert failed.json()["code"] == "database_unavailable"
        assert await exports_told_of(small) == before


async def test_what_is_being_erased_ends_it_as_what_was_erased_does(world: World) -> None:
    """The shop's facts are so many that a job strikes them, which nobody runs here."""
    tenant = await stuffed(world, 11_000)
    taking = Taking(world, tenant)
    for whole in (True, False):
        running = asyncio.create_task((reader := taking.reader()).run())
        await takes_one(reader)
        if not whole:
            assert (await tenant.owner.delete("/memory/stores/shop1")).status_code == 202
        taking.halted.go.set()
        reader.take()
        with capture_logs() as logged:
            await running
        assert reader.whole == whole
        assert [line["event"] for line in logged if line["event"] == "export_cut"] == ["export_cut"] * (not whole)
        taking.halted.go.clear()


async def test_while_others_are_written_one_waits_its_turn_and_no_longer(world: World) -> None:
    *first, last = [owner_of((await world.organisation(ROLES)).org_id) for _ in range(SNAPSHOTS + 1)]
    halted = Halted(world.container.storage)
    export = Export(halted, world.container.clock, turn_seconds=0.05)

    async def take(scope: TenantScope) -> int | None:
        async with export.document(scope) as document:
            return document.length

    async def full() -> bool:
        return await open_transactions(world) == SNAPSHOTS

    taking = [asyncio.create_task(take(scope)) for scope in first]
    await until(full)
    with pytest.raises(TooMany) as refused:
        await take(last)
    assert (refused.value.code, refused.value.retry_after) == ("too_many_exports", 10)
    halted.go.set()
    assert all(await asyncio.gather(*taking))
    assert await take(last)
