"""Lists of facts: every filter, their pages, and whose facts stand in them."""

from typing import Any

import pytest

from tests.support.clock import MovingClock
from tests.support.talk import FREE_FROM_60, FREE_FROM_80, facts, happened, path_of, problem, short, tell, write
from tests.support.world import Tenant, World

WRITTEN: dict[str, dict[str, Any]] = {
    "hours.opening": {"value": "9 h", "content": "Ouvert dès 9 h, l'Été aussi.", "category": "hours", "tags": ["été"]},
    "hours.closing": {"value": "19 h", "category": "hours", "confidence": 0.4},
    "hours_of.sunday": {"value": "fermé", "agent_id": "maya", "tags": ["été", "dimanche"]},
    "shipping.zone": {"value": "100 % France", "audience": "everyone", "tier": "volatile"},
    "shipping.price": {"value": "5 €", "tier": "identity", "confidence": 0.3},
}


@pytest.fixture(scope="module")
async def shop(world: World) -> Tenant:
    """An organisation with facts of its own and of two stores; one is pinned, one archived, two contradict."""
    tenant = await world.organisation(
        people={"alice": "owner", "mia": "member", "carla": None, "dave": None}, stores=("shop1", "shop2")
    )
    made = {key: await write(tenant.owner, "org", key, **fields) for key, fields in WRITTEN.items()}
    await tenant.owner.post(f"{path_of(made['hours.opening'])}/pin")
    await tenant.owner.post(f"{path_of(made['shipping.price'])}/archive")
    await write(tenant.owner, "store", "name", "Lune", store_id="shop2")
    await tell(tenant.acting("alice"), FREE_FROM_60)
    await tell(tenant.acting("alice"), FREE_FROM_80, at=3600)
    await world.finish_jobs()
    for person in ("alice", "carla", "dave"):
        await write(tenant.acting(person), "user", "person.name", person.title())
    return tenant


LIVE = {"hours.opening", "hours.closing", "hours_of.sunday", "shipping.zone"}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, LIVE),
        ({"category": "hours"}, {"hours.opening", "hours.closing"}),
        ({"category": "nothing"}, set()),
        ({"agent": "maya"}, {"hours_of.sunday"}),
        ({"agent": "atlas"}, LIVE - {"hours_of.sunday"}),
        ({"tag": "été"}, {"hours.opening", "hours_of.sunday"}),
        ({"tag": "ét"}, set()),
        ({"key_prefix": "hours."}, {"hours.opening", "hours.closing"}),
        ({"key_prefix": "hours_"}, {"hours_of.sunday"}),
        ({"key_prefix": "%"}, set()),
        ({"min_score": 0.5}, LIVE - {"hours.closing"}),
        ({"min_score": 1}, set()),
        ({"min_score": 0}, LIVE),
        ({"archived": True}, {"shipping.price"}),
        ({"archived": True, "min_score": 0.3}, {"shipping.price"}),
        ({"archived": True, "min_score": 0.31}, set()),
        ({"pinned": True}, {"hours.opening"}),
        ({"pinned": False}, LIVE - {"hours.opening"}),
        ({"contradicted": True}, set()),
        ({"audience": "everyone"}, {"shipping.zone"}),
        ({"audience": "team", "category": "general"}, {"hours_of.sunday"}),
        ({"text": "ouvert DÈS"}, {"hours.opening"}),
        ({"text": "l'été"}, {"hours.opening"}),
        ({"text": "100 %"}, {"shipping.zone"}),
        ({"text": "_"}, set()),
        ({"text": "x') OR 1=1--"}, set()),
        ({"tag": "x') OR 1=1--"}, set()),
        ({"tag": "été", "agent": "atlas", "pinned": True, "text": "9 h"}, {"hours.opening"}),
    ],
    ids=lambda given: str(given) if isinstance(given, dict) else "",
)
async def test_filters_narrow_together(shop: Tenant, query: dict[str, Any], found: set[str]) -> None:
    assert {fact["key"] for fact in await facts(shop.owner, "org", **query)} == found
    counted = await shop.owner.get("/memory/facts/org", params={**query, "limit": 1, "total": True})
    assert counted.json()["total"] == len(found)


async def test_scores_fade_with_time(shop: Tenant, clock: MovingClock) -> None:
    clock.advance(days=14)
    scores = {fact["key"]: fact["score"] for fact in await facts(shop.owner, "org")}
    assert scores["shipping.zone"] == pytest.approx(0.5, abs=0.001)
    assert scores["hours.opening"] == pytest.approx(0.5 ** (14 / 90), abs=0.001)
    assert "shipping.zone" not in {fact["key"] for fact in await facts(shop.owner, "org", min_score=0.51)}
    assert "shipping.zone" in {fact["key"] for fact in await facts(shop.owner, "org", min_score=0.49)}


async def test_contradictions_are_listed_with_both_their_values(shop: Tenant) -> None:
    rivals = await facts(shop.owner, "store", contradicted=True)
    assert [fact["value"] for fact in rivals] == ["80 €", "60 €"]
    newer, older = (fact["score"] for fact in rivals)
    assert older == pytest.approx(newer / 2, rel=0.01)


