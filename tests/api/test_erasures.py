"""Erasing people, stores, memories and organisations: their words are nowhere, and others' are as they were."""

from uuid import uuid4

import pytest

from tests.support.erasing import erase, leave_words, word
from tests.support.talk import (
    FREE_FROM_60,
    block,
    facts,
    problem,
    send,
    tables_holding,
    tell,
    turn,
    write,
)
from tests.support.world import Tenant, World

PEOPLE = {"olga": "owner", "anna": "admin", "mia": "member", "carla": None}


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people=PEOPLE, stores=("shop1", "shop2"))


async def seen(tenant: Tenant, said: str) -> list[str]:
    """Where the owner still meets the word, over HTTP."""
    found = []
    for path in ("/memory/export", "/memory/events", "/memory/facts/store", "/memory/facts/org", "/memory/jobs"):
        answer = await tenant.acting("olga").get(path, params={} if path == "/memory/export" else {"limit": 200})
        found += [path] if said in answer.text else []
    asked = {"query": said, "store_id": "shop1"}
    answer = await tenant.acting("olga").post("/memory/search", json=asked)
    return found + (["search"] if said in answer.text else [])


async def test_a_person_is_nowhere_any_more(world: World, shop: Tenant, superuser_url: str) -> None:
    person, said = f"user-{word()}", word()
    await leave_words(world, shop, person, said)
    await leave_words(world, shop, "mia", other := word())
    await tell(shop.acting("mia"), f"Chez nous, le transporteur est {said}.")
    await world.finish_jobs()
    assert {"messages", "user_facts", "observations"} <= set(await tables_holding(superuser_url, said))
    receipt = await erase(shop.acting(person), f"/memory/users/{person}")
    assert receipt["remaining"] == 0
    assert receipt["completed_at"] is not None
    assert {name: receipt["erased"][name] > 0 for name in ("facts", "messages", "observations", "event_values")} == (
        dict.fromkeys(("facts", "messages", "observations", "event_values"), True)
    )
    assert await tables_holding(superuser_url, person) == {}
    assert len(receipt["searched"]) > 15
    rest = await tables_holding(superuser_url, said)
    await erase(shop.acting("mia"), "/memory/users/mia")
    assert rest != {}, "mia had said it too"
    assert await tables_holding(superuser_url, said) == await tables_holding(superuser_url, other) == {}
    assert await seen(shop, said) == []


async def test_shared_facts_that_the_owner_keeps_are_nobody_s(world: World, shop: Tenant, superuser_url: str) -> None:
    person, said = f"user-{word()}", word()
    await shop.owner.put(f"{shop.path}/people/{person}", json={"role": "member"})
    await tell(shop.acting(person), f"Chez nous, le transporteur est {said}.")
    await world.finish_jobs()
    (fact,) = await facts(shop.acting("olga"))
    assert problem(await shop.acting("anna").delete(f"/memory/users/{person}", params={"keep": "shared"})) == (
        403,
        "forbidden",
    )
    receipt = await erase(shop.acting("olga"), f"/memory/users/{person}", keep="shared")
    assert (receipt["kept"]["facts"], receipt["remaining"]) == (1, 0)
    (kept,) = await facts(shop.acting("olga"))
    assert (kept["id"], kept["value"]) == (fact["id"], fact["value"])
    assert (kept["source"]["author"], kept["source"]["message_id"]) == ("", None)
    assert await tables_holding(superuser_url, person) == {}


async def test_who_comes_back_starts_empty_and_what_was_erased_is_refused(world: World, shop: Tenant) -> None:
    turns = await leave_words(world, shop, "carla", said := word())
    await erase(shop.acting("anna"), "/memory/users/carla")
    for one in turns:
        taken = await send(shop.acting("carla"), one)
        assert (taken["extraction"], taken["reason"], taken["stored"], taken["job_id"]) == (
            "skipped",
            "erased",
            0,
            None,
        )
    late = turn(f"Je préfère le thé {said}.")  # sent before she was erased, on its way since
    assert (await send(shop.acting("carla"), late))["reason"] == "erased"
    happened = {"items": [{"type": "note", "content": said, "occurred_at": late["user_message"]["sent_at"]}]}
    kept = await shop.acting("carla").post("/memory/observations", json=happened)
    assert kept.json()["items"][0]["status"] == "skipped"
    assert (await shop.owner.get(f"{shop.path}/people/carla")).status_code == 404
    new = turn("Je préfère le café.")
    new["user_message"]["sent_at"] = world.container.clock().isoformat()
    assert (await send(shop.acting("carla"), new))["stored"] == 1
    await world.finish_jobs()
    assert said not in await block(shop.acting("carla"))


async def test_a_message_that_was_erased_is_refused_as_often_as_it_comes(world: World, shop: Tenant) -> None:
    told = turn(FREE_FROM_60, answer="Entendu.")
    alice = shop.acting("olga")
    await send(alice, told)
    await world.finish_jobs()
    await erase(alice, f"/memory/messages/{told['user_message']['id']}")
    for fields in ({}, {"conversation_id": "c1"}):
        assert (await send(alice, {**told, **fields}))["reason"] == "erased"
    await world.finish_jobs()
    assert await facts(alice) == []
    assert (await send(alice, {**told, "conversation_id": "another"}))["reason"] is None


