"""What the document allows and what it does not, sent by everybody: each answer is one that the document declares.

Schemathesis makes the requests from the document alone; every other one is about things that are there.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.schemas import APIOperation

from app.api.errors import MAX_BYTES, MEDIA_TYPE
from tests.support.routes import Endpoint, endpoints
from tests.support.samples import Samples
from tests.support.world import Tenant, World

EXAMPLES = int(os.environ.get("RETENIR_FUZZ_EXAMPLES", "2"))
"""Of each route, as many that the document allows, and as many that it does not."""
OURS = {"authorization", "user-agent", "connection", "accept-encoding"}
"""Headers that the client itself sends."""
AT_EASE: Any = {"deadline": None, "suppress_health_check": [*HealthCheck]}
LAST = ("PATCH /memory/settings",)
"""What could make all others do nothing."""
PEOPLE = {"alice": "owner", "anna": "admin", "mia": "member", "carla": None}
Callers = dict[str, tuple[httpx.AsyncClient, str]]
CALLERS = (
    "nobody",
    "a revoked key",
    "a contact",
    "a member",
    "an admin",
    "an owner",
    "the platform",
    "a key of one store",
    "a key of one agent",
)


@pytest.fixture(scope="module")
async def tenant(world: World) -> Tenant:
    return await world.organisation(people=PEOPLE)


@pytest.fixture(scope="module")
async def callers(world: World, tenant: Tenant) -> Callers:
    """Each with the person whom the request may be about."""
    shop1 = await tenant.make_key(act_for_people=True, store_ids=["shop1"])
    maya = await tenant.make_key(act_for_people=True, agent_ids=["maya"])
    everybody = (
        (world.nobody, "alice"),
        (tenant.with_key(await tenant.revoked_key(), "alice"), "alice"),
        *((tenant.acting(person), person) for person in ("carla", "mia", "anna", "alice")),
        (world.platform, "alice"),
        (tenant.with_key(shop1, "alice"), "alice"),
        (tenant.with_key(maya, "alice"), "alice"),
    )
    return dict(zip(CALLERS, everybody, strict=True))


@pytest.fixture(scope="module")
def cases(app: FastAPI) -> dict[str, list[dict[str, Any]]]:
    """The requests to each route, as its name says it."""
    schema = schemathesis.openapi.from_dict(app.openapi())
    operations = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    return {f"{one.method.upper()} {one.path}": [*_requests(one)] for one in operations}


def _requests(operation: APIOperation[Any, Any, Any, Any]) -> Iterator[dict[str, Any]]:
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
        for case in _drawn(operation.as_strategy(mode)):
            yield case.as_transport_kwargs(base_url="http://retenir.test")


def _drawn(strategy: SearchStrategy[Any]) -> list[Any]:
    """The same in every run; none where there is nothing to get wrong."""
    drawn: list[Any] = []

    @settings(max_examples=EXAMPLES, derandomize=True, database=None, phases=[Phase.generate], **AT_EASE)
    @given(case=strategy)
    def draw(case: Any) -> None:
        drawn.append(case)

    with suppress(Unsatisfiable):
        draw()
    return drawn


@pytest.mark.parametrize("name", CALLERS)
async def test_every_answer_is_declared(
    app: FastAPI, tenant: Tenant, callers: Callers, cases: dict[str, list[dict[str, Any]]], name: str
) -> None:
    client, person = callers[name]
    samples = Samples(tenant, app.openapi(), person)
    wrong, asked = [], 0
    for endpoint in sorted(endpoints(app), key=lambda one: one.name in LAST):
        for number, case in enumerate(cases[endpoint.name]):
            there = (await samples.of(endpoint, spend=endpoint.method == "DELETE")).url if number % 2 else None
            answer = await client.send(_request(client, case, there))
            asked += 1
            wrong += [f"{endpoint.name} {told}: {case} {answer.text[:300]}" for told in _undeclared(endpoint, answer)]
    assert wrong == []
    assert asked >= 2 * len(endpoints(app))


def _request(client: httpx.AsyncClient, case: dict[str, Any], there: str | None) -> httpx.Request:
    """What Schemathesis made, from this client; with `there` about that instead."""
    query = urlencode(case.get("params") or {}, doseq=True)
    headers = [(header, value) for header, value in case["headers"].items() if header.lower() not in OURS]
    spoken = {header.lower() for header in client.headers}
    sent = [(header, value) for header, value in headers if not (there and header.lower() in spoken)]
    given_ = {"json": case["json"]} if "json" in case else {"content": case.get("data")}
    return client.build_request(
        case["method"],
        f"{there or case['url']}?{query}",
        headers=[(header.encode(), value.encode()) for header, value in sent],
        **given_,
    )


def _undeclared(endpoint: Endpoint, answer: httpx.Response) -> Iterator[str]:
    """What the document does not say of such an answer."""
    if answer.status_code not in endpoint.statuses:
        yield f"gave {answer.status_code}, which it does not declare"
    if answer.is_error:
        told = answer.json() if answer.headers["content-type"] == MEDIA_TYPE else {}
        if told.get("status") != answer.status_code or len(answer.content) > MAX_BYTES:
            yield f"refused by {answer.headers['content-type']}"
