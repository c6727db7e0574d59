"""What is just within a limit is taken and comes back as it was, one past it is refused; odd ids are ids."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.support.world import Tenant, World

MEBIBYTE = 1024 * 1024
Json = dict[str, Any]
ODD_IDS = [
    "a&b=c%d/e",
    "a/../b",
    "..a",
    "%2F",
    "%00",
    "?x#y",
    "auth0|7",
    "+33612345678==",
    "'--",
    "{a}",
    "*",
    "x" * 255,
]


@pytest.fixture(scope="module")
async def tenant(world: World) -> Tenant:
    return await world.organisation()


def turn(message_id: str = "m1", content: str = "Bonjour", **more: Any) -> Json:
    message = {"id": message_id, "content": content, "sent_at": "2026-03-02T10:00:00Z"}
    return {"conversation_id": "c", "channel": "web", "user_id": "alice", "user_message": message, **more}


def fact(**more: Any) -> Json:
    return {"key": "limit", "value": "x", **more}


def key(**more: Any) -> Json:
    return {"name": "n", "role": "member", **more}


ROUTES = {
    "turn": ("POST", "/memory/turns"),
    "fact": ("POST", "/memory/facts/org"),
    "context": ("POST", "/memory/context"),
    "key": ("POST", "{org}/api-keys"),
    "store": ("PUT", "{org}/stores/limit"),
}

SIZES: dict[str, tuple[str, Callable[[int], Json], int]] = {
    "bytes of a message": ("turn", lambda size: turn(f"b{size}", "é" * (size // 2) + "e" * (size % 2)), 65_536),
    "characters of a message id": ("turn", lambda size: turn("m" * size), 255),
    "characters of a conversation id": ("turn", lambda size: turn(conversation_id="c" * size), 255),
    "turns of a batch": ("turn", lambda size: {"items": [turn(f"i{number}") for number in range(size)]}, 100),
    "bytes of a fact's content": ("fact", lambda size: fact(content="c" * size), 4096),
    "bytes of a fact's value": ("fact", lambda size: fact(value="v" * (size - 2)), 4096),
    "characters of a key": ("fact", lambda size: fact(key="k" * size), 80),
    "tags of a fact": ("fact", lambda size: fact(tags=[f"t{number}" for number in range(size)]), 8),
    "characters of a tag": ("fact", lambda size: fact(tags=["é" * size]), 40),
    "days of a half-life": ("fact", lambda size: fact(half_life_days=size), 36_500),
    "bytes of a query": ("context", lambda size: {"query": "q" * size}, 4096),
    "milliseconds of a deadline": ("context", lambda size: {"deadline_ms": size}, 10_000),
    "characters of a name": ("store", lambda size: {"name": "n" * size}, 255),
    "stores of a key": ("key", lambda size: key(store_ids=[f"s{number}" for number in range(size)]), 100),
}


async def send(tenant: Tenant, route: str, body: Json | bytes) -> httpx.Response:
    method, path = ROUTES[route]
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = {"Content-Type": "application/json"}
    return await tenant.owner.request(method, path.format(org=tenant.path), content=content, headers=kind)


@pytest.mark.parametrize(("route", "sized", "most"), SIZES.values(), ids=SIZES.keys())
async def test_the_limit_is_taken_and_one_past_it_refused(
    tenant: Tenant, route: str, sized: Callable[[int], Json], most: int
) -> None:
    refused = await send(tenant, route, sized(most + 1))
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request"), refused.text
    taken = await send(tenant, route, sized(most))
    assert taken.is_success, taken.text


async def test_a_body_of_a_mebibyte_is_taken_and_a_byte_more_refused(tenant: Tenant) -> None:
    body = json.dumps(turn("large")).encode()
    assert (await send(tenant, "turn", body.ljust(MEBIBYTE + 1))).json()["code"] == "body_too_large"
    assert (await send(tenant, "turn", body.ljust(MEBIBYTE))).status_code == 202


@pytest.mark.parametrize(
    "value",
    [
        2**63 - 1,
        -(2**63),
        1e-300,
        1.7e308,
        0,
        False,
        "",
        [],
        {},
        "\U0001f469‍\U0001f33e 🎁",
        "שלום",
        "x') OR 1=1--",
        " a\n\t",
    ],
    ids=repr,
)
async def test_a_value_comes_back_as_it_was_written(tenant: Tenant, value: object) -> None:
    made = (await send(tenant, "fact", fact(key="round.trip", value=value))).json()
    read = (await tenant.owner.get(f"/memory/facts/org/{made['id']}")).json()
    assert json.dumps(read["value"]) == json.dumps(made["value"]) == json.dumps(value)


async def test_31_containers_in_a_value_are_taken(tenant: Tenant) -> None:
    value = json.loads("[" * 31 + "]" * 31)
    answer = await send(tenant, "fact", fact(key="deep", value=value))
    assert answer.json().get("value") == value, answer.text


POISONED: dict[str, Json] = {
    "no message": {name: value for name, value in turn("poison").items() if name != "user_message"},
    "an unknown field": turn("poison", org_id="other"),
    "a time without a zone": turn("poison", user_message={"id": "p", "content": "a", "sent_at": "2026-03-02T10:00:00"}),
    "a time far ahead": turn("poison", user_message={"id": "p", "content": "a", "sent_at": "2999-01-01T00:00:00Z"}),
    "a message too long": turn("poison", "x" * 65_537),
    "an empty id": turn(""),
    "a number for an id": turn(user_id=7),
    "no object": {"items": []},
}


@pytest.mark.parametrize("poison", POISONED.values(), ids=POISONED.keys())
async def test_one_bad_item_among_a_hundred_is_refused_alone(world: World, poison: Json) -> None:
    tenant = await world.organisation()
    items = [turn(f"m{number}") for number in range(100)]
    answer = await send(tenant, "turn", {"items": [*items[:70], poison, *items[71:]]})
    assert answer.status_code == 202
    answers = answer.json()["items"]
    assert [place for place, item in enumerate(answers) if "error" in item] == [70]
    assert answers[70]["error"]["status"] == 422
    jobs = await tenant.owner.get("/memory/jobs", params={"total": "true", "limit": "1"})
    assert jobs.json()["total"] == 99


async def test_a_batch_that_the_guard_refuses_stores_nothing(world: World) -> None:
    tenant = await world.organisation()
    for poison in ('"\\u0000"', "NaN", '"\\ud800"', "9223372036854775808"):
        items = ", ".join([*[json.dumps(turn(f"m{number}")) for number in range(99)], f'{{"a": {poison}}}'])
        assert (await send(tenant, "turn", f'{{"items": [{items}]}}'.encode())).status_code == 400
    assert (await tenant.owner.get("/memory/jobs")).json()["items"] == []


@pytest.mark.parametrize("body", [{"scopes": []}, {"scopes": ["everything"]}, {"tags": [""]}])
async def test_an_empty_choice_is_never_everything(tenant: Tenant, body: Json) -> None:
    assert (await send(tenant, "context", body)).status_code == 422


@pytest.mark.parametrize("limits", [{"store_ids": []}, {"agent_ids": []}, {"store_ids": [""]}])
async def test_a_key_limited_to_nothing_is_not_made(tenant: Tenant, limits: Json) -> None:
    assert (await send(tenant, "key", key(**limits))).status_code == 422


@pytest.mark.parametrize("odd", ODD_IDS, ids=lambda odd: odd[:20])
async def test_an_odd_id_is_an_id(world: World, tenant: Tenant, odd: str) -> None:
    path, owner = quote(odd, safe=""), tenant.owner
    stored = await owner.put(f"{tenant.path}/stores/{path}", json={"name": "odd"})
    assert (stored.status_code, stored.json()["store_id"]) == (201, odd)
    linked = await owner.put(f"{tenant.path}/channels/{path}/{path}", json={"user_id": odd, "store_id": odd})
    assert (linked.status_code, linked.json()["address"], linked.json()["user_id"]) == (201, odd, odd)
    assert (await owner.get(f"{tenant.path}/channels/{path}/{path}")).json() == linked.json()
    assert (await owner.get(f"{tenant.path}/people/{path}")).json()["user_id"] == odd
    wanted = fact(key="odd", user_id=odd, agent_id=odd)
    made = await owner.post("/memory/facts/user", json=wanted, headers={"X-User-Id": odd})
    assert (made.status_code, made.json()["user_id"], made.json()["agent_id"]) == (201, odd, odd)
    listed = await owner.get("/memory/facts/user", params={"user_id": odd, "agent": odd})
    assert [item["id"] for item in listed.json()["items"]] == [made.json()["id"]]
    said = turn(odd, conversation_id=odd, channel=odd, user_id=odd, store_id=odd, agent_id=odd)
    assert (await owner.post("/memory/turns", json=said)).json()["stored"] == 1
    for noun in ("stores", "people"):
        assert (await owner.delete(f"{tenant.path}/{noun}/{path}")).status_code == 200
        assert (await owner.get(f"{tenant.path}/{noun}/{path}")).status_code == 404


@pytest.mark.parametrize("odd", ODD_IDS[:6], ids=lambda odd: odd[:20])
async def test_an_organisation_may_have_an_odd_id(world: World, odd: str) -> None:
    tenant = await world.organisation(org_id=odd)
    assert (await tenant.owner.get(tenant.path)).json()["org_id"] == odd
    assert (await tenant.token("alice").get("/memory/settings")).status_code == 200
