"""Contradictions: listed while they are open and afterwards, and settled by whoever may change the facts."""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.talk import (
    FREE_FROM_60,
    FREE_FROM_80,
    SHIPPING,
    block,
    facts,
    faults,
    happened,
    path_of,
    problem,
    tell,
    write,
)
from tests.support.world import Tenant, World

Json = dict[str, Any]


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "anna": "admin", "mia": "member", "carla": None})


async def listed(client: httpx.AsyncClient, **query: Any) -> list[Json]:
    answer = await client.get("/memory/contradictions", params=query)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])


async def settle(client: httpx.AsyncClient, contradiction: Json, keep: str) -> httpx.Response:
    return await client.post(f"/memory/contradictions/{contradiction['id']}/settle", json={"keep": keep})


async def oppose(client: httpx.AsyncClient, scope: str, key: str = "hours.opening", **about: Any) -> tuple[Json, Json]:
    """Two values of one key, both believed: the older, and the newer that had replaced it."""
    older = await write(client, scope, key, "9 h", **about)
    newer = await write(client, scope, key, "10 h", **about)
    restored = await client.post(f"{path_of(older)}/restore")
    assert restored.status_code == 200, restored.text
    return older, newer


async def said(world: World, shop: Tenant) -> Json:
    """What the chat has left open: free from 60 €, or from 80 €."""
    alice = shop.acting("alice")
    await tell(alice, FREE_FROM_60)
    await tell(alice, FREE_FROM_80, at=600, conversation_id="later")
    await world.finish_jobs()
    (found,) = await listed(alice)
    return found


async def test_what_the_chat_leaves_open_is_listed_with_its_facts(world: World, shop: Tenant) -> None:
    found = await said(world, shop)
    assert (found["scope"], found["key"], found["status"], found["settled_at"]) == ("store", SHIPPING, "open", None)
    assert [fact["value"] for fact in found["facts"]] == ["60 €", "80 €"]
    assert all(fact["contradicted"] for fact in found["facts"])
    assert found["opened_at"] == found["facts"][1]["last_reinforced_at"]


@pytest.mark.parametrize("kept", [0, 1])
async def test_the_kept_fact_supersedes_the_other(world: World, shop: Tenant, kept: int) -> None:
    alice = shop.acting("alice")
    found = await said(world, shop)
    keep, lose = found["facts"][kept], found["facts"][1 - kept]
    answer = await settle(alice, found, keep["id"])
    assert answer.status_code == 200, answer.text
    settled = answer.json()
    assert (settled["id"], settled["status"]) == (found["id"], "settled")
    assert settled["settled_at"] is not None
    (believed,) = await facts(alice)
    assert (believed["id"], believed["contradicted"]) == (keep["id"], False)
    gone = (await alice.get(path_of(lose))).json()
    assert (gone["superseded_by"], gone["valid_to"]) == (keep["id"], keep["valid_from"])
    text = await block(alice)
    assert keep["content"] in text
    assert lose["content"] not in text
    assert "settled" in await happened(alice, keep)
    assert (await happened(alice, lose))[-1] == "superseded"
    assert await listed(alice, status="open") == []
    for shown in (await listed(alice, status="settled"), await listed(alice)):
        assert [(pair["id"], pair["settled_at"]) for pair in shown] == [(found["id"], settled["settled_at"])]


async def test_a_settlement_holds_against_more_of_the_same_chat(world: World, shop: Tenant) -> None:
    found = await said(world, shop)
    await settle(shop.acting("alice"), found, found["facts"][0]["id"])
    for number in range(4):
        await tell(shop.acting("alice"), FREE_FROM_80, at=3 * 3600 + 600 * number, conversation_id=f"more-{number}")
    await world.finish_jobs()
    assert "60 €" in await block(shop.acting("alice"))
    assert [pair["status"] for pair in await listed(shop.acting("alice"))] == ["open", "settled"]