async def test_stores_are_listed_alone_or_together(shop: Tenant) -> None:
    async def stores(**query: Any) -> set[str]:
        return {fact["store_id"] for fact in await facts(shop.acting("mia"), "store", **query)}

    assert await stores() == {"shop1", "shop2"}
    assert await stores(store_id="shop2") == {"shop2"}
    assert await stores(store_id="never-made") == set()


async def test_a_limited_key_lists_what_lies_within_its_limits(shop: Tenant) -> None:
    of_shop2 = shop.with_key(await shop.make_key(store_ids=["shop2"]))
    assert {fact["store_id"] for fact in await facts(of_shop2, "store")} == {"shop2"}
    assert problem(await of_shop2.get("/memory/facts/store", params={"store_id": "shop1"})) == (404, "not_found")
    assert problem(await of_shop2.post("/memory/facts/org", json={"key": "a", "value": 1})) == (403, "limited_key")
    assert {fact["key"] for fact in await facts(of_shop2, "org")} == LIVE
    of_otis = shop.with_key(await shop.make_key(agent_ids=["otis"]))
    assert {fact["key"] for fact in await facts(of_otis, "org")} == LIVE - {"hours_of.sunday"}
    assert await facts(of_otis, "org", agent="maya") == []


async def test_people_read_their_own(shop: Tenant) -> None:
    for person in ("alice", "carla", "dave"):
        for client in (shop.acting(person), shop.token(person)):
            assert [fact["value"] for fact in await facts(client, "user")] == [person.title()]
    assert await facts(shop.acting("mia"), "user") == []
    assert problem(await shop.token("mia").get("/memory/facts/user", params={"user_id": "carla"}))[0] in (404, 422)


@pytest.mark.parametrize("scope", ["org", "store"])
async def test_a_contact_lists_no_shared_facts(shop: Tenant, scope: str) -> None:
    assert problem(await shop.acting("carla").get(f"/memory/facts/{scope}")) == (403, "forbidden")


async def test_an_admin_lists_contacts_and_no_operator(shop: Tenant) -> None:
    admin = shop.with_key(await shop.make_key("admin"))
    assert {fact["user_id"] for fact in await facts(admin, "user")} == {"carla", "dave"}
    (carla,) = await facts(admin, "user", user_id="carla")
    assert problem(await admin.get("/memory/facts/user", params={"user_id": "alice"})) == (404, "not_found")
    member = shop.with_key(await shop.make_key("member"))
    assert problem(await member.get("/memory/facts/user")) == (422, "person_required")
    assert problem(await member.get("/memory/facts/user", params={"user_id": "carla"})) == (404, "not_found")
    trail = (await shop.owner.get("/memory/events", params={"kind": "read"})).json()["items"]
    assert len(trail) >= 2
    assert await happened(shop.owner, carla) == ["created"]


async def test_pages_show_each_fact_once_while_others_are_written(world: World) -> None:
    shop = await world.organisation()
    for number in range(7):
        await write(shop.owner, "org", f"number.{number}", number)
    seen: list[int] = []
    query: dict[str, Any] = {"limit": 2}
    while True:
        page = (await shop.owner.get("/memory/facts/org", params=query)).json()
        seen += [fact["value"] for fact in page["items"]]
        if page["next_cursor"] is None:
            break
        query["cursor"] = page["next_cursor"]
        await write(shop.owner, "org", f"later.{len(seen)}", 0)
    assert seen == [6, 5, 4, 3, 2, 1, 0]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": 0},
        {"limit": -1},
        {"limit": 10**9},
        {"min_score": 1.1},
        {"min_score": "nan"},
        {"archived": "maybe"},
        {"audience": "world"},
        {"agent": ""},
        {"text": ""},
        {"text": "x" * 401},
        {"top_k": 5},
        {"org_id": "another"},
        {"user_id": "carla"},
    ],
    ids=short,
)
async def test_what_cannot_be_filtered_by_is_refused(shop: Tenant, query: dict[str, Any]) -> None:
    assert problem(await shop.owner.get("/memory/facts/org", params=query)) == (422, "invalid_request")


@pytest.mark.parametrize("name", ["text", "tag", "category", "key_prefix"])
async def test_a_nul_in_a_filter_is_refused(shop: Tenant, name: str) -> None:
    answer = await shop.owner.get("/memory/facts/org", params={name: "a\0b"})
    assert answer.status_code in (400, 422)


async def test_a_cursor_of_another_list_is_refused(shop: Tenant) -> None:
    page = (await shop.owner.get("/memory/facts/org", params={"limit": 1})).json()
    for path, query in (("org", {"tag": "été"}), ("store", {}), ("org", {"archived": True})):
        answer = await shop.owner.get(f"/memory/facts/{path}", params={**query, "cursor": page["next_cursor"]})
        assert problem(answer) == (400, "bad_cursor")
