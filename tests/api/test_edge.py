"""Bad requests: each gets a declared 4xx as a problem, stores nothing, and the next request works."""

import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.api.edge_app import Note, build

JSON = {"content-type": "application/json"}
NOTE = b'{"text": "ok"}'
MEBIBYTE = 1024 * 1024


@pytest.fixture
async def edge() -> AsyncIterator[tuple[httpx.AsyncClient, list[Note]]]:
    app, stored = build()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://edge") as client:
        yield client, stored


def sent(content: bytes, **headers: str) -> dict[str, Any]:
    return {"content": content, "headers": {**JSON, **{name.replace("_", "-"): text for name, text in headers.items()}}}


async def chunks(total: int) -> AsyncIterator[bytes]:
    for _ in range(total // 65_536):
        yield b" " * 65_536


def of_size(size: int) -> bytes:
    return b'{"text": "ok"' + b" " * (size - 15) + b"}\n"


REFUSED_BODIES: dict[str, tuple[dict[str, Any], int, str]] = {
    "no type": ({"content": NOTE}, 415, "unsupported_media_type"),
    "text/plain": (sent(NOTE, content_type="text/plain"), 415, "unsupported_media_type"),
    "a form": ({"data": {"text": "ok"}}, 415, "unsupported_media_type"),
    "text/json": (sent(NOTE, content_type="text/json"), 415, "unsupported_media_type"),
    "json in another charset": (
        sent(NOTE, content_type="application/json; charset=latin-1"),
        415,
        "unsupported_media_type",
    ),
    "gzip": (sent(gzip.compress(NOTE), content_encoding="gzip"), 415, "unsupported_content_encoding"),
    "a gzip bomb": (
        sent(gzip.compress(b"0" * 50_000_000), content_encoding="gzip"),
        415,
        "unsupported_content_encoding",
    ),
    "two encodings": (sent(NOTE, content_encoding="identity, br"), 415, "unsupported_content_encoding"),
    "one byte too many": (sent(of_size(MEBIBYTE + 1)), 413, "body_too_large"),
    "too many, in chunks": ({"content": chunks(2 * MEBIBYTE), "headers": JSON}, 413, "body_too_large"),
    "a length of 5,000 digits": (sent(NOTE, content_length="9" * 5_000), 413, "body_too_large"),
    "a negative length": (sent(NOTE, content_length="-1"), 400, "bad_content_length"),
    "a length in words": (sent(NOTE, content_length="ten"), 400, "bad_content_length"),
    "not UTF-8": (sent(b'{"text": "\xe9"}'), 400, "body_not_utf8"),
    "not JSON": (sent(b"{text: ok}"), 400, "body_not_json"),
    "NaN in free metadata": (sent(b'{"text": "ok", "metadata": {"a": NaN}}'), 400, "number_not_finite"),
    "1e400 in a body that is invalid anyway": (sent(b'{"count": "x", "weight": 1e400}'), 400, "number_not_finite"),
    "a NUL as a key of metadata": (
        sent(b'{"text": "ok", "metadata": {"\\u0000": 1}}'),
        400,
        "forbidden_character",
    ),
    "a NUL in one of a hundred": (
        sent(json.dumps({"items": [{"text": "ok"}] * 99 + [{"text": "\0"}]}).encode()),
        400,
        "forbidden_character",
    ),
    "a lone surrogate": (sent(b'{"text": "\\ud800"}'), 400, "forbidden_character"),
    "2^63": (sent(b'{"text": "ok", "count": 9223372036854775808}'), 400, "integer_out_of_range"),
    "nesting of 33": (sent(b'{"text": "ok", "metadata": ' + b'{"a":' * 32 + b"1" + b"}" * 33), 400, "body_too_deep"),
    "nesting of 100,000": (sent(b"[" * 100_000 + b"]" * 100_000), 400, "body_too_many_values"),
    "one key twice": (sent(b'{"text": "ok", "text": "no"}'), 400, "duplicate_key"),
    "nothing": (sent(b""), 422, "invalid_request"),
    "null": (sent(b"null"), 422, "invalid_request"),
    "a list": (sent(b"[]"), 422, "invalid_request"),
    "a string": (sent(b'"x"'), 422, "invalid_request"),
    "an empty object": (sent(b"{}"), 422, "invalid_request"),
    "an unknown field": (sent(b'{"text": "ok", "org_id": "b"}'), 422, "invalid_request"),
    "text one past the limit": (sent(json.dumps({"text": "é" * 101}).encode()), 422, "invalid_request"),
    "20,000 wrong items": (sent(json.dumps({"items": [{"a": 1}] * 20_000}).encode()), 422, "invalid_request"),
}


@pytest.mark.parametrize("path", ["/memory/notes", "/memory/batches"])
@pytest.mark.parametrize(("request_", "status", "code"), REFUSED_BODIES.values(), ids=REFUSED_BODIES.keys())
async def test_a_bad_body_is_refused_and_nothing_stored(
    edge: tuple[httpx.AsyncClient, list[Note]], path: str, request_: dict[str, Any], status: int, code: str
) -> None:
    client, stored = edge
    if not isinstance(request_.get("content", b""), bytes):
        request_ = {**request_, "content": chunks(2 * MEBIBYTE)}  # a generator serves once
    answer = await client.post(path, **request_)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-request-id"] == answer.json()["request_id"]
    assert len(answer.content) <= 8 * 1024
    assert stored == []
    assert (await client.post("/memory/notes", **sent(NOTE))).status_code == 200
    assert len(stored) == 1


@pytest.mark.parametrize(
    "request_",
    [
        sent(NOTE),
        sent(NOTE, content_type="application/json; charset=utf-8"),
        sent(NOTE, content_type='Application/JSON;profile=x; charset="UTF-8"'),
        sent(NOTE, content_type="application/vnd.shop+json"),
        sent(NOTE, content_encoding="identity"),
        sent(of_size(MEBIBYTE)),
        sent(json.dumps({"text": "é" * 100}).encode()),
        sent(b'{"text": "ok", "metadata": ' + b'{"a":' * 31 + b"1" + b"}" * 32),
    ],
)
async def test_a_good_body_passes(edge: tuple[httpx.AsyncClient, list[Note]], request_: dict[str, Any]) -> None:
    client, stored = edge
    assert (await client.post("/memory/notes", **request_)).status_code == 200
    assert len(stored) == 1


async def test_a_route_without_a_body_needs_no_type(edge: tuple[httpx.AsyncClient, list[Note]]) -> None:
    client, _ = edge
    answer = await client.post("/memory/notes/01890a5d-ac96-7742-b8f0-a5d3c1e4f6a7/pin")
    assert answer.status_code == 200


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_a_body_where_none_belongs_is_refused(edge: tuple[httpx.AsyncClient, list[Note]], method: str) -> None:
    client, _ = edge
    answer = await client.request(method, "/orgs/o/people/p", **sent(b'{"scope": "shared"}'))
    assert (answer.status_code, answer.json()["code"]) == (400, "body_not_expected")
    answer = await client.request(method, "/orgs/o/people/p", **sent(b"", content_length="0"))
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/orgs/o/people/a%00b", "bad_path"),
        ("/orgs/o/people/%ff", "bad_path"),
        ("/orgs/o/people/%ed%a0%80", "bad_path"),
        ("/memory/notes?author=a%00", "bad_query"),
        ("/memory/notes?author=%c3%28", "bad_query"),
        ("/memory/notes?a%00b=1", "bad_query"),
        ("/memory/notes?" + "&".join(["a"] * 10_000), "address_too_long"),
        (f"/memory/notes/{'a' * 20_000}", "address_too_long"),
    ],
    ids=lambda value: value[:30],
)
async def test_an_address_that_is_too_long_or_no_text_is_refused(
    edge: tuple[httpx.AsyncClient, list[Note]], path: str, code: str
) -> None:
    client, _ = edge
    answer = await client.get(path)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


@pytest.mark.parametrize("name", ["Authorization", "X-Org-Id", "X-User-Id", "Content-Type"])
async def test_a_header_that_says_who_asks_or_what_comes_stands_once(
    edge: tuple[httpx.AsyncClient, list[Note]], name: str
) -> None:
    client, stored = edge
    twice = [(name, "Bearer a"), (name.lower(), "Bearer b")]
    answer = await client.post("/memory/notes", content=NOTE, headers=twice)
    assert (answer.status_code, answer.json()["code"]) == (400, "repeated_header")
    assert stored == []


async def test_a_client_that_leaves_in_mid_body_reaches_nothing() -> None:
    app, stored = build()
    incoming = [
        {"type": "http.request", "body": NOTE, "more_body": True},
        {"type": "http.disconnect"},
    ]
    answered: list[Any] = []

    async def receive() -> Any:
        return incoming.pop(0)

    async def send(message: Any) -> None:
        answered.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/memory/notes",
        "raw_path": b"/memory/notes",
        "query_string": b"",
    }
    headers = [(b"content-type", b"application/json"), (b"transfer-encoding", b"chunked")]
    await app({**scope, "headers": headers}, receive, send)
    assert (answered, stored) == ([], [])
