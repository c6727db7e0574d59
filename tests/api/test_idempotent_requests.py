"""What a key is good for: races, refusals, other callers, time, and things that are gone meanwhile."""

import asyncio
from typing import Any
from uuid import uuid4

import httpx
import pytest

from app.domain.idempotency import KEEP, LEASE
from tests.support.clock import MovingClock
from tests.support.world import Tenant, World

FACT = {"key": "shipping.free_threshold", "value": "60 €"}
ROUTE = "/memory/facts/org"
CONNECTIONS = 20


@pytest.fixture
async def tenant(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member"})


async def put(
    client: httpx.AsyncClient, key: str, body: Any = FACT, path: str = ROUTE, method: str = "POST"
) -> httpx.Response:
    return await client.request(method, path, json=body, headers={"Idempotency-Key": key})


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


async def confirmations(tenant: Tenant) -> list[int]:
    items = (await tenant.owner.get(ROUTE)).json()["items"]
    return [item["confirmation_count"] for item in items]


def turn(number: int, content: str = "Chez nous, la livraison est offerte dès 60 €.") -> dict[str, Any]:
    said = {"id": f"m{number}", "content": content, "sent_at": "2026-03-02T10:00:00Z"}
    return {"conversation_id": "c1", "channel": "web", "user_id": "alice", "user_message": said}


async def test_of_50_at_once_one_has_an_effect(tenant: Tenant) -> None:
    answers = await asyncio.gather(*(put(tenant.owner, "key") for _ in range(50)))
    done = [answer for answer in answers if answer.is_success]
    assert {(answer.status_code, answer.json()["id"]) for answer in done} == {(201, done[0].json()["id"])}
    busy = [answer for answer in answers if not answer.is_success]
    assert {problem(answer) for answer in busy} <= {(409, "idempotency_running")}
    assert all(answer.headers["retry-after"] == "1" for answer in busy)
    assert await confirmations(tenant) == [1]


async def test_without_a_key_or_with_another_each_has_its_own(tenant: Tenant) -> None:
    for key in ("a", "b"):
        await put(tenant.owner, key)
    await tenant.owner.post(ROUTE, json=FACT)
    assert await confirmations(tenant) == [3]


async def test_the_same_however_it_is_written(tenant: Tenant) -> None:
    await put(tenant.owner, "key", {"key": "tone", "value": {"a": 1, "b": 2}})
    again = await put(tenant.owner, "key", {"value": {"b": 2, "a": 1}, "key": "tone"})
    assert again.status_code == 201


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", ROUTE, {**FACT, "value": "70 €"}),
        ("POST", "/memory/facts/store", {**FACT, "store_id": "shop1"}),
        ("POST", f"{ROUTE}?x=1", FACT),
        ("PATCH", "/memory/settings", {"language": "en"}),
    ],
)
async def test_another_request_is_refused(tenant: Tenant, method: str, path: str, body: Any) -> None:
    await put(tenant.owner, "key")
    assert problem(await put(tenant.owner, "key", body, path, method)) == (409, "idempotency_mismatch")


async def test_a_key_is_its_caller_s_own(world: World, tenant: Tenant) -> None:
    other = await world.organisation()
    key = await tenant.make_key("admin")
    callers = (tenant.owner, tenant.acting("alice"), tenant.token("alice"), tenant.with_key(key), other.owner)
    ids = [(await put(caller, "key")).json()["id"] for caller in callers]
    assert await confirmations(tenant) == [4]
    assert [(await put(caller, "key")).json()["id"] for caller in callers] == ids
    assert await confirmations(tenant) == [4]


async def test_a_refused_request_leaves_its_key_free(tenant: Tenant) -> None:
    assert (await put(tenant.owner, "key", {"key": "tone"})).status_code == 422
    assert (await put(tenant.acting("mia"), "key")).status_code == 403
    first = (await put(tenant.owner, "other")).json()
    path = f"{ROUTE}/{first['id']}"
    await tenant.owner.post(f"{path}/archive")
    assert problem(await put(tenant.owner, "third", {"value": "70 €"}, path, "PATCH")) == (409, "not_live")
    await tenant.owner.post(f"{path}/restore")
    assert (await put(tenant.owner, "third", {"value": "70 €"}, path, "PATCH")).status_code == 200
    assert (await put(tenant.owner, "key")).status_code == 201


@pytest.mark.parametrize("key", ["", " ", "a b", "é", "x" * 256, "a\t"])
async def test_what_is_no_key_is_refused(tenant: Tenant, key: str) -> None:
    answer = await tenant.owner.post(ROUTE, json=FACT, headers=[(b"Idempotency-Key", key.encode())])
    assert answer.status_code == 422
    assert await confirmations(tenant) == []


