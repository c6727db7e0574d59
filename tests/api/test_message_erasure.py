"""Erasing one message: what came of it goes, what others said too stays, and its words stand nowhere."""

import asyncio
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.erasing import went
from tests.support.talk import (
    FREE_FROM_60,
    FREE_FROM_80,
    block,
    facts,
    path_of,
    problem,
    tables_holding,
    turn,
    write,
)
from tests.support.world import Tenant, World

Json = dict[str, Any]


@pytest.fixture
async def shop(world: World) -> Tenant:
    people = {"alice": "owner", "anna": "admin", "mia": "member", "carla": None, "bob": None}
    return await world.organisation(people=people)


@pytest.fixture
def price() -> str:
    """An amount that nothing else in the database says."""
    return f"{100_000 + uuid4().int % 800_000} €"


async def erase(client: httpx.AsyncClient, name: str, **query: str) -> Json:
    answer = await client.delete(f"/memory/messages/{name}", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def say(client: httpx.AsyncClient, content: str, **fields: Any) -> str:
    """Something is said; the id of its message."""
    told = turn(content, **fields)
    answer = await client.post("/memory/turns", json=told)
    assert answer.status_code == 202, answer.text
    return str(told["user_message"]["id"])


async def test_everything_that_came_of_it_goes(world: World, shop: Tenant, superuser_url: str, price: str) -> None:
    alice = shop.acting("alice")
    name = await say(alice, f"Chez nous, la livraison est offerte dès {price}. Je préfère qu'on me vouvoie.")
    await world.finish_jobs()
    assert len(await facts(alice)) == len(await facts(alice, "user")) == 1
    receipt = await erase(alice, name)
    assert went(receipt) == {"facts": 2, "messages": 1, "observations": 1, "event_values": 2}
    assert (receipt["kept"], receipt["remaining"]) == ({"messages": [], "facts": 0}, 0)
    assert await facts(alice) == await facts(alice, "user") == []
    assert await block(alice) == ""
    for words in (price, "vouvoie"):
        assert await tables_holding(superuser_url, words, shop.org_id) == {}
    assert problem(await alice.delete(f"/memory/messages/{name}")) == (404, "not_found")
    trail = (await alice.get("/memory/events")).json()["items"]
    assert [event["kind"] for event in trail if event["kind"] == "erased"] == ["erased"]


async def test_what_another_message_says_too_stays_without_its_words(
    world: World, shop: Tenant, superuser_url: str
) -> None:
    alice = shop.acting("alice")
    first = await say(alice, "Chez nous, la livraison est offerte dès 61,03 €.", conversation_id="first")
    await say(alice, "La livraison est offerte dès 61,03 €.", at=600, conversation_id="second")
    await world.finish_jobs()
    (fact,) = await facts(alice)
    await alice.post(f"{path_of(fact)}/pin")
    await erase(alice, first)
    (left,) = await facts(alice)
    assert (left["confirmation_count"], left["source"]["conversation_id"]) == (1, "second")
    assert left["pinned"] is True
    assert await tables_holding(superuser_url, "Chez nous", shop.org_id) == {}


async def test_what_it_had_replaced_is_believed_again(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await say(alice, FREE_FROM_60)
    name = await say(alice, "Désormais la livraison est offerte dès 80 €.", at=600, conversation_id="later")
    await world.finish_jobs()
    assert [fact["value"] for fact in await facts(alice)] == ["80 €"]
    await erase(alice, name)
    (back,) = await facts(alice)
    assert (back["value"], back["superseded_by"], back["valid_to"]) == ("60 €", None, None)


async def test_a_job_that_has_yet_to_read_it_is_cancelled(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    told = turn(FREE_FROM_60)
    taken = (await alice.post("/memory/turns", json=told)).json()
    receipt = await erase(alice, told["user_message"]["id"])
    assert (receipt["erased"]["jobs"], receipt["erased"]["facts"]) == (1, 0)
    await world.finish_jobs()
    assert (await alice.get(f"/memory/jobs/{taken['job_id']}")).json()["status"] == "cancelled"
    assert await facts(alice) == []


async def test_nothing_survives_a_message_that_is_erased_while_it_is_read(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    for number in range(12):
        name = await say(alice, FREE_FROM_60, conversation_id=f"talk-{number}")
        _, receipt = await asyncio.gather(world.finish_jobs(), erase(alice, name))
        assert receipt["remaining"] == 0
        assert await facts(alice) == await facts(alice, archived=True) == []


async def test_of_several_at_once_one_erases_it(shop: Tenant) -> None:
    alice = shop.acting("alice")
    name = await say(alice, FREE_FROM_60)
    answers = await asyncio.gather(*(alice.delete(f"/memory/messages/{name}") for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 404, 404, 404]


async def test_query_patterns_found_in_it_go(world: World, shop: Tenant) -> None:
    await shop.owner.patch("/memory/settings", json={"domains": {"shipping": ["colis"]}})
    carla = shop.acting("carla")
    name = await say(carla, "Où est mon colis ?")
    await world.finish_jobs()
    assert len((await carla.get("/memory/observations")).json()["items"]) == 1
    assert (await erase(carla, name))["erased"]["observations"] == 1
    assert (await carla.get("/memory/observations")).json()["items"] == []


async def test_an_assistant_s_message_goes_too_and_the_user_s_stays(
    world: World, shop: Tenant, superuser_url: str, price: str
) -> None:
    alice = shop.acting("alice")
    told = turn("Bonjour", answer=f"Votre remise est de {price}.")
    await alice.post("/memory/turns", json=told)
    receipt = await erase(alice, told["assistant_message"]["id"])
    assert (receipt["erased"]["messages"], receipt["erased"]["jobs"]) == (1, 0)
    assert await tables_holding(superuser_url, price, shop.org_id) == {}
    await erase(alice, told["user_message"]["id"])


async def test_posted_again_it_is_refused_whatever_it_says_by_then(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    told = turn(FREE_FROM_60)
    await alice.post("/memory/turns", json=told)
    await world.finish_jobs()
    await erase(alice, told["user_message"]["id"])
    told["user_message"]["content"] = FREE_FROM_80
    taken = (await alice.post("/memory/turns", json=told)).json()
    assert (taken["stored"], taken["extraction"], taken["reason"]) == (0, "skipped", "erased")
    await world.finish_jobs()
    assert await facts(alice) == []


async def test_several_of_one_id_are_told_apart_by_their_conversation(shop: Tenant) -> None:
    alice = shop.acting("alice")
    for conversation in ("one", "two"):
        body = turn("Bonjour", conversation_id=conversation)
        body["user_message"]["id"] = "m1"
        await alice.post("/memory/turns", json=body)
    assert problem(await alice.delete("/memory/messages/m1")) == (409, "ambiguous")
    await erase(alice, "m1", conversation_id="one")
    asked = await alice.delete("/memory/messages/m1", params={"conversation_id": "one"})
    assert problem(asked) == (404, "not_found")
    await erase(alice, "m1")


async def test_people_erase_their_own_and_admins_anybody_s(world: World, shop: Tenant) -> None:
    people = ("mia", "carla", "bob")
    names = {person: await say(shop.acting(person), "Bonjour", conversation_id=person) for person in people}
    for person, name in (("carla", "mia"), ("mia", "carla"), ("bob", "carla")):
        refused = await shop.acting(person).delete(f"/memory/messages/{names[name]}")
        assert problem(refused) == (404, "not_found"), person
    stranger = await world.organisation()
    assert problem(await stranger.owner.delete(f"/memory/messages/{names['mia']}")) == (404, "not_found")
    nobody_s = shop.with_key(await shop.make_key("member"))
    assert problem(await nobody_s.delete(f"/memory/messages/{names['mia']}")) == (404, "not_found")
    await erase(shop.acting("carla"), names["carla"])
    await erase(shop.acting("anna"), names["mia"])
    await erase(shop.owner, names["bob"])


async def test_a_limited_key_erases_within_its_limits(shop: Tenant) -> None:
    name = await say(shop.acting("carla"), "Bonjour")
    elsewhere = shop.with_key(await shop.make_key(act_for_people=True, store_ids=["other"]), "carla")
    assert problem(await elsewhere.delete(f"/memory/messages/{name}")) == (404, "not_found")
    maya = shop.with_key(await shop.make_key(act_for_people=True, agent_ids=["maya"]), "carla")
    assert problem(await maya.delete(f"/memory/messages/{name}")) == (403, "limited_key")
    here = shop.with_key(await shop.make_key(act_for_people=True, store_ids=["shop1"]), "carla")
    await erase(here, name)


@pytest.mark.parametrize("name", ["..", "a b", "x" * 256])
async def test_what_cannot_be_an_id_is_refused(shop: Tenant, name: str) -> None:
    answer = await shop.owner.delete("/memory/messages/" + httpx.URL(path=name).path.replace("..", "%2E%2E"))
    assert answer.status_code == 422, answer.text


async def test_hand_written_facts_stay(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await write(alice, "store", "shipping.free_threshold", "60 €")
    name = await say(alice, FREE_FROM_60, at=3 * 3600)
    await world.finish_jobs()
    assert [fact["confirmation_count"] for fact in await facts(alice)] == [2]
    await erase(alice, name)
    assert [fact["confirmation_count"] for fact in await facts(alice)] == [1]
