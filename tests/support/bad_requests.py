"""Requests that nobody should send, made from a good one: each is wrong in one way that has broken services before."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.support.routes import Endpoint
from tests.support.samples import Sample

ECHO = "echo-4711"
"""Stands in every body as a value: no answer repeats it."""
MEBIBYTE = 1024 * 1024
JSON = {"Content-Type": "application/json"}

POISONS: dict[str, str] = {
    "NaN": "NaN",
    "Infinity": "[Infinity]",
    "-Infinity": '{"a": -Infinity}',
    "1e400": "1e400",
    "2^63": "9223372036854775808",
    "-2^63-1": "-9223372036854775809",
    "5,000 digits": "7" * 5000,
    "a lone surrogate": f'"{ECHO}\\ud800"',
    "a lone surrogate as key": f'{{"\\udc00": "{ECHO}"}}',
    "a NUL": f'"{ECHO}\\u0000"',
    "a NUL as key": '{"a\\u0000": 1}',
    "a key twice": '{"a": 1, "a": 2}',
    "33 deep": "[" * 32 + "]" * 32,
    "300 deep": "[" * 300 + "]" * 300,
    "900 deep": '{"a":' * 900 + "1" + "}" * 900,
    "100,000 deep": "[" * 100_000 + "]" * 100_000,
}
"""JSON, or nearly, which no body may hold anywhere."""

WHOLES: dict[str, bytes] = {
    "null": b"null",
    "a list": b"[]",
    "a list of bodies": b"[{}]",
    "text": b'"x"',
    "a number": b"7",
    "no JSON": f"{{'text': '{ECHO}'}}".encode(),
    "half a body": f'{{"user_id": "{ECHO}'.encode(),
    "two bodies": b"{} {}",
    "UTF-16": json.dumps({"a": ECHO}).encode("utf-16"),
    "Latin-1": '{"a": "é"}'.encode("latin-1"),
    "over a mebibyte": b'{"a": "' + b"x" * MEBIBYTE + b'"}',
    "20,000 wrong items": json.dumps({"items": [{"a": ECHO}] * 20_000}).encode(),
    "20,000 wrong fields": json.dumps({f"f{number}": ECHO for number in range(20_000)}).encode(),
}
FORGED = ("org_id", "role", "created_by", "id", "author", "trust", "metadata")
"""Fields by which a caller might try to say who they are; unknown wherever the route does not name them."""


@dataclass(frozen=True)
class Bad:
    """One request to send as it is. `url` and `headers` are over and above the good ones where they are given."""

    name: str
    content: bytes | None = None
    headers: dict[str, str] = field(default_factory=lambda: dict(JSON))
    url: str | None = None


def bad_requests(endpoint: Endpoint, good: Sample) -> Iterator[Bad]:
    """Everything that is wrong with a request to this route."""
    yield from _bad_addresses(endpoint, good)
    if endpoint.method == "DELETE":
        yield Bad("a body", b'{"scope": "shared"}')
        yield Bad("a body of text", ECHO.encode(), {"Content-Type": "text/plain"})
        return
    body = good.json if isinstance(good.json, dict) else {}
    for name, poison in POISONS.items():
        yield Bad(name, _with(body, "note", poison))
        if "value" in body:
            yield Bad(f"{name} as value", _with({**body, "value": None}, "value", poison))
    yield from (Bad(name, content) for name, content in WHOLES.items())
    yield from _bad_types(json.dumps({**body, "note": ECHO}).encode())
    yield from (
        Bad(f"{forged} forged", json.dumps({**body, forged: ECHO}).encode())
        for forged in FORGED
        if forged not in _fields(endpoint)
    )
    if body:
        yield Bad("nothing", b"")
        yield from _wrong_fields(body)


def _with(body: dict[str, Any], name: str, poison: str) -> bytes:
    """The body with this member, as text; unlike json.dumps it can hold what is not JSON."""
    rest = {member: value for member, value in body.items() if member != name}
    return f'{{"{name}": {poison}{", " if rest else ""}{json.dumps(rest)[1:]}'.encode()


def _bad_types(content: bytes) -> Iterator[Bad]:
    yield Bad("no type", content, {})
    yield Bad("plain text", content, {"Content-Type": "text/plain"})
    yield Bad("a form", content, {"Content-Type": "application/x-www-form-urlencoded"})
    yield Bad("another charset", content, {"Content-Type": "application/json; charset=latin-1"})
    yield Bad("gzip", gzip.compress(content), {**JSON, "Content-Encoding": "gzip"})
    yield Bad("a gzip bomb", gzip.compress(b"[" * 16 * MEBIBYTE), {**JSON, "Content-Encoding": "gzip"})


def _wrong_fields(body: dict[str, Any]) -> Iterator[Bad]:
    """Each field in turn as what it can hardly be; a fact's value alone may be anything but null."""
    for name in body:
        for wrong in ([[ECHO]], {"a": {"b": ECHO}}, ECHO * 30_000):
            if name != "value" or isinstance(wrong, str):
                yield Bad(f"{name} wrong", json.dumps({**body, name: wrong}).encode())


def _fields(endpoint: Endpoint) -> set[str]:
    return {*getattr(endpoint.body, "model_fields", {})}


def _bad_addresses(endpoint: Endpoint, good: Sample) -> Iterator[Bad]:
    content = None if good.json is None else json.dumps(good.json).encode()
    headers = {} if content is None else JSON
    for name, query in {
        "a NUL in the query": "a=%00",
        "bytes in the query": "a=%ff",
        "a long query": "a" * 20_000,
    }.items():
        yield Bad(name, content, headers, f"{good.url}?{query}")
    if "{" in endpoint.path:
        before = good.url.rpartition(_last_id(endpoint, good))[0]
        after = endpoint.path.rpartition("}")[2]
        for part in ("%00", "a%00b", "%ff", "%ed%a0%80", "", "%2E", "%2E%2E", "a%20b", "%C3%A9", "x" * 256):
            yield Bad(f"{part[:9]} in the path", content, headers, f"{before}{part}{after}")


def _last_id(endpoint: Endpoint, good: Sample) -> str:
    """The last id in the good path, as it stands there."""
    segment = endpoint.path[: endpoint.path.rindex("}")].count("/")
    return good.url.split("/")[segment]
