"""What an admin prunes, what is marked as seen, and the memory in numbers."""

from datetime import datetime
from typing import Any

import httpx
import pytest

from tests.support.clock import MovingClock
from tests.support.talk import facts, happened, path_of, problem, recall, tables_holding, tell, write
from tests.support.world import Tenant, World

Json = dict[str, Any]


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member", "carla": None})


async def prune(client: httpx.AsyncClient, **asked: Any) -> Json:
    answer = await client.post("/memory/prune", json=asked)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_pruning_shows_first_and_deletes_when_it_is_on(
    world: World, shop: Tenant, clock: MovingClock, superuser_url: str
) -> None:
    fading = await write(shop.owner, "org", "weather.today", "pluie-rare", tier="session")
    await write(shop.owner, "org", "company.name", "Maison Duval", tier="identity")
    pinned = await write(shop.owner, "org", "weather.pinned", "soleil", tier="session")
    await shop.owner.post(f"{path_of(pinned)}/pin")
    clock.advance(days=3)
    assert await prune(shop.owner, mode="off") == {"mode": "off", "candidates": [], "deleted": 0, "more": False}
    for asked in ({}, {"mode": "dry-run"}):
        shown = await prune(shop.owner, **asked)
        assert [fact["id"] for fact in shown["candidates"]] == [fading["id"]]
        assert (shown["mode"], shown["deleted"]) == ("dry-run", 0)
    done = await prune(shop.owner, mode="on")
    assert ([fact["id"] for fact in done["candidates"]], done["deleted"]) == ([fading["id"]], 1)
    assert problem(await shop.owner.get(path_of(fading))) == (404, "not_found")
    assert await happened(shop.owner, fading) == ["created", "deleted"]
    assert await tables_holding(superuser_url, "pluie-rare", shop.org_id) == {}
    assert (await prune(shop.owner, mode="on"))["candidates"] == []


async def test_what_is_seen_or_reinforced_is_not_pruned(world: World, shop: Tenant, clock: MovingClock) -> None:
    served = await write(shop.owner, "org", "tone", "chaleureux")
    reinforced = await write(shop.owner, "org", "hours", "9 h", audience="everyone")
    unused = await write(shop.owner, "store", "forgotten", "x", store_id="shop1")
    clock.advance(days=20)
    await shop.owner.post(f"{path_of(reinforced)}/confirm")
    await recall(shop.acting("alice"), store_id=None, scopes=["org"])
    await world.container.receipts.close()
    clock.advance(days=5)
    assert [fact["id"] for fact in (await prune(shop.owner, older_than_days=10))["candidates"]] == [unused["id"]]
    shown = (await prune(shop.owner, older_than_days=1))["candidates"]
    assert {fact["id"] for fact in shown} == {served["id"], reinforced["id"], unused["id"]}
    assert (await prune(shop.owner, older_than_days=30))["candidates"] == []


async def test_whose_facts_an_admin_prunes(world: World, shop: Tenant, clock: MovingClock) -> None:
    for person in ("alice", "mia", "carla"):
        await write(shop.acting(person), "user", "weather.today", "pluie", tier="session")
    clock.advance(days=3)
    shown = (await prune(shop.acting("alice")))["candidates"]
    assert {fact["user_id"] for fact in shown} == {"alice", "carla"}
    assert [fact["user_id"] for fact in (await prune(shop.owner, mode="on"))["candidates"]] == ["carla"]
    assert len(await facts(shop.acting("mia"), "user")) == 1
    assert problem(await shop.acting("mia").post("/memory/prune", json={})) == (403, "forbidden")
    limited = shop.with_key(await shop.make_key(store_ids=["shop1"]))
    assert problem(await limited.post("/memory/prune", json={})) == (403, "limited_key")


@pytest.mark.parametrize(
    "asked", [{"mode": "maybe"}, {"older_than_days": -1}, {"older_than_days": 36_501}, {"days": 1}]
)
async def test_bad_prunes_are_refused(shop: Tenant, asked: Json) -> None:
    assert (await shop.owner.post("/memory/prune", json=asked)).status_code == 422


async def test_reading_and_serving_mark_a_fact_as_seen_and_change_nothing(
    world: World, shop: Tenant, clock: MovingClock
) -> None:
    fact = await write(shop.owner, "org", "tone", "chaleureux")
    await write(shop.acting("mia"), "user", "shoe.size", "42")
    first = await shop.owner.get(path_of(fact))
    assert first.json()["last_seen_at"] is None
    await world.container.receipts.close()
    looks = (
        lambda: shop.owner.get(path_of(fact)),
        lambda: shop.owner.get("/memory/facts/org"),
        lambda: recall(shop.acting("alice")),
    )
    for look in looks:
        clock.advance(hours=1)
        earliest = clock()
        await look()
        await world.container.receipts.close()
        latest = clock()
        again = await shop.owner.get(path_of(fact))
        assert earliest <= datetime.fromisoformat(again.json()["last_seen_at"]) <= latest
        assert again.headers["ETag"] == first.headers["ETag"]
        assert again.json()["updated_at"] == first.json()["updated_at"]
        await world.container.receipts.close()
    (mine,) = await facts(shop.acting("mia"), "user")
    assert mine["last_seen_at"] is None


async def test_stats_count_what_is_kept(world: World, shop: Tenant) -> None:
    fact = await write(shop.owner, "org", "tone", "chaleureux")
    await shop.owner.post(f"{path_of(fact)}/confirm")
    await shop.owner.post(f"{path_of(fact)}/pin")
    older = await write(shop.owner, "store", "hours", "9 h")
    await write(shop.owner, "store", "hours", "10 h")
    await write(shop.acting("mia"), "user", "shoe.size", "42", tier="stable")
    await tell(shop.acting("alice"), "Bonjour")
    before = (await shop.acting("mia").get("/memory/stats")).json()
    counts = {(row["scope"], row["tier"], row["state"]): row for row in before["facts"]}
    assert {place: row["count"] for place, row in counts.items()} == {
        ("org", "standard", "live"): 1,
        ("store", "standard", "live"): 1,
        ("store", "standard", "superseded"): 1,
        ("user", "stable", "live"): 1,
    }
    assert counts["org", "standard", "live"]["pinned"] == 1
    assert all(row["bytes"] > 0 for row in before["facts"])
    assert before["rates"] == {"created_per_day": pytest.approx(4 / 30), "confirmed_per_day": pytest.approx(1 / 30)}
    assert (before["messages"]["count"], before["observations"]["count"]) == (1, 0)
    assert (before["open_contradictions"], before["jobs"]) == (0, {"queued": 1})
    await shop.owner.post(f"{path_of(older)}/restore")
    assert (await shop.owner.get("/memory/stats")).json()["open_contradictions"] == 1
    limited = shop.with_key(await shop.make_key(store_ids=["other"]))
    assert {row["scope"] for row in (await limited.get("/memory/stats")).json()["facts"]} == {"org", "user"}
    assert problem(await shop.acting("carla").get("/memory/stats")) == (403, "forbidden")
