"""POST and GET /memory/observations: a bad item is refused alone, and what is kept is its person's."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.support.clock import MovingClock
from tests.support.sessions import OBSERVATIONS, TOOL, mine, post
from tests.support.talk import problem, tables_holding
from tests.support.world import Tenant, World


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "anna": "admin", "mia": "member", "carla": None})


async def test_what_is_stored_is_read_back_as_it_was(shop: Tenant) -> None:
    whole = {
        **TOOL,
        "user_id": "alice",
        "store_id": "shop1",
        "agent_id": "maya",
        "session_id": "s|1/=",
        "content": "Commande lue.",
        "metadata": {"toolName": "get_order", "durationMs": 12.5, "quality": 0.5, "deep": [{"é": None}]},
        "tags": ["orders", "é"],
        "occurred_at": "2026-03-02T10:00:00+01:00",
    }
    (answered,) = await post(shop.acting("alice"), whole)
    assert (answered["status"], answered["error"]) == ("stored", None)
    (kept,) = await mine(shop.acting("alice"))
    unsaid = {"summary": None, "conversation_id": None, "message_id": None, "consolidated_at": None}
    assert kept.pop("recorded_at").endswith("Z")
    assert kept == {**whole, **unsaid, "id": answered["id"], "occurred_at": "2026-03-02T09:00:00Z"}


async def test_without_time_and_session_it_is_now_and_the_day(shop: Tenant) -> None:
    before = datetime.now(UTC)
    await post(shop.acting("alice"), TOOL)
    (kept,) = await mine(shop.acting("alice"))
    assert (kept["session_id"], kept["agent_id"], kept["tags"]) == (None, "atlas", [])
    assert before <= datetime.fromisoformat(kept["occurred_at"]) <= datetime.now(UTC)


async def test_999_of_1000_are_stored_and_the_bad_one_is_named(shop: Tenant) -> None:
    items = [{**TOOL, "session_id": f"s{number}"} for number in range(1000)]
    items[617] = {**TOOL, "metadata": {"toolName": ""}}
    answered = await post(shop.acting("alice"), *items)
    assert [place for place, item in enumerate(answered) if item["status"] != "stored"] == [617]
    assert (answered[617]["id"], answered[617]["error"]["code"]) == (None, "invalid_observation")
    assert answered[617]["error"]["errors"][0]["pointer"] == "/metadata/toolName"
    first = (await shop.acting("alice").get(OBSERVATIONS, params={"limit": 1, "total": True})).json()
    assert first["total"] == 999
    assert first["items"][0]["id"] == answered[999]["id"]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (None, "invalid_request"),
        ([], "invalid_request"),
        ({**TOOL, "type": "tool_maybe"}, "invalid_request"),
        ({**TOOL, "org_id": "other"}, "invalid_request"),
        ({**TOOL, "session_id": "a b"}, "invalid_request"),
        ({**TOOL, "content": "é" * 4097}, "invalid_request"),
        ({**TOOL, "metadata": {"toolName": "x", "y": "é" * 4096}}, "invalid_request"),
        ({**TOOL, "tags": ["x"] * 9}, "invalid_request"),
        ({**TOOL, "occurred_at": "2026-03-02T10:00:00"}, "invalid_request"),
        ({**TOOL, "occurred_at": "2999-03-02T10:00:00Z"}, "time_ahead"),
        ({**TOOL, "user_id": "mia"}, "person_mismatch"),
        ({"type": "entity_access", "metadata": {"entityType": "order"}}, "invalid_observation"),
        ({"type": "note"}, "invalid_observation"),
    ],
)
async def test_a_bad_item_is_refused_alone(shop: Tenant, bad: Any, code: str) -> None:
    answered = await post(shop.acting("alice"), TOOL, bad, TOOL)
    assert [item["status"] for item in answered] == ["stored", "rejected", "stored"]
    assert answered[1]["error"]["code"] == code
    assert len(await mine(shop.acting("alice"))) == 2


async def test_where_all_are_refused_so_is_the_request(shop: Tenant) -> None:
    refused = await shop.acting("alice").post(OBSERVATIONS, json={"items": [{}, {**TOOL, "user_id": "mia"}]})
    assert problem(refused) == (422, "all_refused")
    assert [fault["kind"] for fault in refused.json()["errors"]] == ["invalid_request", "person_mismatch"]
    for items in ([], [TOOL] * 1001, TOOL):
        assert problem(await shop.acting("alice").post(OBSERVATIONS, json={"items": items})) == (422, "invalid_request")


async def test_content_and_metadata_may_be_as_large_as_promised(shop: Tenant) -> None:
    metadata = {"toolName": "x", "y": "z" * (8192 - len('{"toolName":"x","y":""}'))}
    assert (await post(shop.acting("alice"), {**TOOL, "content": "é" * 4096, "metadata": metadata}))[0]["id"]


async def test_each_filter_narrows(shop: Tenant) -> None:
    at = "2026-03-02T10:00:00Z"
    entity = {"type": "entity_access", "metadata": {"entityType": "order", "entityId": "1"}}
    items = [{**TOOL, "occurred_at": at}, {**entity, "agent_id": "maya"}, {**TOOL, "session_id": "s2", "tags": ["a"]}]
    ids = [item["id"] for item in await post(shop.acting("alice"), *items)]
    for query, places in (
        ({"type": "entity_access"}, [1]),
        ({"agent": "maya"}, [1]),
        ({"session": "s2"}, [2]),
        ({"tag": "a"}, [2]),
        ({"since": "2026-03-03T00:00:00Z"}, [2, 1]),
        ({"until": "2026-03-02T10:00:00Z"}, []),
        ({"until": "2026-03-02T10:00:01Z"}, [0]),
        ({"type": "tool_success", "tag": "a", "agent": "maya"}, []),
    ):
        assert [item["id"] for item in await mine(shop.acting("alice"), **query)] == [ids[place] for place in places]
    assert problem(await shop.acting("alice").get(OBSERVATIONS, params={"type": "x"})) == (422, "invalid_request")


async def test_what_nobody_wants_kept_is_skipped(shop: Tenant, superuser_url: str) -> None:
    word = f"canary-{shop.org_id}"
    meta = {"type": "tool_success", "metadata": {"toolName": "search_tools"}, "content": word}
    quiet = {"type": "note", "content": f"{word} #NoRemember !"}
    answered = await post(shop.acting("alice"), meta, quiet, {**TOOL, "content": "x"})
    assert [item["status"] for item in answered] == ["skipped", "skipped", "stored"]
    person = f"{shop.path}/people/mia"
    assert (await shop.owner.put(person, json={"role": "member", "remember": False})).status_code == 200
    assert (await post(shop.acting("mia"), {**TOOL, "content": word}))[0]["status"] == "skipped"
    await shop.owner.patch("/memory/settings", json={"enabled": False})
    assert (await post(shop.acting("alice"), {**TOOL, "content": word, "store_id": "unseen"}))[0]["status"] == "skipped"
    assert (await shop.owner.get(f"{shop.path}/stores/unseen")).status_code == 404
    assert await tables_holding(superuser_url, word) == {}


async def test_an_organisation_names_its_own_meta_tools(shop: Tenant) -> None:
    await shop.owner.patch("/memory/settings", json={"meta_tools": ["get_order"]})
    search = {**TOOL, "metadata": {"toolName": "search_tools"}}
    assert [item["status"] for item in await post(shop.acting("alice"), TOOL, search)] == ["skipped", "stored"]


async def test_many_at_once_are_all_stored_once(shop: Tenant) -> None:
    clients = [shop.acting(person) for person in ("alice", "mia", "carla", "norma")]
    answers = await asyncio.gather(*(post(clients[number % 4], TOOL) for number in range(60)))
    assert {item["status"] for items in answers for item in items} == {"stored"}
    assert [len(await mine(client)) for client in clients] == [15] * 4


async def test_are_read_as_long_as_the_organisation_keeps_them(shop: Tenant, clock: MovingClock) -> None:
    await post(shop.acting("alice"), TOOL)
    clock.advance(days=29)
    assert len(await mine(shop.acting("alice"))) == 1
    await shop.owner.patch("/memory/settings", json={"observation_days": 7})
    assert await mine(shop.acting("alice")) == []
    await shop.owner.patch("/memory/settings", json={"observation_days": 3000})
    assert len(await mine(shop.acting("alice"))) == 1
    clock.advance(days=2)
    assert await mine(shop.acting("alice")) == []
