"""Bad requests to every writing route: a declared refusal that repeats nothing, nothing stored, and no harm done."""

import json
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from app.api.errors import MAX_BYTES, MEDIA_TYPE
from tests.support.bad_requests import ECHO, JSON, MEBIBYTE, Bad, bad_requests
from tests.support.fingerprints import Fingerprints
from tests.support.routes import Endpoint, endpoints
from tests.support.samples import Sample, Samples, is_platform_s
from tests.support.served import line_of, one_connection
from tests.support.world import Tenant, World


@pytest.fixture(scope="module")
async def tenant(world: World) -> Tenant:
    return await world.organisation()


@pytest.fixture(scope="module")
async def line(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client with one connection to the service."""
    async with one_connection(app) as client:
        yield client


@pytest.fixture(scope="module")
async def prints(superuser_url: str) -> Fingerprints:
    return Fingerprints(superuser_url)


async def test_no_bad_request_is_stored_repeated_or_fatal(
    app: FastAPI, tenant: Tenant, line: httpx.AsyncClient, prints: Fingerprints
) -> None:
    samples, sent = Samples(tenant, app.openapi()), 0
    writing = [endpoint for endpoint in endpoints(app) if endpoint.writes]
    for endpoint in writing:
        good = await samples.of(endpoint, spend=True)
        line.headers.update(_credentials(tenant, endpoint))
        await tenant.world.container.receipts.close()  # that of a good request is written a moment after its answer
        before = await prints.take()
        for bad in bad_requests(endpoint, good):
            await _refused(line, endpoint, good, bad)
            sent += 1
        assert await prints.take() == before, f"{endpoint.name} stored something of a bad request"
        answer = await line.request(good.method, good.url, json=good.json)
        assert answer.is_success or endpoint.path.endswith("/retry"), f"{endpoint.name} {answer.text}"
    assert len(writing) >= 40
    assert sent > 1500


async def _refused(line: httpx.AsyncClient, endpoint: Endpoint, good: Sample, bad: Bad) -> None:
    """The request is refused as it was promised, and the connection serves the next one."""
    answer = await line.request(good.method, bad.url or good.url, content=bad.content, headers=bad.headers)
    case = f"{bad.name} at {endpoint.name}: {answer.status_code} {answer.text[:500]}"
    assert 400 <= answer.status_code < 500, case
    assert answer.status_code in endpoint.statuses, case
    assert answer.headers["content-type"] == MEDIA_TYPE, case
    assert answer.json()["request_id"] == answer.headers["x-request-id"], case
    assert len(answer.content) <= MAX_BYTES, case
    assert ECHO not in answer.text + str(answer.headers), case
    following = await line.get("/healthz")
    assert following.status_code == 200, case
    assert line_of(following) == line_of(answer) or answer.headers.get("connection") == "close", case


def _credentials(tenant: Tenant, endpoint: Endpoint) -> dict[str, str]:
    client = tenant.world.platform if is_platform_s(endpoint) else tenant.acting("alice")
    return {name: client.headers[name] for name in ("Authorization", "X-User-Id") if name in client.headers}


async def test_64_megabytes_are_thrown_away(line: httpx.AsyncClient, tenant: Tenant) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(64):
            yield b"x" * MEBIBYTE

    line.headers["Authorization"] = tenant.owner.headers["Authorization"]
    for content in (b"x" * 64 * MEBIBYTE, chunks()):
        answer = await line.post("/memory/turns", content=content, headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
        assert (await line.get("/healthz")).status_code == 200


@pytest.mark.parametrize("person", ["", " ", "..", "a\0b", "é", "x" * 256])
async def test_a_person_in_the_header_who_cannot_be_is_refused_by_every_route(
    app: FastAPI, tenant: Tenant, person: str
) -> None:
    client = tenant.owner
    for endpoint in endpoints(app):
        if endpoint.gate is not None:
            ids = {
                "fact_id",
                "contradiction_id",
                "message_id",
                "job_id",
                "key_id",
                "store_id",
                "user_id",
                "channel",
                "address",
                "receipt_id",
            }
            url = endpoint.at(org_id=tenant.org_id, **dict.fromkeys(ids, "x"))
            answer = await client.request(endpoint.method, url, headers=[(b"X-User-Id", person.encode())])
            assert answer.status_code in {400, 404, 422}, f"{endpoint.name} {answer.text}"
            assert answer.status_code in endpoint.statuses


async def test_credentials_are_sent_once_and_in_the_header(app: FastAPI, tenant: Tenant) -> None:
    shown, nobody = tenant.owner.headers["Authorization"], tenant.world.nobody
    samples = Samples(tenant, app.openapi())
    for endpoint in (endpoint for endpoint in endpoints(app) if endpoint.writes):
        good = await samples.of(endpoint)
        content = None if good.json is None else json.dumps(good.json)
        kind = [] if content is None else [*JSON.items()]
        twice = [("Authorization", shown), ("Authorization", shown), *kind]
        answer = await nobody.request(good.method, good.url, headers=twice, content=content)
        assert (answer.status_code, answer.json()["code"]) == (400, "repeated_header"), endpoint.name
        url = f"{good.url}?access_token={shown.partition(' ')[2]}"
        answer = await nobody.request(good.method, url, headers=kind, content=content)
        assert answer.status_code == 401, endpoint.name
