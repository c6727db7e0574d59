"""POST /memory/import: what an export wrote gives the same memory back, wherever it lands."""

import os
import random

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.support.clock import MovingClock
from tests.support.happenings import ROLES, Shop
from tests.support.talk import FREE_FROM_60, tell
from tests.support.trips import empty, export, land, records, require_same, send
from tests.support.world import Tenant, World

SEQUENCES = int(os.environ.get("RETENIR_TRIPS", "6"))
STEPS = 30


@pytest.mark.parametrize("seed", range(SEQUENCES))
async def test_whatever_happened_comes_back(
    world: World, clock: MovingClock, superuser: AsyncEngine, seed: int
) -> None:
    tenant = await world.organisation(people=ROLES, stores=("shop1", "shop2"))
    shop = Shop(world, tenant, clock, superuser, random.Random(1000 + seed))
    for _ in range(STEPS):
        await shop.step()
    await world.finish_jobs()
    there = await empty(world)
    before = await export(tenant.owner, lines=bool(seed % 2))
    landed = await land(world, there, before)
    require_same(before, await export(there.owner))
    assert landed.counts["into_empty"]
    again = await export(there.owner)
    counts = (await land(world, there, before)).counts
    assert (counts["stored"], counts["kept"], counts["left_out"]) == (0, 0, 0)
    require_same(again, await export(there.owner))


@pytest.fixture
async def shop(world: World, clock: MovingClock, superuser: AsyncEngine) -> Shop:
    """An organisation with something of everything."""
    tenant = await world.organisation(people=ROLES, stores=("shop1", "shop2"))
    made = Shop(world, tenant, clock, superuser, random.Random(7))
    for act in ("write", "rules", "settings", "tell", "work", "work", "note", "tell", "decide", "link", "name"):
        await getattr(made, act)()
    await tell(made.alice, FREE_FROM_60, answer="Je note 60 €.")
    await world.finish_jobs()
    return made


async def test_it_comes_back_by_either_way_and_through_two_borders(world: World, shop: Shop) -> None:
    as_json, as_lines = await export(shop.tenant.owner), await export(shop.tenant.owner, lines=True)
    second, third, fourth = [await empty(world) for _ in range(3)]
    await land(world, second, as_json)
    further = await export(second.owner, lines=True)
    await land(world, third, further)
    require_same(as_json, await export(third.owner))
    await land(world, fourth, as_lines)
    require_same(as_lines, await export(fourth.owner, lines=True))


async def test_an_owner_who_is_there_already_stays_one(world: World, shop: Shop) -> None:
    there = await world.organisation(people={"alice": "owner"}, stores=())
    before = await export(shop.tenant.acting("alice"))
    answer = await send(there.acting("alice"), before)
    assert answer.status_code == 202
    await world.finish_jobs()
    require_same(before, await export(there.owner))


@pytest.mark.parametrize(
    ("person", "query"),
    [
        ("alice", {"scope": "org"}),
        ("alice", {"scope": "store"}),
        ("alice", {"scope": "user"}),
        ("mia", {}),
        ("33600000002", {}),
    ],
)
async def test_a_part_brings_back_what_it_holds(world: World, shop: Shop, person: str, query: dict[str, str]) -> None:
    """Each role's own export: facts whose sources it may not take away stay behind, and are counted."""
    file = await export(shop.tenant.acting(person), lines=True, **query)
    there = await empty(world)
    counts = (await land(world, there, file)).counts
    told, found = records(file), records(await export(there.owner))
    unfounded = [fact for fact in told["facts"] if fact["source"] is None]
    assert counts["left_out"] == len(unfounded)
    for name in ("channels", "sources", "decisions", "messages", "observations", "rules"):
        assert found[name] == told[name], name
    assert [fact for fact in told["facts"] if fact["source"]] == found["facts"]
    assert {event["id"] for event in told["events"]} <= {event["id"] for event in found["events"]}


async def test_an_admin_takes_the_organisation_along_with_its_own_part(world: World, shop: Shop) -> None:
    put = await world.platform.put(f"{shop.tenant.path}/people/anna", json={"role": "admin"})
    assert put.status_code == 201
    there = await empty(world)
    file = await export(shop.tenant.acting("anna"), lines=True)
    counts = (await land(world, there, file)).counts
    told, found = records(file), records(await export(there.owner))
    assert counts["left_out"] == 0
    assert (found["facts"], found["settings"]) == (told["facts"], told["settings"])
    assert found["organisation"]["name"] == told["organisation"]["name"]


async def test_what_was_taken_along_is_found_read_and_served(world: World, shop: Shop) -> None:
    there = await empty(world)
    await land(world, there, await export(shop.tenant.owner))
    for reader in (shop.tenant.acting("alice"), there.acting("alice")):
        listed = [(await reader.get(f"/memory/facts/{scope}")).json()["items"] for scope in ("org", "store", "user")]
        assert any(listed)
    here, beyond = [
        (await one.acting("alice").post("/memory/context", json={"store_id": "shop1"})).json()
        for one in (shop.tenant, there)
    ]
    assert (beyond["block"], beyond["rules"]) == (here["block"], here["rules"])
    asked = {"query": "livraison offerte", "kinds": ["message", "fact", "observation"]}
    found = [
        {item["id"] for item in (await one.acting("alice").post("/memory/search", json=asked)).json()["items"]}
        for one in (shop.tenant, there)
    ]
    assert found[0] == found[1] != set()


async def test_progress_is_told_by_the_job_and_the_trip_by_the_trail(world: World, shop: Shop) -> None:
    there = await empty(world)
    file = await export(shop.tenant.owner, lines=True)
    answer = await send(there.owner, file)
    job = answer.json()
    assert (job["kind"], job["status"], job["result"]) == ("import", "queued", None)
    landed = await land(world, there, file)
    first = (await there.owner.get(f"/memory/jobs/{job['id']}")).json()["result"]
    assert first["done"] == first["total"] == first["stored"] == file.count(b"\n") - 1
    trail = (await there.owner.get("/memory/events", params={"kind": "imported"})).json()["items"]
    assert [event["new"] for event in trail] == [landed.counts, first]


async def test_an_organisation_with_another_name_in_it_is_as_good_as_its_own(world: World, shop: Shop) -> None:
    """Back into itself: nothing changes."""
    before = await export(shop.tenant.owner)
    counts = (await land(world, shop.tenant, before)).counts
    assert counts["unchanged"] == counts["total"]
    require_same(before, await export(shop.tenant.owner))


async def staged(superuser: AsyncEngine, tenant: Tenant) -> int:
    async with superuser.connect() as connection:
        query = text("select count(*) from import_records where org_id = :org_id")
        return int((await connection.execute(query, {"org_id": tenant.org_id})).scalar_one())


async def test_words_wait_no_longer_than_the_job(world: World, shop: Shop, superuser: AsyncEngine) -> None:
    there = await empty(world)
    answer = await send(there.owner, await export(shop.tenant.owner))
    assert answer.status_code == 202
    assert await staged(superuser, there) > 0
    await world.finish_jobs()
    assert await staged(superuser, there) == 0