async def test_both_may_hold(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    found = await said(world, shop)
    settled = (await settle(alice, found, "both")).json()
    assert settled["status"] == "settled"
    assert [(fact["contradicted"], fact["archived_at"]) for fact in settled["facts"]] == [(False, None)] * 2
    assert settled["facts"][0]["score"] > found["facts"][0]["score"]
    text = await block(alice)
    assert "60 €" in text
    assert "80 €" in text


async def test_one_that_ends_otherwise_is_settled_too(shop: Tenant) -> None:
    older, newer = await oppose(shop.owner, "org")
    (found,) = await listed(shop.owner)
    await shop.owner.post(f"{path_of(newer)}/archive")
    (settled,) = await listed(shop.owner)
    assert (settled["id"], settled["status"]) == (found["id"], "settled")
    await shop.owner.post(f"{path_of(newer)}/restore")
    (again,) = await listed(shop.owner)
    assert (again["id"], again["status"], again["opened_at"]) == (found["id"], "open", found["opened_at"])
    await shop.owner.delete(path_of(older))
    assert await listed(shop.owner) == []


async def test_who_is_shown_what(shop: Tenant) -> None:
    await oppose(shop.owner, "org")
    await oppose(shop.owner, "store")
    for person in ("alice", "mia", "carla"):
        await oppose(shop.acting(person), "user", "shoe.size")
    whose = {
        "alice": {None, "alice", "carla"},
        "anna": {None, "carla"},
        "mia": {None, "mia"},
    }
    for person, expected in whose.items():
        shown = await listed(shop.acting(person))
        assert {fact["user_id"] for pair in shown for fact in pair["facts"]} == expected, person
    assert problem(await shop.acting("carla").get("/memory/contradictions")) == (403, "forbidden")
    assert len(await listed(shop.acting("mia"), scope="user", user_id="mia")) == 1
    asked = {"user_id": "alice"}
    assert problem(await shop.acting("mia").get("/memory/contradictions", params=asked)) == (404, "not_found")
    trail = (await shop.owner.get("/memory/events", params={"kind": "read"})).json()["items"]
    assert len(trail) == 2


async def test_the_filters_narrow(shop: Tenant) -> None:
    await oppose(shop.owner, "org", "hours.opening")
    await oppose(shop.owner, "store", "hours.closing")
    assert [pair["scope"] for pair in await listed(shop.owner, scope="store")] == ["store"]
    assert [pair["key"] for pair in await listed(shop.owner, key="hours.opening")] == ["hours.opening"]
    assert [pair["scope"] for pair in await listed(shop.owner, store_id="shop1")] == ["store"]
    assert await listed(shop.owner, store_id="shop1", scope="org") == []
    limited = shop.with_key(await shop.make_key(store_ids=["other"]))
    assert [pair["scope"] for pair in await listed(limited)] == ["org"]
    assert (await limited.get("/memory/contradictions", params={"store_id": "shop1"})).status_code == 404
    maya = shop.with_key(await shop.make_key(agent_ids=["maya"]))
    await oppose(shop.owner, "org", "tone", agent_id="otis")
    assert len(await listed(maya)) == 2
    asked = {"limit": "1", "total": "true"}
    pages = [await shop.owner.get("/memory/contradictions", params=asked)]
    while cursor := pages[-1].json()["next_cursor"]:
        pages.append(await shop.owner.get("/memory/contradictions", params={**asked, "cursor": cursor}))
    assert [page.json()["total"] for page in pages] == [3] * 3
    assert [page.json()["items"][0]["key"] for page in pages] == ["tone", "hours.closing", "hours.opening"]


async def test_who_may_settle(shop: Tenant) -> None:
    await oppose(shop.owner, "store")
    (of_store,) = await listed(shop.owner)
    await oppose(shop.acting("carla"), "user", "shoe.size")
    (of_carla,) = await listed(shop.owner, scope="user")
    keep = of_store["facts"][0]["id"]
    for person in ("mia", "carla"):
        assert problem(await settle(shop.acting(person), of_store, keep)) == (403, "forbidden"), person
    assert problem(await settle(shop.acting("mia"), of_carla, "both")) == (404, "not_found")
    assert (await settle(shop.acting("anna"), of_store, keep)).status_code == 200
    assert (await settle(shop.acting("carla"), of_carla, "both")).status_code == 200


async def test_what_cannot_be_settled(world: World, shop: Tenant) -> None:
    await oppose(shop.owner, "org")
    (found,) = await listed(shop.owner)
    other = await write(shop.owner, "org", "elsewhere", "x")
    stranger = await world.organisation()
    refused = await settle(shop.owner, found, other["id"])
    assert (problem(refused), faults(refused)) == ((422, "not_of_this"), [("/keep", "not_of_this")])
    assert (await settle(shop.owner, found, "neither")).status_code == 422
    assert problem(await settle(stranger.owner, found, "both")) == (404, "not_found")
    assert problem(await settle(shop.owner, {"id": str(uuid4())}, "both")) == (404, "not_found")
    assert problem(await settle(shop.owner, {"id": "x"}, "both")) == (404, "not_found")
    assert (await settle(shop.owner, found, found["facts"][1]["id"])).status_code == 200
    assert problem(await settle(shop.owner, found, "both")) == (409, "not_open")
