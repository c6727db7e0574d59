"""Who may erase whom, who reads the receipt, and what an answer that was kept says afterwards."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.erasing import erase, word
from tests.support.talk import FREE_FROM_60, facts, path_of, problem, send, tables_holding, turn, write
from tests.support.world import Tenant, World, speaking

PEOPLE = {"olga": "owner", "anna": "admin", "mia": "member", "carla": None}


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people=PEOPLE, stores=("shop1", "shop2"))


@pytest.mark.parametrize(
    ("who", "whom", "status"),
    [
        ("carla", "carla", 200),
        ("mia", "mia", 200),
        ("anna", "carla", 200),
        ("anna", "mia", 200),
        ("olga", "anna", 200),
        ("mia", "carla", 404),
        ("carla", "mia", 404),
        ("anna", "olga", 403),
        ("olga", "olga", 409),
        ("anna", "nobody", 404),
        ("nobody", "nobody", 404),
    ],
)
async def test_who_may_erase_whom(shop: Tenant, who: str, whom: str, status: int) -> None:
    assert (await shop.acting(who).delete(f"/memory/users/{whom}")).status_code == status


async def test_limited_keys_erase_no_more_than_single_things(shop: Tenant) -> None:
    limited: tuple[dict[str, Any], ...] = ({"store_ids": ["shop1"]}, {"agent_ids": ["maya"]})
    for limits in limited:
        client = shop.with_key(await shop.make_key(act_for_people=True, **limits))
        for path in ("/memory/stores/shop1", "/memory", "/memory/users/carla"):
            assert problem(await client.delete(path, params={"confirm": shop.org_id} if path == "/memory" else {})) == (
                403,
                "limited_key",
            )


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/memory/users/carla", "kep=shared"),
        ("/memory/stores/shop1", "keep=shared"),
        ("/memory", "confirm={org}&scop=shared"),
        ("/memory", "confirm=another&confirm={org}"),
        ("/memory/messages/m1", "conversationid=c1"),
    ],
)
async def test_a_mistyped_wish_erases_nothing(shop: Tenant, path: str, query: str) -> None:
    refused = await shop.acting("olga").delete(f"{path}?{query.format(org=shop.org_id)}")
    assert problem(refused) == (422, "invalid_request")
    assert (await shop.owner.get(f"{shop.path}/people/carla")).status_code == 200
    assert (await shop.owner.get(f"{shop.path}/stores/shop1")).status_code == 200


async def test_how_a_person_amended_what_is_shared_goes_with_them(shop: Tenant, superuser_url: str) -> None:
    said = word()
    fact = await write(shop.owner, "org", "motto", "Vite")
    assert (await shop.acting("anna").patch(path_of(fact), json={"category": said, "tags": [said]})).status_code == 200
    await erase(shop.acting("olga"), "/memory/users/anna")
    assert await tables_holding(superuser_url, said) == {}
    (kept,) = await facts(shop.owner, "org")
    assert (kept["id"], kept["value"], kept["tags"]) == (fact["id"], "Vite", [])


async def test_the_receipt_is_read_by_admins_by_whom_it_was_about_and_by_nobody_else(
    world: World, shop: Tenant
) -> None:
    receipt = await erase(shop.acting("carla"), "/memory/users/carla")
    path = f"/memory/erasures/{receipt['receipt_id']}"
    for person in ("carla", "anna", "olga"):
        assert (await shop.acting(person).get(path)).json() == receipt
    assert problem(await shop.acting("mia").get(path)) == (404, "not_found")
    limited = shop.with_key(await shop.make_key(act_for_people=True, store_ids=["shop1"]))
    assert problem(await limited.get(path)) == (404, "not_found")
    other = await world.organisation(people=PEOPLE)
    assert problem(await other.acting("olga").get(path)) == (404, "not_found")
    assert problem(await world.platform.get(f"/erasures/{receipt['receipt_id']}")) == (404, "not_found")


async def test_kept_messages_leave_the_receipt_when_they_go(world: World, shop: Tenant) -> None:
    olga = shop.acting("olga")
    said: dict[str, Any] = turn(FREE_FROM_60)
    await send(olga, said)
    await world.finish_jobs()
    (fact,) = await facts(olga)
    receipt = await erase(olga, path_of(fact))
    kept = {"conversation_id": "c1", "message_id": said["user_message"]["id"]}
    path = f"/memory/erasures/{receipt['receipt_id']}"
    assert receipt["kept"] == {"messages": [kept], "facts": 0} == (await olga.get(path)).json()["kept"]
    await erase(olga, f"/memory/messages/{kept['message_id']}")
    assert (await olga.get(path)).json()["kept"] == {"messages": [], "facts": 0}


async def test_an_answer_that_named_them_is_not_given_again(world: World, shop: Tenant) -> None:
    person, key = f"user-{word()}", {"Idempotency-Key": uuid4().hex}
    wanted = {"key": "drink", "value": "thé", "user_id": person}
    assert (await shop.owner.post("/memory/facts/user", json=wanted, headers=key)).status_code == 201
    wish = {"Idempotency-Key": uuid4().hex}
    path = f"/memory/users/{person}"
    assert (await shop.acting(person).patch(path, json={"remember": True}, headers=wish)).status_code == 200
    await erase(shop.acting(person), path)
    assert (await shop.owner.post("/memory/facts/user", json=wanted, headers=key)).status_code == 404
    assert (await shop.acting(person).patch(path, json={"remember": True}, headers=wish)).status_code in (200, 404)
    assert (await shop.owner.get(f"{shop.path}/people/{person}")).status_code == 404


async def test_only_the_platform_asks_for_what_lies_in_no_organisation(world: World, shop: Tenant) -> None:
    for path in (f"/erasures/{uuid4()}", f"/jobs/{uuid4()}"):
        assert problem(await shop.owner.get(path)) == (403, "forbidden")
        assert problem(await speaking(world.app).get(path))[0] == 401
    assert problem(await shop.owner.delete("/people/carla")) == (403, "forbidden")
    assert (await shop.owner.get(f"{shop.path}/people/carla")).status_code == 200
