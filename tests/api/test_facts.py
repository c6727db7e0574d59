"""Facts by hand: written, read, edited, and what is refused as one."""

from typing import Any

import pytest

from tests.support.talk import (
    FREE_FROM_60,
    SHIPPING,
    block,
    facts,
    happened,
    history,
    path_of,
    problem,
    short,
    tell,
    write,
)
from tests.support.world import Tenant, World


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member", "carla": None})


ABOUT: dict[str, dict[str, str]] = {"org": {}, "store": {"store_id": "shop1"}, "user": {}}


@pytest.mark.parametrize("scope", ["org", "store", "user"])
async def test_a_fact_written_by_hand_stands_at_once(shop: Tenant, scope: str) -> None:
    alice = shop.acting("alice")
    body = {"key": SHIPPING, "value": "80 €", "content": "Livraison offerte dès 80 €.", **ABOUT[scope]}
    made = await alice.post(f"/memory/facts/{scope}", json=body)
    assert made.status_code == 201
    fact = made.json()
    expected = {
        "scope": scope,
        "store_id": "shop1" if scope == "store" else None,
        "user_id": "alice" if scope == "user" else None,
        "agent_id": "atlas",
        "value": "80 €",
        "content": "Livraison offerte dès 80 €.",
        "confidence": 1.0,
        "confirmation_count": 1,
        "audience": "team",
        "trust": "admin",
        "tier": "standard",
        "half_life_days": 90.0,
        "pinned": False,
        "contradicted": False,
    }
    assert {name: fact[name] for name in expected} == expected
    assert (fact["source"]["author"], fact["source"]["message_id"]) == ("alice", None)
    assert (await alice.get(path_of(fact))).json()["id"] == fact["id"]
    assert await happened(alice, fact) == ["created"]
    assert "Livraison offerte dès 80 €." in await block(alice)


async def test_the_same_value_again_is_a_confirmation(shop: Tenant) -> None:
    first = await write(shop.owner, "org", "hours.opening", "9 h")
    again = await shop.owner.post("/memory/facts/org", json={"key": "hours.opening", "value": " 9 H. "})
    assert again.status_code == 200
    assert (again.json()["id"], again.json()["confirmation_count"]) == (first["id"], 2)
    assert len(await facts(shop.owner, "org")) == 1
    assert await happened(shop.owner, first) == ["created", "confirmed"]


async def test_another_value_supersedes_at_once(shop: Tenant) -> None:
    first = await write(shop.owner, "org", "hours.opening", "9 h")
    second = await write(shop.owner, "org", "hours.opening", "10 h")
    assert [fact["id"] for fact in await facts(shop.owner, "org")] == [second["id"]]
    old = (await shop.owner.get(path_of(first))).json()
    assert (old["superseded_by"], old["valid_to"]) == (second["id"], second["valid_from"])
    assert await happened(shop.owner, first) == ["created", "superseded"]


async def test_a_hand_outranks_a_message_whose_clock_is_ahead(world: World, shop: Tenant) -> None:
    await tell(shop.acting("alice"), FREE_FROM_60, at=3 * 3600)
    await world.finish_jobs()
    written = await write(shop.owner, "store", SHIPPING, "80 €")
    assert [fact["id"] for fact in await facts(shop.owner)] == [written["id"]]
    edited = (await shop.owner.patch(path_of(written), json={"value": "90 €"})).json()
    assert [fact["id"] for fact in await facts(shop.owner)] == [edited["id"]]


async def test_a_key_that_holds_many_keeps_them_side_by_side(shop: Tenant) -> None:
    for name in ("Lumo", "Vega", "Lumo"):
        await write(shop.owner, "org", "suppliers", name, many=True)
    found = {
        fact["value"]: (fact["confirmation_count"], fact["contradicted"]) for fact in await facts(shop.owner, "org")
    }
    assert found == {"Lumo": (2, False), "Vega": (1, False)}
    text = await block(shop.acting("alice"))
    assert "Lumo" in text
    assert "Vega" in text


@pytest.mark.parametrize(
    "value",
    [True, 0, -1.5, "", "0", [], {}, [1, {"a": [None]}], {"user_id": "mia", "org_id": "x"}, "👨‍👩‍👧", "a\u2028b"],
    ids=short,
)
async def test_a_value_comes_back_as_it_was_given(shop: Tenant, value: Any) -> None:
    fact = await write(shop.acting("alice"), "user", "any.thing", value)
    read = (await shop.acting("alice").get(path_of(fact))).json()
    assert (read["value"], type(read["value"])) == (value, type(value))
    assert read["user_id"] == "alice"


