"""Idempotency-Key, read off the app: every route that writes has one effect for a key, and answers it again."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.api.replays import ANSWERS
from tests.support.fingerprints import Fingerprints, changed
from tests.support.routes import Endpoint, endpoints
from tests.support.samples import Sample, Samples, is_platform_s
from tests.support.world import Tenant, World

ONLY_READ = {"POST /memory/context", "POST /memory/search", "DELETE /people/{user_id}"}
"""Harmless however often they are asked, though their method could write; or in no one organisation."""
ROUTES = 40
MOVES = {"strength", "score", "last_seen_at", "created", "reinforced", "expired", "consolidated_at"}
"""The first three with time; of a consolidation, what a further one found to do."""


@pytest.fixture(scope="module")
async def tenant(world: World) -> Tenant:
    return await world.organisation()


async def sent(tenant: Tenant, endpoint: Endpoint, sample: Sample, key: str, query: str = "") -> httpx.Response:
    client = tenant.world.platform if is_platform_s(endpoint) else tenant.acting("alice")
    url = sample.url + (query.replace("?", "&") if "?" in sample.url else query)
    return await client.request(sample.method, url, json=sample.json, headers={"Idempotency-Key": key})


def told(answer: httpx.Response) -> tuple[Any, ...]:
    """Status, document and place, without what moves by itself or is told once."""
    document = answer.json() if answer.content else None
    return answer.status_code, still(document), answer.headers.get("etag"), answer.headers.get("content-location")


def still(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: still(inner) for name, inner in value.items() if name not in MOVES and not is_key(inner)}
    return list(map(still, value)) if isinstance(value, list) else value


def is_key(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.startswith("rtn_"))


def test_every_route_that_writes_takes_a_key(app: FastAPI) -> None:
    routes = endpoints(app)
    assert {route.name for route in routes if route.writes and not route.keyed} == ONLY_READ
    assert not any(route.keyed for route in routes if not route.writes)
    assert all(409 in route.statuses for route in routes if route.keyed)
    assert sum(route.keyed for route in routes) >= ROUTES


async def test_every_route_has_one_effect_and_answers_it_again(
    app: FastAPI, world: World, tenant: Tenant, superuser_url: str
) -> None:
    prints, samples, tried = Fingerprints(superuser_url), Samples(tenant, app.openapi()), 0
    words: set[str] = set()
    for endpoint in (endpoint for endpoint in endpoints(app) if endpoint.keyed):
        sample, key = await samples.of(endpoint, spend=True), uuid4().hex
        if endpoint.path.endswith("/retry"):
            await world.finish_jobs()
            await prints.bury_jobs([tenant.org_id])
        first = await sent(tenant, endpoint, sample, key)
        assert first.is_success, f"{endpoint.name} {first.text}"
        before = await prints.take()
        again = await sent(tenant, endpoint, sample, key)
        assert told(again) == told(first), endpoint.name
        other = await sent(tenant, endpoint, sample, key, "?x=1")
        refused = (422, "invalid_request") if endpoint.method == "DELETE" else (409, "idempotency_mismatch")
        assert (other.status_code, other.json().get("code")) == refused, endpoint.name
        assert changed(before, await prints.take()) == set(), endpoint.name
        words.update(said(sample.json))
        tried += 1
    assert tried >= ROUTES
    rows = await kept(superuser_url, tenant.org_id)
    assert len(rows) >= ROUTES - 1  # the organisation that was removed had one of its own
    assert [word for word in words if word in str(rows)] == []


def said(body: Any) -> Iterator[str]:
    """The texts in a body that are long enough to be told from ids and codes."""
    if isinstance(body, str) and (len(body) > 10 or " " in body):
        yield body
    inner = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    for value in inner:
        yield from said(value)


async def kept(superuser_url: str, org_id: str) -> list[str]:
    """All that is kept of the organisation's keys."""
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.connect() as connection:
        query = text("select to_jsonb(i)::text from idempotency i where org_id = :org")
        return list((await connection.execute(query, {"org": org_id})).scalars())


def test_every_answer_of_such_a_route_can_be_given_again(app: FastAPI) -> None:
    names = {kind.__name__ for kind in ANSWERS}
    for endpoint in (endpoint for endpoint in endpoints(app) if endpoint.keyed):
        answers = {str(place) for place in models(endpoint)}
        assert answers <= names, endpoint.name


def models(endpoint: Endpoint) -> Iterator[str]:
    """The names of the schemas with which the route answers a success."""
    for status, answer in endpoint.operation["responses"].items():
        if status.startswith("2") and "content" in answer:
            schema = answer["content"]["application/json"]["schema"]
            for one in schema.get("anyOf", [schema]):
                yield one["$ref"].rpartition("/")[2]
