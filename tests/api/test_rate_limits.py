"""Rate limits over HTTP: told with every answer, kept for each caller, and nobody can use up another's."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

import httpx
import pytest

from app.container import Container
from app.domain.credentials import KeyKind, make_key
from app.main import create_app
from app.settings import Settings
from tests.support.routes import endpoints
from tests.support.world import Tenant, World, speaking

LIMIT = 5
TOKENS = ("ann", "ben", "cleo")
"""Whose tokens are used, each by one test: a person's limit holds whatever the organisation."""
ROUTE = "/memory/settings"


@pytest.fixture(scope="module")
async def narrow(world: World) -> AsyncIterator[World]:
    """The same service, where a caller has few requests a minute, and the minute does not end."""
    now = datetime.now(UTC)
    settings: Settings = world.settings.model_copy(update={"requests_per_minute": LIMIT})
    container = Container(settings, lambda: now)
    yield World(create_app(settings, container), settings, container, world.platform_key)
    await container.close()


@pytest.fixture
async def tenant(world: World, narrow: World) -> Tenant:
    """Made without the limit, spoken to with it."""
    made = await world.organisation(people={"alice": "owner", "mia": "member", **dict.fromkeys(TOKENS, "member")})
    return replace(made, world=narrow)


async def statuses(client: httpx.AsyncClient, times: int = LIMIT + 1, path: str = ROUTE) -> list[int]:
    return [(await client.get(path)).status_code for _ in range(times)]


async def test_every_answer_tells_how_the_caller_stands(tenant: Tenant) -> None:
    for remaining in reversed(range(LIMIT)):
        answer = await tenant.owner.get(ROUTE if remaining % 2 else "/memory/facts/org/nothing")
        assert answer.headers["ratelimit-policy"] == f'"default";q={LIMIT};w=60'
        name, left, reset = answer.headers["ratelimit"].split(";")
        assert (name, left) == ('"default"', f"r={remaining}")
        assert 1 <= int(reset.removeprefix("t=")) <= 60


async def test_one_too_many_is_told_when_to_come_again(tenant: Tenant) -> None:
    assert await statuses(tenant.owner) == [*[200] * LIMIT, 429]
    answer = await tenant.owner.get(ROUTE)
    assert (answer.json()["code"], answer.headers["content-type"]) == ("too_many_requests", "application/problem+json")
    assert answer.headers["ratelimit"] == f'"default";r=0;t={answer.headers["retry-after"]}'
    assert 1 <= int(answer.headers["retry-after"]) <= 60


async def test_each_key_and_each_person_has_their_own(world: World, tenant: Tenant) -> None:
    other = await replace(tenant, world=world).make_key("admin")
    assert (await statuses(tenant.acting("alice")))[-1] == 429
    assert (await tenant.acting("mia").get(ROUTE)).status_code == 429
    assert (await tenant.with_key(other).get(ROUTE)).status_code == 200
    assert await statuses(tenant.token("ann"), LIMIT) == [200] * LIMIT
    assert (await tenant.token("ann", jti="another").get(ROUTE)).status_code == 429
    assert (await tenant.token("ben").get(ROUTE)).status_code == 200


async def test_nobody_uses_up_what_is_another_s(tenant: Tenant, narrow: World) -> None:
    """Neither without credentials, nor with wrong ones that name the person or the organisation."""
    forged = tenant.token("cleo").headers["Authorization"][:-2]
    nobodies = [
        speaking(narrow.app, X_User_Id="cleo", X_Org_Id=tenant.org_id),
        speaking(narrow.app, X_User_Id="cleo", X_Org_Id=tenant.org_id, Authorization=forged),
        speaking(narrow.app, X_User_Id="cleo", Authorization=f"Bearer {make_key(KeyKind.API)}"),
    ]
    for nobody in nobodies:
        assert await statuses(nobody, LIMIT) == [401] * LIMIT
    for client in (tenant.acting("alice"), tenant.token("cleo")):
        assert (await client.get(ROUTE)).headers["ratelimit"].split(";")[1] == f"r={LIMIT - 1}"


async def test_credentials_that_open_nothing_are_limited_as_well(narrow: World) -> None:
    dead = speaking(narrow.app, Authorization=f"Bearer {make_key(KeyKind.API)}")
    assert await statuses(dead) == [*[401] * LIMIT, 429]


async def test_health_is_free(tenant: Tenant) -> None:
    for path in ("/healthz", "/readyz"):
        assert await statuses(tenant.owner, 3 * LIMIT, path) == [200] * 3 * LIMIT
    assert "ratelimit" not in (await tenant.owner.get("/healthz")).headers
    assert (await tenant.owner.get(ROUTE)).headers["ratelimit"].split(";")[1] == f"r={LIMIT - 1}"


async def test_every_route_with_credentials_is_limited_and_says_so(tenant: Tenant, narrow: World) -> None:
    """Before anything else is looked at."""
    await statuses(tenant.owner)
    for endpoint in endpoints(narrow.app):
        names = ("fact_id", "contradiction_id", "message_id", "job_id", "key_id", "receipt_id")
        ids = dict.fromkeys((*names, "store_id", "user_id", "channel", "address"), "x")
        answer = await tenant.owner.request(endpoint.method, endpoint.at(org_id=tenant.org_id, **ids))
        assert (answer.status_code == 429) == (endpoint.gate is not None), endpoint.name
        assert (429 in endpoint.statuses) == (endpoint.gate is not None), endpoint.name


async def test_of_a_refused_write_nothing_is_done(world: World, tenant: Tenant) -> None:
    await statuses(tenant.owner)
    answer = await tenant.owner.post(
        "/memory/facts/org", json={"key": "k", "value": 1}, headers={"Idempotency-Key": "k"}
    )
    assert answer.status_code == 429
    assert (await replace(tenant, world=world).owner.get("/memory/facts/org")).json()["items"] == []