async def test_an_edit_answers_the_successor(shop: Tenant) -> None:
    alice = shop.acting("alice")
    fact = await write(alice, "store", SHIPPING, "80 €", content="Livraison offerte dès 80 €.", tags=["prix"])
    answer = await alice.patch(path_of(fact), json={"value": "90 €"})
    successor = answer.json()
    assert answer.status_code == 200
    assert answer.headers["content-location"] == path_of(successor) != path_of(fact)
    assert (successor["value"], successor["content"]) == ("90 €", "Livraison offerte dès 90 €.")
    assert (successor["tags"], successor["source"]["reason"]) == (["prix"], "edited")
    assert successor["source"]["author"] == "alice"
    closed = (await alice.get(path_of(fact))).json()
    assert (closed["value"], closed["superseded_by"]) == ("80 €", successor["id"])
    assert closed["valid_to"] == successor["valid_from"]
    assert await happened(alice, fact) == ["created", "superseded"]
    assert await happened(alice, successor) == ["edited"]
    text = await block(alice)
    assert "90 €" in text
    assert "80" not in text


async def test_only_the_wording_is_edited_too(shop: Tenant) -> None:
    fact = await write(shop.owner, "store", SHIPPING, "80 €", content="Offerte dès 80 €.")
    edited = (await shop.owner.patch(path_of(fact), json={"content": "Livraison offerte à partir de 80 €."})).json()
    assert edited["id"] != fact["id"]
    assert (edited["value"], edited["content"]) == ("80 €", "Livraison offerte à partir de 80 €.")
    assert [row["id"] for row in await facts(shop.owner)] == [edited["id"]]


async def test_a_closed_row_takes_no_new_value(shop: Tenant) -> None:
    fact = await write(shop.owner, "store", SHIPPING, "80 €")
    await shop.owner.patch(path_of(fact), json={"value": "90 €"})
    assert problem(await shop.owner.patch(path_of(fact), json={"value": "70 €"})) == (409, "not_live")
    assert problem(await shop.owner.post(f"{path_of(fact)}/confirm")) == (409, "not_live")
    assert [row["value"] for row in await facts(shop.owner)] == ["90 €"]


@pytest.mark.parametrize(
    "changes",
    [
        {"category": "shipping"},
        {"tags": ["a", "b"]},
        {"tags": []},
        {"tier": "volatile"},
        {"half_life_days": 3.5},
        {"confidence": 0.5},
        {"many": True},
        {"audience": "everyone"},
    ],
    ids=short,
)
async def test_other_fields_change_in_place(shop: Tenant, changes: dict[str, Any]) -> None:
    fact = await write(shop.owner, "org", "hours.opening", "9 h", tags=["old"])
    answer = await shop.owner.patch(path_of(fact), json=changes)
    changed = answer.json()
    assert "content-location" not in answer.headers
    assert changed["id"] == fact["id"]
    assert {name: changed[name] for name in changes} == changes
    assert (changed["value"], changed["created_at"]) == (fact["value"], fact["created_at"])
    assert (await shop.owner.get(path_of(fact))).json()["updated_at"] == changed["updated_at"] > fact["updated_at"]
    assert await happened(shop.owner, fact) == ["created", "edited"]


async def test_an_edit_of_a_chat_s_fact_holds_against_late_words(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, FREE_FROM_60, at=600)
    await world.finish_jobs()
    (said,) = await facts(alice)
    edited = (await alice.patch(path_of(said), json={"value": "65 €"})).json()
    await tell(alice, FREE_FROM_60, at=0, conversation_id="late")
    await world.finish_jobs()
    (standing,) = await facts(alice)
    assert (standing["id"], standing["value"], standing["contradicted"]) == (edited["id"], "65 €", False)
    assert (await alice.get(path_of(said))).json()["confirmation_count"] == 2


async def test_a_fact_s_past_can_be_told(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    said = await tell(alice, FREE_FROM_60)
    await world.finish_jobs()
    (first,) = await facts(alice)
    second = (await alice.patch(path_of(first), json={"value": "70 €"})).json()
    third = (await alice.patch(path_of(second), json={"value": "80 €"})).json()
    await alice.post(f"{path_of(third)}/pin")
    past = await history(alice, third)
    assert said["job_id"]
    assert past["fact"]["id"] == third["id"]
    assert [row["id"] for row in past["predecessors"]] == [second["id"], first["id"]]
    assert {row["id"] for row in past["rivals"]} == {first["id"], second["id"]}
    assert [(entry["kind"], entry["value"], entry["verdict"]) for entry in past["sources"]] == [
        ("message", "60 €", None),
        ("hand", "70 €", None),
        ("hand", "80 €", None),
        ("decision", None, "pin"),
    ]
    stated = past["sources"][0]
    assert (stated["evidence"], stated["author"], stated["conversation_id"]) == (FREE_FROM_60, "alice", "c1")
    assert [event["kind"] for event in reversed(past["events"])] == ["edited", "pinned"]
    assert past["events"][1]["new"]["value"] == "80 €"
