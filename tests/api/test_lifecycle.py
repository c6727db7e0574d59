"""What the worker does about age: what has faded is archived, what has had its time goes."""

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.domain.tenancy import Rank, TenantScope
from app.services.lifecycle import Lifecycle, Swept
from tests.support.clock import MovingClock
from tests.support.talk import (
    FREE_FROM_60,
    block,
    facts,
    happened,
    path_of,
    problem,
    tables_holding,
    tell,
    write,
)
from tests.support.world import WORKER, Tenant, World


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member", "carla": None})


async def indexed(superuser_url: str, org_id: str) -> list[str]:
    """The kinds of documents that the search index holds."""
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.connect() as plain:
        kinds = text("select distinct kind from documents where org_id = :org order by kind")
        return list((await plain.execute(kinds, {"org": org_id})).scalars())


async def sweep(world: World, shop: Tenant) -> Swept:
    """As the worker does it daily."""
    scope = TenantScope(shop.org_id, WORKER, Rank.OWNER)
    return await Lifecycle(world.container.storage).run(scope, world.container.clock())


async def test_what_has_faded_is_archived_and_said_again_comes_back(
    world: World, shop: Tenant, clock: MovingClock
) -> None:
    fading = await write(shop.owner, "org", "weather.today", "pluie", tier="volatile")
    kept = [
        await write(shop.owner, "org", "a", "a", tier="identity"),
        await write(shop.owner, "store", "b", "b"),
        await write(shop.acting("carla"), "user", "c", "c", tier="session"),
    ]
    await shop.acting("carla").post(f"{path_of(kept[2])}/pin")
    clock.advance(days=32)
    assert (await sweep(world, shop)).archived == 0
    clock.advance(days=1)
    assert (await sweep(world, shop)).archived == 1
    assert await sweep(world, shop) == Swept()
    (gone,) = await facts(shop.owner, "org", archived=True)
    assert (gone["id"], gone["superseded_by"], gone["valid_to"]) == (fading["id"], None, None)
    (last, *_) = (await shop.owner.get("/memory/events", params={"fact": fading["id"]})).json()["items"]
    assert (last["kind"], last["actor"]["type"], last["reason"]) == ("archived", "worker", "faded")
    for fact, client in zip(kept, (shop.owner, shop.owner, shop.acting("carla")), strict=True):
        assert (await client.get(path_of(fact))).json()["archived_at"] is None
    back = await write(shop.owner, "org", "weather.today", "pluie")
    assert (back["id"], back["confirmation_count"], back["archived_at"]) == (fading["id"], 2, None)
    assert (await happened(shop.owner, fading))[-1] == "restored"


async def test_whoever_restores_what_has_faded_keeps_it(world: World, shop: Tenant, clock: MovingClock) -> None:
    fading = await write(shop.owner, "org", "weather.today", "pluie", tier="volatile")
    clock.advance(days=40)
    await sweep(world, shop)
    await shop.owner.post(f"{path_of(fading)}/restore")
    assert (await sweep(world, shop)).archived == 0
    assert "pluie" in await block(shop.acting("alice"))


@pytest.mark.parametrize(("tier", "days"), [("session", 7), ("volatile", 90), ("watch", 365), ("standard", 730)])
async def test_what_is_archived_goes_for_good_when_its_time_is_over(
    world: World, shop: Tenant, clock: MovingClock, superuser_url: str, tier: str, days: int
) -> None:
    fact = await write(shop.owner, "org", "weather.today", "pluie-rare", tier=tier)
    pinned = await write(shop.owner, "org", "weather.pinned", "soleil", tier=tier)
    await shop.owner.post(f"{path_of(pinned)}/pin")
    clock.advance(days=days - 0.1)
    assert (await sweep(world, shop)).expired == 0
    assert (await shop.owner.get(path_of(fact))).json()["archived_at"] is not None
    clock.advance(days=0.2)
    assert (await sweep(world, shop)).expired == 1
    assert problem(await shop.owner.get(path_of(fact))) == (404, "not_found")
    assert await happened(shop.owner, fact) == ["created", "archived", "expired"]
    assert await tables_holding(superuser_url, "pluie-rare", shop.org_id) == {}
    assert (await shop.owner.get(path_of(pinned))).json()["archived_at"] is None


