"""Facts that mean the same, merged by hand, kept together whatever is said later, and taken apart again."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.support.talk import block, facts, faults, happened, history, path_of, problem, tables_holding, tell, write
from tests.support.world import Tenant, World

Json = dict[str, Any]
WORDS = "Chez nous, la livraison est offerte dès 60 €."
VOLATILE = {"strength", "score", "last_seen_at", "updated_at"}


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member", "carla": None})


async def merge(client: httpx.AsyncClient, fact: Json, into: Json) -> httpx.Response:
    return await client.post(f"{path_of(fact)}/merge", json={"into": into["id"]})


async def merged(client: httpx.AsyncClient, fact: Json, into: Json) -> Json:
    answer = await merge(client, fact, into)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def read(client: httpx.AsyncClient, fact: Json) -> Json:
    return dict((await client.get(path_of(fact))).json())


def lasting(fact: Json) -> Json:
    return {name: value for name, value in fact.items() if name not in VOLATILE}


@pytest.mark.parametrize(("scope", "about"), [("org", {}), ("store", {}), ("user", {})])
async def test_one_stands_for_both(shop: Tenant, scope: str, about: Json) -> None:
    alice = shop.acting("alice")
    one = await write(alice, scope, "shipping.free", "60 €", tags=["price"], **about)
    other = await write(alice, scope, "delivery.free", "sixty euros", tags=["shop"], **about)
    away = await merged(alice, one, other)
    assert (away["id"], away["merged_into"], away["archived_at"] is None) == (one["id"], other["id"], False)
    (standing,) = await facts(alice, scope)
    assert (standing["id"], standing["confirmation_count"]) == (other["id"], 2)
    assert standing["tags"] == ["shop", "price"]
    text = await block(alice)
    assert "sixty euros" in text
    assert "60 €" not in text
    assert [row["id"] for row in await facts(alice, scope, archived=True)] == [one["id"]]
    assert (await happened(alice, one))[-1] == "merged"


async def test_the_words_of_either_find_the_one_that_stands(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, WORDS)
    await world.finish_jobs()
    (said,) = await facts(alice)
    taker = await write(alice, "store", "delivery.free", "soixante", content="Port gratuit au-dessus de soixante.")
    await merged(alice, said, taker)
    for query in ("livraison offerte", "port gratuit"):
        answer = await alice.post("/memory/search", json={"query": query, "store_id": "shop1"})
        hits = [(hit["kind"], hit["content"], hit["superseded"]) for hit in answer.json()["items"]]
        assert ("fact", taker["content"], False) in hits
        assert not any(superseded for *_, superseded in hits)
        assert ("fact", said["content"], False) not in hits


async def test_unmerging_leaves_both_as_they_were(shop: Tenant) -> None:
    alice = shop.acting("alice")
    one = await write(alice, "store", "shipping.free", "60 €", tags=["price"])
    other = await write(alice, "store", "delivery.free", "sixty euros", tags=["shop"])
    before = [lasting(await read(alice, fact)) for fact in (one, other)]
    assert lasting((await alice.post(f"{path_of(one)}/unmerge")).json()) == before[0]
    await merged(alice, one, other)
    answer = await alice.post(f"{path_of(one)}/unmerge")
    assert answer.status_code == 200, answer.text
    assert answer.json()["merged_into"] is None
    assert [lasting(await read(alice, fact)) for fact in (one, other)] == before
    assert (await happened(alice, one))[-2:] == ["merged", "unmerged"]
    assert (await merged(alice, one, other))["merged_into"] == other["id"]


async def test_what_is_said_again_counts_for_the_one_that_stands(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, WORDS)
    await world.finish_jobs()
    (said,) = await facts(alice)
    other = await write(alice, "store", "delivery.free", "sixty euros")
    await merged(alice, said, other)
    for number in range(2):
        await tell(alice, WORDS, at=600 * (number + 1), conversation_id=f"again-{number}")
    await world.finish_jobs()
    (standing,) = await facts(alice)
    assert (standing["id"], standing["confirmation_count"]) == (other["id"], 4)
    assert (await read(alice, said))["confirmation_count"] == 3
    assert (await alice.post(f"{path_of(said)}/unmerge")).json()["confirmation_count"] == 3
    assert {row["value"]: row["confirmation_count"] for row in await facts(alice)} == {"60 €": 3, "sixty euros": 1}


async def test_rivals_of_one_key_that_mean_the_same_are_no_contradiction(shop: Tenant) -> None:
    older = await write(shop.owner, "org", "hours.opening", "9 h")
    newer = await write(shop.owner, "org", "hours.opening", "nine")
    await shop.owner.post(f"{path_of(older)}/restore")
    assert len(await facts(shop.owner, "org", contradicted=True)) == 2
    await merged(shop.owner, older, newer)
    (standing,) = await facts(shop.owner, "org")
    assert (standing["value"], standing["contradicted"], standing["confirmation_count"]) == ("nine", False, 2)
    assert (await shop.owner.get("/memory/contradictions", params={"status": "open"})).json()["items"] == []


async def test_erasing_a_message_takes_what_it_lent(world: World, shop: Tenant, superuser_url: str) -> None:
    alice = shop.acting("alice")
    await tell(alice, "Chez nous, la livraison est offerte dès 61,07 €.", conversation_id="first")
    await world.finish_jobs()
    (said,) = await facts(alice)
    await alice.patch(path_of(said), json={"tags": ["marque-rare"]})
    other = await write(alice, "store", "delivery.free", "sixty euros")
    await merged(alice, said, other)
    assert (await read(alice, other))["tags"] == ["marque-rare"]
    gone = await alice.delete(f"/memory/messages/{said['source']['message_id']}")
    assert gone.status_code == 200, gone.text
    (standing,) = await facts(alice)
    assert (standing["id"], standing["confirmation_count"], standing["tags"]) == (other["id"], 1, [])
    for words in ("61,07", "marque-rare"):
        assert await tables_holding(superuser_url, words, shop.org_id) == {}


async def test_erasing_the_one_that_stands_erases_what_went_into_it(shop: Tenant, superuser_url: str) -> None:
    one = await write(shop.owner, "org", "shipping.free", "61,08 €")
    other = await write(shop.owner, "org", "delivery.free", "sixty-one euros eight")
    await merged(shop.owner, one, other)
    receipt = (await shop.owner.delete(path_of(other))).json()
    assert (receipt["erased"]["facts"], receipt["remaining"]) == (2, 0)
    for words in ("61,08", "sixty-one euros eight"):
        assert await tables_holding(superuser_url, words, shop.org_id) == {}


async def test_when_the_one_that_stands_was_never_said_the_other_stands_again(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    one = await write(alice, "store", "delivery.free", "sixty euros")
    await tell(alice, WORDS)
    await world.finish_jobs()
    (said,) = [row for row in await facts(alice) if row["value"] == "60 €"]
    await merged(alice, one, said)
    await alice.delete(f"/memory/messages/{said['source']['message_id']}")
    (standing,) = await facts(alice)
    assert (standing["id"], standing["merged_into"], standing["confirmation_count"]) == (one["id"], None, 1)


async def test_what_is_away_is_not_changed_until_it_is_unmerged(shop: Tenant) -> None:
    one, other = [await write(shop.owner, "org", key, key) for key in ("a", "b")]
    await merged(shop.owner, one, other)
    for verb, code in {"pin": "merged", "restore": "merged", "confirm": "not_live"}.items():
        assert problem(await shop.owner.post(f"{path_of(one)}/{verb}")) == (409, code), verb
    assert problem(await shop.owner.patch(path_of(one), json={"value": "c"})) == (409, "not_live")
    assert (await merged(shop.owner, one, other))["merged_into"] == other["id"]


async def test_mergers_never_chain(shop: Tenant) -> None:
    one, other, third = [await write(shop.owner, "org", key, key) for key in ("a", "b", "c")]
    await merged(shop.owner, one, other)
    for fact, into in ((third, one), (other, third), (one, third)):
        assert problem(await merge(shop.owner, fact, into)) == (409, "merge_chain")
    await merged(shop.owner, third, other)
    (standing,) = await facts(shop.owner, "org")
    assert standing["confirmation_count"] == 3


async def test_what_is_not_merged(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    fact = await write(alice, "org", "a", "a")
    archived = await write(alice, "org", "b", "b")
    await alice.post(f"{path_of(archived)}/archive")
    in_pocket = await write(alice, "org", "a", "a", agent_id="maya")
    in_store = await write(alice, "store", "a", "a")
    mia_s = await write(shop.acting("mia"), "user", "a", "a")
    own = await write(alice, "user", "a", "a")
    stranger = await world.organisation()
    theirs = await write(stranger.owner, "org", "a", "a")
    for into, expected in (
        (fact, (422, "merge_self")),
        (in_pocket, (422, "merge_elsewhere")),
        (archived, (409, "not_live")),
        (in_store, (404, "not_found")),
        (theirs, (404, "not_found")),
    ):
        assert problem(await merge(alice, fact, into)) == expected
    assert problem(await merge(alice, own, mia_s)) == (404, "not_found")
    assert problem(await merge(shop.acting("mia"), fact, in_pocket)) == (403, "forbidden")
    refused = await alice.post(f"{path_of(fact)}/merge", json={"into": "x"})
    assert (refused.status_code, faults(refused)) == (422, [("/into", "uuid_parsing")])
    stale = await alice.post(f"{path_of(fact)}/merge", json={"into": fact["id"]}, headers={"If-Match": '"99"'})
    assert stale.status_code == 412


async def test_a_contact_merges_their_own(shop: Tenant) -> None:
    carla = shop.acting("carla")
    one, other = [await write(carla, "user", key, "42") for key in ("shoe.size", "feet.size")]
    await merged(carla, one, other)
    past = await history(carla, one)
    assert past["fact"]["merged_into"] == other["id"]
    assert "merge" in [entry["verdict"] for entry in past["sources"]]


async def test_taking_apart_and_deleting_at_once_get_out_of_each_other_s_way(shop: Tenant) -> None:
    """They hold the two keys in opposite orders: one is undone, and done again."""
    alice = shop.acting("alice")
    for number in range(6):
        away = await write(alice, "store", f"away.{number}", "60 €")
        taker = await write(alice, "store", f"taker.{number}", "sixty euros")
        await merged(alice, away, taker)
        deleted, apart = await asyncio.gather(alice.delete(path_of(taker)), alice.post(f"{path_of(away)}/unmerge"))
        assert deleted.status_code == 200, deleted.text
        assert apart.status_code in (200, 404), apart.text
        assert (await read(alice, taker))["code"] == "not_found"
