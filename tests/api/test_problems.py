"""Refusals leave in one shape, accidents too, and neither repeats what was sent."""

import json
from collections.abc import AsyncIterator

import httpx
import pytest
from structlog.testing import capture_logs

from app.api.errors import STATUS
from app.domain import errors as tree
from tests.api.edge_app import CANARY, build

NAMED = {"type", "title", "status", "detail", "code", "request_id"}


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app, _ = build()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://edge") as client:
        with capture_logs():
            yield client


def test_every_refusal_of_the_domain_has_a_status() -> None:
    kinds = {kind for kind in vars(tree).values() if isinstance(kind, type) and issubclass(kind, tree.RetenirError)}
    assert kinds - STATUS.keys() == {tree.RetenirError}


@pytest.mark.parametrize(
    ("name", "status", "code", "headers"),
    [
        ("unauthenticated", 401, "unauthenticated", {"www-authenticate": "Bearer"}),
        ("conflict", 409, "message_conflict", {}),
        ("invalid", 422, "person_mismatch", {}),
        ("too_many", 429, "too_many_requests", {"retry-after": "7"}),
        ("unavailable", 503, "unavailable", {"retry-after": "1"}),
        ("accident", 500, "internal", {}),
        ("long", 409, "long", {}),
    ],
)
async def test_a_refusal_is_a_problem(
    client: httpx.AsyncClient, name: str, status: int, code: str, headers: dict[str, str]
) -> None:
    answer = await client.get(f"/orgs/o/refusals/{name}")
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert problem.keys() == NAMED | ({"errors"} if status == 422 else set())
    assert headers.items() <= dict(answer.headers).items()
    assert len(answer.content) <= 8 * 1024
    assert CANARY not in answer.text


async def test_a_422_names_places_and_kinds_and_no_value(client: httpx.AsyncClient) -> None:
    body = {"text": CANARY * 20, "count": "1", "weight": True, "done": 1, "author": f"{CANARY} x", "at": CANARY}
    answer = await client.post("/memory/notes", json=body)
    assert {(fault["in"], fault["pointer"], fault["kind"]) for fault in answer.json()["errors"]} == {
        ("body", "/text", "string_too_long"),
        ("body", "/count", "int_type"),
        ("body", "/weight", "float_type"),
        ("body", "/done", "bool_type"),
        ("body", "/author", "string_pattern_mismatch"),
        ("body", "/at", "time_format"),
    }
    assert CANARY not in answer.text


async def test_a_422_stays_small_whatever_the_keys(client: httpx.AsyncClient) -> None:
    body = {"\U0001f600" * 300 + str(number): 1 for number in range(200)}
    answer = await client.post("/memory/notes", content=json.dumps(body), headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert len(answer.content) <= 8 * 1024
    assert 1 <= len(answer.json()["errors"]) <= 20


async def test_a_pointer_escapes_what_json_pointers_escape(client: httpx.AsyncClient) -> None:
    answer = await client.post("/memory/notes", json={"text": "ok", "a/b~c": 1})
    assert answer.json()["errors"] == [{"in": "body", "pointer": "/a~1b~0c", "kind": "extra_forbidden"}]


async def test_a_list_refuses_odd_limits_and_unknown_parameters(client: httpx.AsyncClient) -> None:
    for query in ("limit=0", "limit=-1", "limit=201", "limit=1e30", "limit=x", "org_id=b", "total=maybe"):
        answer = await client.get(f"/memory/notes?{query}")
        assert (answer.status_code, answer.json()["errors"][0]["in"]) == (422, "query"), query
    assert (await client.get("/memory/notes?limit=200&total=true")).status_code == 200


@pytest.mark.parametrize("path", ["/orgs/o/people/p", "/orgs/o/refusals/accident", "/orgs/o/people/%00", "/nowhere"])
async def test_every_answer_has_an_id_and_safe_headers(client: httpx.AsyncClient, path: str) -> None:
    given = await client.get(path, headers={"x-request-id": "shop-2024.03_01"})
    assert given.headers["x-request-id"] == "shop-2024.03_01"
    assert given.headers["x-content-type-options"] == "nosniff"
    assert given.headers["cache-control"] == "no-store"
    made = [
        (await client.get(path, headers={"x-request-id": bad})).headers["x-request-id"]
        for bad in ("short", "12345678 9")
    ]
    assert len({*made}) == 2
    assert all(len(request_id) == 32 for request_id in made)


async def test_the_log_names_the_route_and_not_what_was_asked(client: httpx.AsyncClient) -> None:
    with capture_logs() as lines:
        await client.get(f"/orgs/{CANARY}/people/{CANARY}?x={CANARY}", headers={"x-request-id": "12345678"})
        await client.get(f"/{CANARY}")
        await client.request(CANARY, f"/{CANARY}")
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("GET", "/orgs/{org_id}/people/{person_id}", 200),
        ("GET", "unmatched", 404),
        ("OTHER", "unmatched", 404),
    ]
    assert all(line["ms"] >= 0 for line in lines)
    assert CANARY not in str(lines)