async def test_what_was_believed_since_does_not_bring_back_what_it_replaced(
    world: World, shop: Tenant, clock: MovingClock
) -> None:
    old = await write(shop.owner, "org", "weather.today", "pluie", tier="stable")
    await write(shop.owner, "org", "weather.today", "soleil", tier="volatile")
    clock.advance(days=100)
    swept = await sweep(world, shop)
    assert (swept.archived, swept.expired) == (1, 1)
    (left,) = await facts(shop.owner, "org", archived=True)
    assert (left["id"], left["superseded_by"], left["valid_to"] is None) == (old["id"], None, False)
    assert await facts(shop.owner, "org") == []


async def test_a_merged_fact_goes_with_the_one_that_took_it(world: World, shop: Tenant, clock: MovingClock) -> None:
    one = await write(shop.owner, "org", "a", "a", tier="session")
    other = await write(shop.owner, "org", "b", "b", tier="volatile")
    await shop.owner.post(f"{path_of(one)}/merge", json={"into": other["id"]})
    clock.advance(days=50)
    assert (await sweep(world, shop)).expired == 0
    clock.advance(days=50)
    assert (await sweep(world, shop)).expired == 2
    assert await facts(shop.owner, "org", archived=True) == []


async def test_messages_go_and_what_they_said_stays(
    world: World, shop: Tenant, clock: MovingClock, superuser_url: str
) -> None:
    alice = shop.acting("alice")
    await tell(alice, FREE_FROM_60)
    await world.finish_jobs()
    (fact,) = await facts(alice)
    await alice.post(f"{path_of(fact)}/pin")
    clock.advance(days=29)
    assert await sweep(world, shop) == Swept()
    clock.advance(days=2)
    assert await sweep(world, shop) == Swept(jobs=1)
    clock.advance(days=700)
    assert await sweep(world, shop) == Swept(messages=1)
    (left,) = await facts(alice)
    assert (left["id"], left["confirmation_count"]) == (fact["id"], 1)
    assert "60 €" in await block(alice)
    asked = {"query": FREE_FROM_60, "store_id": "shop1", "kinds": ["fact", "message"]}
    found = await alice.post("/memory/search", json=asked)
    assert [hit["kind"] for hit in found.json()["items"]] == ["fact"]
    assert await indexed(superuser_url, shop.org_id) == ["fact"]


async def test_it_stops_when_it_is_told_to(world: World, shop: Tenant, clock: MovingClock) -> None:
    await write(shop.owner, "org", "weather.today", "pluie", tier="session")
    clock.advance(days=30)
    scope = TenantScope(shop.org_id, WORKER, Rank.OWNER)
    assert await Lifecycle(world.container.storage).run(scope, clock(), lambda: False) == Swept(more=True)
    assert len(await facts(shop.owner, "org")) == 1


async def test_many_facts_are_archived_in_several_steps(world: World, shop: Tenant, clock: MovingClock) -> None:
    for number in range(60):
        await write(shop.acting("carla"), "user", f"note.{number}", number, tier="session")
    clock.advance(days=5)
    assert (await sweep(world, shop)).archived == 60
    clock.advance(days=5)
    assert (await sweep(world, shop)).expired == 60


async def test_the_day_s_job_sees_to_it(world: World, shop: Tenant, clock: MovingClock) -> None:
    await write(shop.owner, "org", "weather.today", "pluie", tier="volatile")
    await write(shop.owner, "org", "weather.then", "neige", tier="session")
    clock.advance(days=33)
    asked = await shop.owner.post("/memory/consolidations", json={"all": True})
    await world.finish_jobs()
    job = (await shop.owner.get(f"/memory/jobs/{asked.json()['job_id']}")).json()
    assert (job["status"], job["result"]["archived"], job["result"]["expired"]) == ("done", 2, 1)
    assert [fact["value"] for fact in await facts(shop.owner, "org", archived=True)] == ["pluie"]
