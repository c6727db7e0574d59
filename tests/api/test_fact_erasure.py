"""DELETE of a fact: its words are gone from every place, and what had been replaced does not come back."""

from itertools import count
from typing import Any

import httpx
import pytest

from tests.support.erasing import NOTHING, went
from tests.support.talk import (
    FREE_FROM_60,
    FREE_FROM_80,
    block,
    facts,
    happened,
    history,
    path_of,
    problem,
    tables_holding,
    tell,
    write,
)
from tests.support.world import Tenant, World

_prices = count(1000)


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "bob": "member", "carla": None})


@pytest.fixture
def price() -> str:
    """A value that no other test of this database has."""
    return f"{next(_prices)},31 €"


def free_from(price: str) -> str:
    return f"Chez nous, la livraison est offerte dès {price}."


async def erase(client: httpx.AsyncClient, fact: dict[str, Any], **query: Any) -> dict[str, Any]:
    answer = await client.delete(path_of(fact), params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def learnt(world: World, shop: Tenant, content: str, scope: str = "store", **said: Any) -> dict[str, Any]:
    """The one fact that stands after this was said."""
    await tell(shop.acting("alice"), content, **said)
    await world.finish_jobs()
    (fact,) = await facts(shop.acting("alice"), scope)
    return fact


async def test_a_fact_goes_and_the_message_that_says_it_stays(
    world: World, shop: Tenant, superuser_url: str, price: str
) -> None:
    alice = shop.acting("alice")
    fact = await learnt(world, shop, free_from(price))
    receipt = await erase(alice, fact)
    assert {name: receipt[name] for name in ("erased", "remaining")} == {
        "erased": {**NOTHING, "facts": 1, "event_values": 1},
        "remaining": 0,
    }
    assert receipt["kept"] == {
        "messages": [
            {
                "conversation_id": fact["source"]["conversation_id"],
                "message_id": fact["source"]["message_id"],
            }
        ],
        "facts": 0,
    }
    assert receipt["completed_at"] >= fact["updated_at"]
    assert problem(await alice.get(path_of(fact))) == (404, "not_found")
    assert problem(await alice.delete(path_of(fact))) == (404, "not_found")
    assert await facts(alice) == await facts(alice, archived=True) == []
    assert await block(alice) == ""
    assert await tables_holding(superuser_url, price) == {"messages": 1}
    assert await happened(alice, fact) == ["created", "deleted"]
    trail = (await alice.get("/memory/events", params={"fact": fact["id"]})).json()["items"]
    assert {(event["old"], event["new"]) for event in trail} == {(None, None)}


async def test_with_sources_takes_the_messages_too(world: World, shop: Tenant, superuser_url: str, price: str) -> None:
    alice = shop.acting("alice")
    await tell(alice, free_from(price), conversation_id="first")
    fact = await learnt(world, shop, free_from(price), at=600, conversation_id="second")
    assert fact["confirmation_count"] == 2
    receipt = await erase(alice, fact, with_sources=True)
    assert went(receipt) == {"facts": 1, "messages": 2, "observations": 2, "event_values": 2}
    assert (receipt["kept"], receipt["remaining"]) == ({"messages": [], "facts": 0}, 0)
    assert await tables_holding(superuser_url, price) == {}


async def test_with_sources_takes_all_that_came_of_those_messages(
    world: World, shop: Tenant, superuser_url: str, price: str
) -> None:
    alice = shop.acting("alice")
    await tell(alice, f"{free_from(price)} Je préfère qu'on me vouvoie.", answer="Entendu.")
    await world.finish_jobs()
    (fact,) = await facts(alice)
    (other,) = await facts(alice, "user")
    receipt = await erase(alice, fact, with_sources=True)
    assert receipt["erased"]["facts"] == 2
    assert problem(await alice.get(path_of(other))) == (404, "not_found")
    assert await block(alice) == ""
    assert await tables_holding(superuser_url, "vouvoie", shop.org_id) == {}


async def test_another_message_keeps_what_it_says_itself(world: World, shop: Tenant, price: str) -> None:
    alice = shop.acting("alice")
    await tell(alice, f"{free_from(price)} Je préfère qu'on me vouvoie.", conversation_id="both")
    await tell(alice, "Je préfère qu'on me vouvoie.", at=600, conversation_id="one")
    await world.finish_jobs()
    (fact,) = await facts(alice)
    await erase(alice, fact, with_sources=True)
    (kept,) = await facts(alice, "user")
    assert (kept["confirmation_count"], kept["source"]["conversation_id"]) == (1, "one")
    assert (await alice.get(path_of(kept))).status_code == 200


@pytest.mark.parametrize("with_sources", [False, True])
async def test_what_it_had_replaced_does_not_come_back(world: World, shop: Tenant, with_sources: bool) -> None:
    alice = shop.acting("alice")
    await tell(alice, FREE_FROM_60)
    fact = await learnt(world, shop, "Désormais la livraison est offerte dès 80 €.", at=600, conversation_id="later")
    assert fact["value"] == "80 €"
    await erase(alice, fact, with_sources=with_sources)
    assert await facts(alice) == []
    assert await block(alice) == ""
    (old,) = await facts(alice, archived=True)
    assert (old["value"], old["superseded_by"]) == ("60 €", None)
    assert old["valid_to"] is not None


async def test_a_rival_stands_alone_afterwards(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, FREE_FROM_60)
    await tell(alice, FREE_FROM_80, at=600)
    await world.finish_jobs()
    newer, older = await facts(alice, contradicted=True)
    await erase(alice, newer)
    (standing,) = await facts(alice)
    assert (standing["id"], standing["contradicted"]) == (older["id"], False)
    assert standing["score"] == pytest.approx(0.8, abs=0.01)


async def test_earlier_rows_of_the_same_value_go_with_it(
    world: World, shop: Tenant, superuser_url: str, price: str
) -> None:
    alice = shop.acting("alice")
    first = await write(alice, "store", "shipping.price", price)
    await write(alice, "store", "shipping.price", "5 €")
    again = await write(alice, "store", "shipping.price", price)
    assert first["id"] != again["id"]
    receipt = await erase(alice, again)
    assert (receipt["erased"]["facts"], receipt["remaining"]) == (2, 0)
    assert await tables_holding(superuser_url, price) == {}
    assert [row["value"] for row in await facts(alice, archived=True)] == ["5 €"]


async def test_the_words_of_an_edit_go_with_either_of_its_rows(shop: Tenant, superuser_url: str, price: str) -> None:
    fact = await write(shop.owner, "store", "shipping.price", price)
    edited = (await shop.owner.patch(path_of(fact), json={"value": "5 €"})).json()
    await erase(shop.owner, fact)
    assert await tables_holding(superuser_url, price) == {}
    past = await history(shop.owner, edited)
    assert (past["predecessors"], past["rivals"]) == ([], [])
    assert [row["value"] for row in await facts(shop.owner)] == ["5 €"]


async def test_a_decided_fact_leaves_nothing(shop: Tenant, superuser_url: str, price: str) -> None:
    fact = await write(shop.owner, "store", "shipping.price", price, tags=["une-marque-rare"])
    await shop.owner.patch(path_of(fact), json={"tags": ["une-autre-marque-rare"]})
    for verb in ("pin", "unpin", "archive", "restore", "confirm"):
        await shop.owner.post(f"{path_of(fact)}/{verb}")
    await erase(shop.owner, fact)
    for words in (price, "une-marque-rare", "une-autre-marque-rare"):
        assert await tables_holding(superuser_url, words) == {}


async def test_an_erased_value_may_be_learnt_anew(world: World, shop: Tenant, price: str) -> None:
    fact = await learnt(world, shop, free_from(price))
    await erase(shop.acting("alice"), fact)
    anew = await learnt(world, shop, free_from(price), at=600)
    assert anew["id"] != fact["id"]
    assert anew["confirmation_count"] == 1


async def test_only_that_fact_of_that_person_goes(world: World, shop: Tenant) -> None:
    people = [shop.acting(name) for name in ("alice", "bob", "carla")]
    for person in people:
        for number in range(3):
            await write(person, "user", f"note.{number}", number)
    target = (await facts(people[0], "user", key_prefix="note.1"))[0]
    before = await block(people[1]), await block(people[2])
    await erase(people[0], target)
    assert [fact["value"] for fact in await facts(people[0], "user")] == [2, 0]
    assert [len(await facts(person, "user")) for person in people[1:]] == [3, 3]
    assert (await block(people[1]), await block(people[2])) == before


async def test_a_contact_erases_their_own_fact(world: World, shop: Tenant, superuser_url: str) -> None:
    carla = shop.acting("carla")
    await tell(carla, "J'habite à Zanzibarbourg.")
    await world.finish_jobs()
    (fact,) = await facts(carla, "user")
    receipt = await erase(carla, fact, with_sources=True)
    assert receipt["remaining"] == 0
    assert await tables_holding(superuser_url, "Zanzibarbourg") == {}


async def test_what_was_not_yet_read_is_no_source_of_the_erased_fact(
    world: World, shop: Tenant, superuser_url: str, price: str
) -> None:
    alice = shop.acting("alice")
    fact = await learnt(world, shop, free_from(price))
    waiting = await tell(alice, free_from(price), at=600, conversation_id="waiting")
    await erase(alice, fact, with_sources=True)
    await world.finish_jobs()
    job = (await alice.get(f"/memory/jobs/{waiting['job_id']}")).json()
    assert (job["status"], job["result"]["facts_created"]) == ("done", 1)
    (anew,) = await facts(alice)
    assert anew["confirmation_count"] == 1
    await erase(alice, anew, with_sources=True)
    assert await tables_holding(superuser_url, price) == {}
