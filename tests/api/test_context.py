"""POST /memory/context: for whom the block is, what prevails in it, and when it is empty."""

from typing import Any

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.support.talk import (
    FREE_FROM_60,
    FREE_FROM_80,
    SHIPPING,
    block,
    facts,
    path_of,
    problem,
    recall,
    short,
    tables_holding,
    tell,
    write,
)
from tests.support.world import Tenant, World


@pytest.fixture
async def shop(world: World) -> Tenant:
    people = {"alice": "owner", "mia": "member", "carla": None}
    return await world.organisation(people=people, stores=("shop1", "shop2"))


async def served(shop: Tenant, person: str = "alice", **asked: Any) -> list[Any]:
    """The contents that the person is served, sorted."""
    return sorted(fact["content"] for fact in (await recall(shop.acting(person), **asked))["facts"])


async def test_the_answer_says_what_was_served(shop: Tenant) -> None:
    alice = shop.acting("alice")
    pinned = await write(alice, "user", "person.name", "Alice")
    await alice.post(f"{path_of(pinned)}/pin")
    plain = await write(alice, "store", SHIPPING, "80 €", content="Offerte dès 80 €.", confidence=0.5)
    context = await recall(alice)
    assert set(context) >= {"receipt_id", "block", "tokens", "facts", "degraded", "reason"}
    told = [(fact["id"], fact["scope"], fact["key"], fact["content"], fact["tier"]) for fact in context["facts"]]
    assert told == [
        (pinned["id"], "user", "person.name", "Alice", "core"),
        (plain["id"], "store", SHIPPING, "Offerte dès 80 €.", "working"),
    ]
    assert [fact["score"] for fact in context["facts"]] == pytest.approx([1.0, 0.5], abs=0.01)
    tokens = context["tokens"]
    assert tokens["total"] == tokens["core"] + tokens["working"] + tokens["archival"] > 0
    assert min(tokens["core"], tokens["working"]) > 0


async def test_the_nearest_scope_prevails(shop: Tenant) -> None:
    alice = shop.acting("alice")
    made = {scope: await write(alice, scope, "tone", f"of the {scope}") for scope in ("org", "store", "user")}
    assert await served(shop) == ["of the user"]
    assert await served(shop, store_id="shop2") == ["of the user"]
    assert await served(shop, "mia") == ["of the store"]
    assert await served(shop, "mia", store_id="shop2") == ["of the org"]
    assert await served(shop, "mia", store_id=None) == ["of the org"]
    await alice.post(f"{path_of(made['user'])}/archive")
    assert await served(shop) == ["of the store"]


async def test_the_own_pocket_prevails_over_the_shared_one(shop: Tenant) -> None:
    await write(shop.owner, "org", "tone", "of atlas")
    await write(shop.owner, "org", "tone", "of maya", agent_id="maya")
    assert await served(shop, agent_id="maya") == ["of maya"]
    assert await served(shop, agent_id="otis") == ["of atlas"]
    assert await served(shop) == ["of atlas"]
    await write(shop.owner, "store", "tone", "of the store")
    assert await served(shop, agent_id="maya") == ["of the store"]


async def test_a_contradicted_key_has_one_value(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, FREE_FROM_60)
    await tell(alice, FREE_FROM_80, at=600)
    await world.finish_jobs()
    assert await served(shop) == [FREE_FROM_80]
    (older,) = [fact for fact in await facts(alice, contradicted=True) if fact["value"] == "60 €"]
    await alice.post(f"{path_of(older)}/pin")
    assert await served(shop) == [FREE_FROM_60]
    assert "80" not in await block(alice)


async def test_an_outranked_value_does_not_come_back_by_asking(shop: Tenant) -> None:
    alice = shop.acting("alice")
    await write(alice, "org", "tone", "of the org", tags=["t"])
    await write(alice, "user", "tone", "of the user")
    assert await served(shop, scopes=["org"]) == []
    assert await served(shop, tags=["t"]) == []


async def test_what_is_asked_for_narrows(shop: Tenant) -> None:
    alice = shop.acting("alice")
    await write(alice, "org", "a", "org", tags=["x", "y"])
    await write(alice, "store", "b", "store", tags=["y"], confidence=0.5)
    await write(alice, "user", "c", "user")
    assert await served(shop, scopes=["org", "user"]) == ["org", "user"]
    assert await served(shop, tags=["y"]) == ["org", "store"]
    assert await served(shop, min_score=0.6) == ["org", "user"]
    assert await served(shop, tags=["y"], min_score=0.6) == ["org"]


async def test_a_contact_is_served_their_own_and_what_is_for_everyone(shop: Tenant) -> None:
    for scope in ("org", "store"):
        await write(shop.owner, scope, f"{scope}.secret", f"team of {scope}")
        await write(shop.owner, scope, f"{scope}.open", f"open {scope}", audience="everyone")
    await write(shop.acting("carla"), "user", "shoe.size", "42")
    await write(shop.acting("mia"), "user", "shoe.size", "37")
    assert await served(shop, "carla") == ["42", "open org", "open store"]
    assert await served(shop, "nobody-known") == ["open org", "open store"]
    assert await served(shop, "mia") == ["37", "open org", "open store", "team of org", "team of store"]


