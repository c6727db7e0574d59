"""Many turns at once: each is judged for itself, and a bad one takes no other with it."""

import json
from typing import Any

import pytest

from tests.support.talk import FORMAL, facts, faults, problem, send, short, tables_holding, turn
from tests.support.world import Tenant, World


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member"})


def poisons() -> dict[str, Any]:
    """Items of which nothing may be kept, by the code that says why."""
    mine = turn("Bonjour.")
    return {
        "invalid_request": {**mine, "conversation_id": ""},
        "person_mismatch": {**mine, "user_id": "mia"},
        "time_ahead": {**mine, "user_message": {**mine["user_message"], "sent_at": "2999-01-01T00:00:00Z"}},
        "repeated_id": {**mine, "assistant_message": mine["user_message"]},
    }


@pytest.mark.parametrize("place", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("code", list(poisons()))
async def test_a_bad_item_is_refused_by_its_place(shop: Tenant, place: int, code: str) -> None:
    items = [turn(f"Bonjour {number}.", answer="Bonjour.") for number in range(4)]
    items.insert(place, poisons()[code])
    answered = (await send(shop.acting("alice"), {"items": items}))["items"]
    assert [item.get("stored") for item in answered] == [None if at == place else 2 for at in range(5)]
    refused = answered[place]["error"]
    assert (refused["status"], refused["code"]) == (422, code)
    assert refused["errors"]


@pytest.mark.parametrize("item", [None, 7, "turn", [], {}])
async def test_what_is_no_object_is_refused_alone(shop: Tenant, item: Any) -> None:
    answered = (await send(shop.acting("alice"), {"items": [item, turn("Bonjour.")]}))["items"]
    assert (answered[0]["error"]["code"], answered[1]["stored"]) == ("invalid_request", 1)


async def test_all_kinds_of_fate_in_one_batch(world: World, shop: Tenant) -> None:
    known = turn(FORMAL, conversation_id="known")
    first = await send(shop.acting("alice"), known)
    other_words = {**known, "user_message": {**known["user_message"], "content": "Tutoyez-moi."}}
    skipped = turn("Rien à garder. #noremember")
    answered = (await send(shop.acting("alice"), {"items": [known, other_words, skipped]}))["items"]
    assert (answered[0]["job_id"], answered[0]["stored"]) == (first["job_id"], 0)
    assert (answered[1]["error"]["status"], answered[1]["error"]["code"]) == (409, "message_conflict")
    assert (answered[2]["extraction"], answered[2]["reason"]) == ("skipped", "noremember")
    await world.finish_jobs()
    (fact,) = await facts(shop.acting("alice"), "user")
    assert (fact["content"], fact["confirmation_count"]) == (FORMAL, 1)


async def test_items_may_speak_for_different_people(world: World, shop: Tenant) -> None:
    items = [turn(FORMAL, user_id=person, conversation_id=person) for person in ("alice", "mia", "somebody-new")]
    answered = (await send(shop.owner, {"items": items}))["items"]
    assert [item["stored"] for item in answered] == [1, 1, 1]
    await world.finish_jobs()
    for person in ("alice", "mia", "somebody-new"):
        (fact,) = await facts(shop.owner, "user", user_id=person)
        assert fact["user_id"] == person


async def test_a_hundred_items_pass_and_one_more_does_not(shop: Tenant, superuser_url: str) -> None:
    hundred = [turn(f"Bonjour {number}.", conversation_id="a-hundred") for number in range(100)]
    answered = (await send(shop.acting("alice"), {"items": hundred}))["items"]
    assert [item["stored"] for item in answered] == [1] * 100
    assert len({item["job_id"] for item in answered}) == 100
    assert (await tables_holding(superuser_url, "a-hundred"))["messages"] == 100

    more = [turn("Bonjour.", conversation_id="one-more") for _ in range(101)]
    assert problem(await shop.acting("alice").post("/memory/turns", json={"items": more})) == (422, "invalid_request")
    assert await tables_holding(superuser_url, "one-more") == {}


async def test_a_batch_of_refusals_is_one(shop: Tenant, superuser_url: str) -> None:
    items = [{**poison, "store_id": "never-made"} for poison in poisons().values()]
    answer = await shop.acting("alice").post("/memory/turns", json={"items": items})
    assert problem(answer) == (422, "all_refused")
    assert faults(answer) == [(f"/items/{place}", code) for place, code in enumerate(poisons())]
    assert await tables_holding(superuser_url, "never-made") == {}


@pytest.mark.parametrize("body", [{"items": []}, {"items": {}}, {"items": None}, {"items": [{}], "more": 1}], ids=short)
async def test_what_is_no_batch_is_refused(shop: Tenant, body: Any) -> None:
    assert problem(await shop.acting("alice").post("/memory/turns", json=body)) == (422, "invalid_request")


@pytest.mark.parametrize("spoilt", ["Bon\0jour", "Bon\ud800jour"], ids=["nul", "half-a-letter"])
async def test_text_that_no_database_takes_refuses_the_body(shop: Tenant, superuser_url: str, spoilt: str) -> None:
    body = {"items": [turn("Bonjour.", conversation_id="spoilt"), turn(spoilt, conversation_id="spoilt")]}
    headers = {"content-type": "application/json"}
    answer = await shop.acting("alice").post("/memory/turns", content=json.dumps(body), headers=headers)
    assert answer.status_code == 400
    assert await tables_holding(superuser_url, "spoilt") == {}
