"""The export as a stream: its size costs no memory, and neither who reads slowly nor who leaves keeps anything busy."""

import asyncio
import os
from pathlib import Path

import pytest

from app.domain.errors import NotFound
from tests.api.furnished import ROLES, owner_of
from tests.api.large import EXPORT, open_transactions, stuffed, unnamed_files
from tests.support.readers import SlowReader
from tests.support.talk import turn
from tests.support.waiting import until
from tests.support.world import Tenant, World

MANY = 20_000
MIB = 1024 * 1024


@pytest.fixture(scope="module")
async def some(world: World) -> Tenant:
    """An organisation whose export does not stay in memory."""
    return await stuffed(world, 4_000)


def resident() -> int:
    """Bytes of memory that this process occupies."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def test_many_facts_cost_no_memory(world: World, some: Tenant) -> None:
    big = await stuffed(world, MANY)
    first = SlowReader(world.app, some.owner, EXPORT)
    first.take()
    await first.run()  # whatever the process needs once, it has now
    before = peak = resident()
    reader = SlowReader(world.app, big.owner, EXPORT)
    reader.take()
    running = asyncio.create_task(reader.run())
    while not running.done():
        peak = max(peak, resident())
        await asyncio.sleep(0.005)
    await running
    assert reader.whole
    assert reader.taken > MANY * 1000
    assert peak - before < 16 * MIB < reader.taken


async def test_slow_readers_hold_two_places_and_no_connection(world: World, some: Tenant) -> None:
    other = await world.organisation(ROLES)
    readers = [SlowReader(world.app, some.owner, EXPORT) for _ in range(2)]
    running = [asyncio.create_task(reader.run()) for reader in readers]
    for reader in readers:
        await reader.answered.wait()
        reader.take(1)
    await until(lambda: _written(world))
    third = await some.owner.get(EXPORT)
    assert (third.status_code, third.json()["code"]) == (429, "too_many_exports")
    assert int(third.headers["retry-after"]) > 0
    assert (await other.owner.get(EXPORT)).status_code == 200
    for reader in readers:
        assert reader.taken < MIB
        reader.take()
    await asyncio.gather(*running)
    assert all(reader.whole and reader.taken > MIB for reader in readers)
    assert (await some.owner.get(EXPORT, params={"scope": "org"})).status_code == 200


async def _written(world: World) -> bool:
    """Whether nothing more is read for anybody."""
    return await open_transactions(world) == 0


@pytest.mark.parametrize("answered", [True, False])
async def test_who_leaves_frees_the_file_and_the_place(world: World, some: Tenant, answered: bool) -> None:
    files = unnamed_files()
    for _ in range(3):  # more than there are places
        reader = SlowReader(world.app, some.owner, EXPORT)
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
    assert (await some.owner.get(EXPORT, params={"scope": "org"})).status_code == 200
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
        reader = SlowReader(world.app, tenant.owner, EXPORT)
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
