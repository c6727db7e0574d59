"""The document shows for every route what to send and what comes back, and the service keeps to what it shows."""

from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter

from app.api.schemas.export import ExportOut
from tests.support.routes import Endpoint, endpoints
from tests.support.samples import Samples, answer_example, is_platform_s, request_example
from tests.support.world import World

TIMES = ("_at", "valid_from", "valid_to")


@pytest.fixture(scope="module")
def routes(app: FastAPI) -> list[Endpoint]:
    return endpoints(app)


def test_every_route_says_in_words_what_it_does(routes: list[Endpoint]) -> None:
    for endpoint in routes:
        assert endpoint.operation["summary"], endpoint.name
        assert endpoint.operation["description"].rstrip()[-1] in ".`", endpoint.name
        assert endpoint.operation["tags"], endpoint.name


def test_no_two_routes_have_one_name(routes: list[Endpoint]) -> None:
    names = [endpoint.operation["operationId"] for endpoint in routes]
    summaries = [endpoint.operation["summary"] for endpoint in routes]
    assert len({*names}) == len({*summaries}) == len(routes)


def test_every_id_in_a_path_has_an_example(routes: list[Endpoint]) -> None:
    for endpoint in routes:
        for parameter in endpoint.operation.get("parameters", ()):
            if parameter["in"] == "path":
                assert parameter["example"], f"{parameter['name']} of {endpoint.name}"


def test_every_body_has_an_example_that_its_schema_accepts(app: FastAPI, routes: list[Endpoint]) -> None:
    taking = [endpoint for endpoint in routes if endpoint.body is not None]
    for endpoint in taking:
        shown = request_example(app.openapi(), endpoint)
        TypeAdapter(endpoint.body).validate_python(shown)
    assert len(taking) >= 14


def test_every_answer_has_an_example_that_is_one(app: FastAPI, routes: list[Endpoint]) -> None:
    """Read as the schema and written again it is the same: no member is missing, none is unknown."""
    for endpoint in routes:
        shown = answer_example(app.openapi(), endpoint)
        answer = ExportOut if endpoint.path == "/memory/export" else endpoint.answer
        if answer is None:
            assert shown is None, endpoint.name
            continue
        adapter: TypeAdapter[Any] = TypeAdapter(answer)
        written = adapter.dump_python(adapter.validate_python(shown), mode="json")
        assert _timeless(written) == _timeless(shown), endpoint.name


async def test_the_service_accepts_every_example(app: FastAPI, world: World, routes: list[Endpoint]) -> None:
    """Sent as it stands, by an owner called alice or the platform, in an organisation with the store that it names."""
    tenant = await world.organisation()
    samples = Samples(tenant, app.openapi())
    for endpoint in routes:
        client = world.platform if is_platform_s(endpoint) else tenant.acting("alice")
        good = await samples.of(endpoint, spend=True)
        merges = endpoint.path.endswith("/merge")  # into a fact that has to be there
        shown = good.json if merges else request_example(app.openapi(), endpoint)
        answer = await client.request(good.method, good.url, json=shown)
        assert answer.is_success or endpoint.path.endswith("/retry"), f"{endpoint.name}: {answer.text}"
        assert answer.status_code in endpoint.statuses, endpoint.name


async def test_the_service_answers_what_the_example_shows(app: FastAPI, world: World, routes: list[Endpoint]) -> None:
    """An answer has the members of its example, at the top and in the first item of a list."""
    tenant = await world.organisation()
    samples = Samples(tenant, app.openapi())
    for endpoint in routes:
        shown = answer_example(app.openapi(), endpoint)
        if shown is None or endpoint.path.endswith("/retry"):
            continue
        client = world.platform if is_platform_s(endpoint) else tenant.acting("alice")
        good = await samples.of(endpoint, spend=True)
        answer = (await client.request(good.method, good.url, json=good.json)).json()
        assert answer.keys() == shown.keys(), endpoint.name
        for item in answer.get("items", ())[:1]:
            assert item.keys() == shown["items"][0].keys(), endpoint.name


def _timeless(value: Any, name: str = "") -> Any:
    """The same with one spelling for times that are one: `.120Z` is `.120000Z`."""
    if isinstance(value, dict):
        return {member: _timeless(inner, member) for member, inner in value.items()}
    if isinstance(value, list):
        return [_timeless(inner) for inner in value]
    return value.replace("000Z", "Z") if isinstance(value, str) and name.endswith(TIMES) else value