async def test_a_team_s_value_does_not_hide_what_is_for_everyone(shop: Tenant) -> None:
    await write(shop.owner, "org", "returns", "30 jours", audience="everyone")
    await write(shop.owner, "store", "returns", "60 jours en interne")
    assert await served(shop, "carla") == ["30 jours"]
    assert await served(shop, "mia") == ["60 jours en interne"]


async def test_an_unknown_person_reads_nothing_and_is_not_made(shop: Tenant, superuser_url: str) -> None:
    context = await recall(shop.owner, user_id="somebody-unheard-of", conversation_id="unheard-talk")
    assert (context["block"], context["facts"], context["reason"]) == ("", [], None)
    assert context["tokens"] == {"core": 0, "working": 0, "archival": 0, "total": 0}
    await shop.world.container.receipts.close()
    assert await tables_holding(superuser_url, "somebody-unheard-of") == {}


async def test_reading_about_a_store_not_seen_before_makes_none(shop: Tenant) -> None:
    assert (await recall(shop.acting("alice"), store_id="shop-unseen"))["block"] == ""
    assert problem(await shop.owner.get(f"{shop.path}/stores/shop-unseen")) == (404, "not_found")


async def test_it_is_silent_for_whom_wants_no_memory(shop: Tenant) -> None:
    await write(shop.owner, "org", "tone", "warm")
    await shop.owner.put(f"{shop.path}/people/mia", json={"role": "member", "remember": False})
    opted_out = await recall(shop.acting("mia"))
    assert (opted_out["block"], opted_out["facts"], opted_out["reason"]) == ("", [], "person_opted_out")
    assert await served(shop) == ["warm"]
    await shop.owner.patch("/memory/settings", json={"enabled": False})
    disabled = await recall(shop.acting("alice"))
    assert (disabled["block"], disabled["facts"], disabled["reason"]) == ("", [], "disabled")


@pytest.mark.parametrize(
    ("limits", "asked"),
    [({"store_ids": ["shop1"]}, {"store_id": "shop2"}), ({"agent_ids": ["otis"]}, {"agent_id": "maya"})],
)
async def test_limits_of_a_key_are_limits_of_its_blocks(
    shop: Tenant, limits: dict[str, Any], asked: dict[str, str]
) -> None:
    await write(shop.owner, "org", "tone", "warm")
    limited = shop.with_key(await shop.make_key(act_for_people=True, **limits), "alice")
    assert problem(await limited.post("/memory/context", json=asked)) == (404, "not_found")
    assert [fact["content"] for fact in (await recall(limited))["facts"]] == ["warm"]


async def test_the_organisation_itself_may_ask(shop: Tenant) -> None:
    await write(shop.owner, "org", "tone", "warm")
    await write(shop.acting("alice"), "user", "shoe.size", "38")
    context = await recall(shop.owner)
    assert [fact["content"] for fact in context["facts"]] == ["warm"]


@pytest.mark.parametrize(("locked", "missing"), [("org_facts", []), ("rules", ["rules"])])
async def test_what_is_not_ready_in_time_is_named_never_passed_off_as_empty(
    shop: Tenant, superuser_url: str, locked: str, missing: list[str]
) -> None:
    await write(shop.owner, "org", "tone", "warm")
    rules = (await shop.owner.put("/memory/rules", json={"markdown": "# Rules"})).json()["markdown"]
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.begin() as somebody_s_long_change:
        await somebody_s_long_change.execute(text(f"lock table {locked} in access exclusive mode"))
        late = await recall(shop.acting("alice"), deadline_ms=400)
    assert (late["block"], late["facts"], late["degraded"]) == ("", [], [*missing, "core", "working"])
    assert late["rules"] == (None if missing else {"markdown": rules, "etag": '"1"'})
    assert (late["receipt_id"], late["reason"]) != (None, "disabled")
    assert await served(shop) == ["warm"]


@pytest.mark.parametrize(
    "changes",
    [
        {"budget_tokens": -1},
        {"budget_tokens": 1.5},
        {"budget_tokens": True},
        {"deadline_ms": 0},
        {"min_score": 1.1},
        {"min_score": "0.5"},
        {"scopes": []},
        {"scopes": ["world"]},
        {"tags": "x"},
        {"agent_id": ""},
        {"user_id": "alice", "channel": "whatsapp", "channel_address": "1"},
        {"query": "é" * 2049},
        {"metadata": {}},
    ],
    ids=short,
)
async def test_what_is_no_question_is_refused(shop: Tenant, changes: dict[str, Any]) -> None:
    answer = await shop.acting("alice").post("/memory/context", json=changes)
    assert problem(answer) == (422, "invalid_request")
