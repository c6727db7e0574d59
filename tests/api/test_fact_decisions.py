"""Pin, unpin, archive, restore, confirm: what people decide about a fact, and how it holds."""

from typing import Any

import httpx
import pytest

from tests.support.clock import MovingClock
from tests.support.talk import (
    FREE_FROM_60,
    FREE_FROM_80,
    SHIPPING,
    block,
    facts,
    happened,
    path_of,
    recall,
    tell,
    write,
)
from tests.support.world import Tenant, World

Fact = dict[str, Any]
ABOUT: dict[str, dict[str, str]] = {"org": {}, "store": {"store_id": "shop1"}, "user": {}}


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "carla": None})


async def decide(client: httpx.AsyncClient, fact: Fact, verb: str) -> Fact:
    answer = await client.post(f"{path_of(fact)}/{verb}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


@pytest.mark.parametrize("scope", ["org", "store", "user"])
async def test_each_decision_shows_at_once_and_in_the_trail(shop: Tenant, scope: str) -> None:
    alice = shop.acting("alice")
    fact = await write(alice, scope, "delivery.days", "le mardi", **ABOUT[scope])
    assert (await decide(alice, fact, "pin"))["pinned"] is True
    assert [served["tier"] for served in (await recall(alice))["facts"]] == ["core"]
    assert (await decide(alice, fact, "unpin"))["pinned"] is False
    assert [served["tier"] for served in (await recall(alice))["facts"]] == ["working"]
    archived = await decide(alice, fact, "archive")
    assert archived["archived_at"] is not None
    assert (await facts(alice, scope), await block(alice)) == ([], "")
    restored = await decide(alice, fact, "restore")
    assert (restored["id"], restored["archived_at"]) == (fact["id"], None)
    assert "le mardi" in await block(alice)
    assert (await decide(alice, fact, "confirm"))["confirmation_count"] == 2
    expected = ["created", "pinned", "unpinned", "archived", "restored", "confirmed"]
    assert await happened(alice, fact) == expected


@pytest.mark.parametrize("verbs", [("pin", "pin"), ("unpin",), ("archive", "archive"), ("restore",)])
async def test_what_is_already_so_stays_as_it_is(shop: Tenant, verbs: tuple[str, ...]) -> None:
    fact = await write(shop.owner, "org", "delivery.days", "le mardi")
    answers = [await decide(shop.owner, fact, verb) for verb in verbs]
    assert answers[-1] == {**answers[0], "strength": answers[-1]["strength"], "score": answers[-1]["score"]}
    assert len(await happened(shop.owner, fact)) == len(verbs)


async def test_confirming_twice_counts_twice_and_keeps_one_row(shop: Tenant) -> None:
    fact = await write(shop.owner, "org", "delivery.days", "le mardi", confidence=0.5)
    await decide(shop.owner, fact, "confirm")
    twice = await decide(shop.owner, fact, "confirm")
    assert (twice["id"], twice["confirmation_count"]) == (fact["id"], 3)
    assert len(await facts(shop.owner, "org")) == 1


async def test_a_contact_decides_about_their_own_facts(shop: Tenant) -> None:
    carla = shop.acting("carla")
    fact = await write(carla, "user", "shoe.size", "42")
    for verb in ("pin", "unpin", "archive", "restore", "confirm"):
        await decide(carla, fact, verb)
    (kept,) = await facts(carla, "user")
    assert (kept["confirmation_count"], kept["trust"]) == (2, "contact")


async def test_a_pinned_fact_does_not_fade_out_of_the_block(shop: Tenant, clock: MovingClock) -> None:
    pinned = await write(shop.owner, "org", "delivery.days", "le mardi", tier="session")
    await write(shop.owner, "org", "weather.today", "pluie", tier="session")
    await decide(shop.owner, pinned, "pin")
    clock.advance(days=60)
    text = await block(shop.acting("alice"))
    assert "le mardi" in text
    assert "pluie" not in text


async def test_pinning_restores(shop: Tenant) -> None:
    fact = await write(shop.owner, "org", "delivery.days", "le mardi")
    await decide(shop.owner, fact, "archive")
    pinned = await decide(shop.owner, fact, "pin")
    assert (pinned["pinned"], pinned["archived_at"]) == (True, None)


async def test_a_pin_moves_to_the_edited_successor(shop: Tenant) -> None:
    fact = await write(shop.owner, "org", "delivery.days", "le mardi")
    await decide(shop.owner, fact, "pin")
    edited = (await shop.owner.patch(path_of(fact), json={"value": "le jeudi"})).json()
    assert edited["pinned"] is True
    text = await block(shop.acting("alice"))
    assert "le jeudi" in text
    assert "le mardi" not in text


async def test_restoring_what_was_replaced_opens_a_contradiction(shop: Tenant) -> None:
    first = await write(shop.owner, "org", "hours.opening", "9 h")
    second = await write(shop.owner, "org", "hours.opening", "10 h")
    await decide(shop.owner, first, "restore")
    assert {fact["value"] for fact in await facts(shop.owner, "org", contradicted=True)} == {"9 h", "10 h"}
    await decide(shop.owner, first, "pin")
    assert [served["id"] for served in (await recall(shop.acting("alice")))["facts"]] == [first["id"]]
    await decide(shop.owner, second, "archive")
    assert await facts(shop.owner, "org", contradicted=True) == []


async def test_an_archived_value_that_is_said_again_is_believed_again(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, FREE_FROM_60)
    await world.finish_jobs()
    (fact,) = await facts(alice)
    await decide(alice, fact, "archive")
    await tell(alice, FREE_FROM_60, at=4 * 3600, conversation_id="later")
    await world.finish_jobs()
    (again,) = await facts(alice)
    assert (again["value"], again["confirmation_count"]) == ("60 €", 2)


async def test_a_late_message_undoes_no_decision(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, FREE_FROM_60, at=600)
    await world.finish_jobs()
    (fact,) = await facts(alice)
    await decide(alice, fact, "archive")
    await tell(alice, FREE_FROM_60, at=0, conversation_id="late")
    await world.finish_jobs()
    assert await facts(alice) == []
    assert (await alice.get(path_of(fact))).json()["confirmation_count"] == 2


@pytest.mark.parametrize("act", ["write", "confirm", "edit"])
@pytest.mark.parametrize(
    "said",
    [FREE_FROM_80, "Désormais la livraison est offerte dès 80 €.", "En fait, la livraison est offerte dès 80 €."],
    ids=["statement", "update", "correction"],
)
async def test_what_is_hand_written_is_shielded_from_the_chat(world: World, shop: Tenant, act: str, said: str) -> None:
    alice = shop.acting("alice")
    fact = await shielded(world, shop, act)
    for number in range(4):  # more often than chat needs against chat
        at = 3 * 3600 + 600 * number
        talk = f"talk-{number}"
        await tell(alice, "Et la livraison ?", at=at, answer="Offerte dès 60 €.", conversation_id=talk)
        await tell(alice, said, at=at + 30, conversation_id=talk)
    await world.finish_jobs()
    assert {row["value"] for row in await facts(alice, contradicted=True)} == {"60 €", "80 €"}
    text = await block(alice)
    assert "60 €" in text
    assert "80 €" not in text
    assert (await alice.get(path_of(fact))).json()["archived_at"] is None


async def shielded(world: World, shop: Tenant, act: str) -> Fact:
    """60 €, by hand in one of three ways."""
    alice = shop.acting("alice")
    if act == "write":
        return await write(alice, "store", SHIPPING, "60 €", content=FREE_FROM_60)
    await tell(alice, FREE_FROM_60 if act == "confirm" else FREE_FROM_80)
    await world.finish_jobs()
    (said,) = await facts(alice)
    if act == "confirm":
        return await decide(alice, said, "confirm")
    return dict((await alice.patch(path_of(said), json={"value": "60 €"})).json())