async def test_two_keys_are_refused(tenant: Tenant) -> None:
    twice = [("Idempotency-Key", "a"), ("Idempotency-Key", "a")]
    assert problem(await tenant.owner.post(ROUTE, json=FACT, headers=twice)) == (400, "repeated_header")


async def test_the_longest_key_of_every_character_is_one(tenant: Tenant) -> None:
    key = "".join(map(chr, range(33, 127))) + "x" * 161
    assert (await put(tenant.owner, key)).json()["id"] == (await put(tenant.owner, key)).json()["id"]


async def test_a_replay_reads_what_is_there_now(tenant: Tenant) -> None:
    first = await put(tenant.owner, "key")
    path = f"{ROUTE}/{first.json()['id']}"
    await tenant.owner.patch(path, json={"tags": ["colis"]})
    again = await put(tenant.owner, "key")
    assert (again.status_code, again.json()["tags"]) == (201, ["colis"])
    assert again.headers["etag"] != first.headers["etag"]
    await tenant.owner.delete(path)
    assert problem(await put(tenant.owner, "key")) == (404, "not_found")
    assert FACT["value"] not in (await put(tenant.owner, "key")).text


async def test_a_replay_needs_the_right_to_read(tenant: Tenant) -> None:
    assert (await put(tenant.acting("alice"), "key")).status_code == 201
    people = f"{tenant.path}/people"
    await tenant.world.platform.put(f"{people}/mia", json={"role": "owner"})
    await tenant.world.platform.put(f"{people}/alice", json={"role": None})
    assert (await put(tenant.acting("alice"), "key")).status_code == 403


async def test_a_made_key_is_shown_once(tenant: Tenant) -> None:
    wanted, path = {"name": "new", "role": "member"}, f"{tenant.path}/api-keys"
    first, again = [(await put(tenant.owner, "key", wanted, path)).json() for _ in range(2)]
    assert first["key"].startswith("rtn_")
    assert again == {"id": first["id"], "key": None}


async def test_a_key_is_remembered_for_a_day(tenant: Tenant, clock: MovingClock) -> None:
    await put(tenant.owner, "key")
    clock.advance(hours=23)
    assert (await put(tenant.owner, "key")).status_code == 201
    clock.advance(hours=2)
    assert (await put(tenant.owner, "key")).status_code == 200
    assert await confirmations(tenant) == [2]
    assert KEEP.total_seconds() > LEASE.total_seconds()


async def test_in_a_batch_an_item_that_is_refused_takes_no_other_with_it(world: World, tenant: Tenant) -> None:
    await tenant.owner.post("/memory/turns", json=turn(1))
    batch = {"items": [turn(2), turn(1, "Something else."), turn(3), {"x": 1}]}
    first = await put(tenant.owner, "key", batch, "/memory/turns")
    assert first.status_code == 202
    assert [item.get("error", {}).get("code") for item in first.json()["items"]] == [
        *(None, "message_conflict", None, "invalid_request")
    ]
    assert (await put(tenant.owner, "key", batch, "/memory/turns")).json() == first.json()
    await world.finish_jobs()
    messages = (await tenant.acting("alice").get("/memory/export")).json()["messages"]
    assert sorted(message["message_id"] for message in messages) == ["m1", "m2", "m3"]


async def test_observations_are_kept_once_and_with_the_same_ids(tenant: Tenant) -> None:
    seen = {"items": [{"type": "tool_success", "user_id": "alice", "metadata": {"toolName": "get_order"}}]}
    route = "/memory/observations"
    answers = await asyncio.gather(*(put(tenant.owner, "key", seen, route) for _ in range(10)))
    ids = {item["id"] for answer in answers if answer.is_success for item in answer.json()["items"]}
    listed = (await tenant.acting("alice").get(route)).json()["items"]
    assert {item["id"] for item in listed} == ids
    assert len(ids) == 1


async def test_a_person_s_fact_is_read_again_as_that_person(tenant: Tenant) -> None:
    body = {"key": "prefers.address", "value": "vouvoiement", "user_id": "mia"}
    ids = {(await put(tenant.owner, "key", body, "/memory/facts/user")).json()["id"] for _ in range(2)}
    assert len(ids) == 1


async def test_many_who_hold_a_connection_while_they_ask_who_is_meant_do_not_stand_still(tenant: Tenant) -> None:
    """As many as there are connections. The answer to who it is must not need one of the same."""
    batches = [{"items": [turn(2 * n), {**turn(2 * n + 1), "user_id": f"p{n}"}]} for n in range(CONNECTIONS)]
    answers = await asyncio.gather(*(put(tenant.owner, uuid4().hex, batch, "/memory/turns") for batch in batches))
    assert {answer.status_code for answer in answers} == {202}