async def test_a_store_goes_and_what_was_said_there_of_people_stays_theirs(
    world: World, shop: Tenant, superuser_url: str
) -> None:
    said, store = word(), f"store-{word()}"
    await write(shop.acting("olga"), "org", "motto", "Vite et bien")
    turns = await leave_words(world, shop, "carla", said, store)
    words = "Elle boit du thé vert le soir"
    await tell(shop.acting("carla"), f"{words}. Je préfère qu'on me vouvoie.", store_id=store)
    await world.finish_jobs()
    before = {fact["key"]: fact["value"] for fact in await facts(shop.acting("carla"), "user")}
    seen_there = {key for key in before if key.startswith(("entity_", "tool_", "domain_"))}
    assert seen_there
    receipt = await erase(shop.acting("olga"), f"/memory/stores/{store}")
    assert (receipt["remaining"], receipt["kept"]["facts"] > 0) == (0, True)
    assert await tables_holding(superuser_url, store) == await tables_holding(superuser_url, words) == {}
    after = await facts(shop.acting("carla"), "user")
    assert {fact["key"]: fact["value"] for fact in after} == {
        key: value for key, value in before.items() if key not in seen_there
    }
    assert all(fact["source"]["message_id"] is None for fact in after)
    assert [fact["value"] for fact in await facts(shop.acting("olga"), "org")] == ["Vite et bien"]
    assert (await send(shop.acting("carla"), turns[0]))["reason"] == "erased"


async def test_what_is_shared_goes_and_messages_and_people_s_own_stay(world: World, shop: Tenant) -> None:
    said = word()
    await leave_words(world, shop, "mia", said)
    await write(shop.acting("olga"), "org", "motto", said)
    mine = await facts(shop.acting("mia"), "user")
    refused = await shop.acting("olga").delete("/memory", params={"confirm": "another", "scope": "shared"})
    assert problem(refused) == (422, "confirm")
    receipt = await erase(shop.acting("olga"), "/memory", confirm=shop.org_id, scope="shared")
    assert (receipt["remaining"], receipt["erased"]["messages"]) == (0, 0)
    assert await facts(shop.acting("olga")) == await facts(shop.acting("olga"), "org") == []
    assert {fact["id"] for fact in await facts(shop.acting("mia"), "user")} == {fact["id"] for fact in mine}
    assert f"transporteur est {said}" not in await block(shop.acting("mia"), query=f"transporteur {said}")
    assert (
        f"transporteur est {said}"
        in (await shop.acting("mia").post("/memory/search", json={"query": said, "store_id": "shop1"})).text
    )


async def test_all_that_is_remembered_goes_and_the_shop_stands(world: World, shop: Tenant, superuser_url: str) -> None:
    said = word()
    await leave_words(world, shop, "mia", said)
    await shop.acting("olga").put("/memory/rules", json={"markdown": "Toujours vouvoyer."})
    receipt = await erase(shop.acting("olga"), "/memory", confirm=shop.org_id)
    assert receipt["remaining"] == 0
    assert await tables_holding(superuser_url, said) == {}
    assert await seen(shop, said) == []
    assert (await shop.owner.get(f"{shop.path}/people/mia")).json()["role"] == "member"
    assert (await shop.owner.get("/memory/rules")).json()["markdown"] == "Toujours vouvoyer."
    await tell(shop.acting("mia"), FREE_FROM_60)
    await world.finish_jobs()
    assert len(await facts(shop.acting("mia"))) == 1


async def test_an_organisation_goes_and_its_receipt_outlives_it(world: World, superuser_url: str) -> None:
    tenant, neighbour = [await world.organisation(people=PEOPLE) for _ in range(2)]
    said = word()
    await leave_words(world, tenant, "mia", said)
    await leave_words(world, neighbour, "mia", kept := word())
    before = await tables_holding(superuser_url, kept)
    receipt = await erase(world.platform, tenant.path)
    assert (receipt["kind"], receipt["remaining"]) == ("organisation", 0)
    assert await tables_holding(superuser_url, said) == await tables_holding(superuser_url, tenant.org_id) == {}
    assert await tables_holding(superuser_url, kept) == before
    assert problem(await tenant.acting("mia").get("/memory/facts/user"))[0] == 401
    again = (await world.platform.get(f"/erasures/{receipt['receipt_id']}")).json()
    assert {**again, "completed_at": None} == {
        "receipt_id": receipt["receipt_id"],
        "kind": "organisation",
        "erased": receipt["erased"],
        "remaining": 0,
        "completed_at": None,
    }
    job = (await world.platform.get(f"/jobs/{receipt['receipt_id']}")).json()
    assert (job["status"], job["kind"]) == ("done", "erasure")
    assert (await world.platform.get(f"/jobs/{uuid4()}")).status_code == 404


async def test_a_person_goes_everywhere(world: World, superuser_url: str) -> None:
    person, said = f"user-{word()}", word()
    shops = [await world.organisation(people={"olga": "owner", person: "owner"}) for _ in range(2)]
    for shop in shops:
        await leave_words(world, shop, person, said)
    receipt = await erase(world.platform, f"/people/{person}")
    assert (receipt["kind"], receipt["remaining"]) == ("person", 0)
    assert receipt["erased"]["messages"] == 10
    assert await tables_holding(superuser_url, person) == await tables_holding(superuser_url, said) == {}
    assert (await world.platform.get(f"/erasures/{receipt['receipt_id']}")).json() == receipt
    assert problem(await world.platform.delete(f"/people/{person}")) == (404, "not_found")
    alone = await world.organisation(people={person: "owner"})
    assert problem(await world.platform.delete(f"/people/{person}")) == (409, "last_owner")
    assert (await alone.owner.get(f"{alone.path}/people/{person}")).status_code == 200
