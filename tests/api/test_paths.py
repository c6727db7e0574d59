"""Ids in paths arrive whole, whatever they hold."""

from typing import Annotated, Any
from urllib.parse import quote

import httpx
import pytest
from fastapi import APIRouter, Body, FastAPI
from hypothesis import given
from hypothesis import strategies as st

from app.api.edge import install
from app.api.routing import DOCUMENT, EdgeRoute, routable_path, router
from tests.api.edge_app import build


async def call(method: str, path: str) -> httpx.Response:
    app, _ = build()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://edge") as client:
        return await client.request(method, path)


@pytest.mark.parametrize("person_id", ["a/b==", "/", "//", "a&b=c%d", "..a", "%2F", "a/../b", "?#", "!~", "x" * 255])
async def test_an_encoded_id_reaches_the_route(person_id: str) -> None:
    answer = await call("DELETE", f"/orgs/o/people/{quote(person_id, safe='')}")
    assert answer.status_code == 200
    assert answer.json() == ["o", person_id]


@pytest.mark.parametrize("bad", ["", "%2E", "%2e%2E", "a%20b", "a%0A", "%C3%A9", "%7F", "x" * 256])
async def test_an_id_that_is_none_is_422(bad: str) -> None:
    for path, parameter in ((f"/orgs/o/people/{bad}", "/person_id"), (f"/orgs/{bad}/people/p", "/org_id")):
        answer = await call("GET", path)
        assert answer.status_code == 422
        assert [fault["pointer"] for fault in answer.json()["errors"]] == [parameter]


@pytest.mark.parametrize(
    "path", ["/nowhere", "/docs/", "/orgs/o/people/a/b", "/orgs/o//people/p", "/memory/notes/not-a-uuid"]
)
async def test_no_such_path_is_404_and_redirects_nowhere(path: str) -> None:
    answer = await call("GET", path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_a_static_segment_may_be_encoded_too() -> None:
    assert (await call("GET", "/%6Frgs/o/people/p")).json() == ["o", "p"]


async def test_405_names_every_method_of_the_path() -> None:
    answer = await call("PUT", "/orgs/o/people/p")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "DELETE, GET"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=1, max_size=5))
def test_any_segments_come_out_as_they_went_in(segments: list[str]) -> None:
    raw = "".join(f"/{quote(segment, safe='')}" for segment in segments)
    routes = router()

    @routes.get("".join(f"/{{p{index}}}" for index in range(len(segments))))
    async def route() -> None: ...

    assert isinstance(routes.routes[0], EdgeRoute)
    path = routable_path(raw.encode())
    if raw == "/":
        assert path == "/"
        return
    _, child_scope = routes.routes[0].matches({"type": "http", "method": "GET", "path": path})
    assert list(child_scope["path_params"].values()) == segments


async def test_nothing_redirects_to_a_slash() -> None:
    app = FastAPI()
    routes = router()

    @routes.get("/things/")
    async def things() -> None: ...

    app.include_router(routes)
    install(app)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://edge") as client:
        assert (await client.get("/things")).status_code == 404


async def test_a_body_that_was_parsed_is_not_parsed_again() -> None:
    app = FastAPI()
    routes = router()

    @routes.put("/things")
    async def put(thing: Annotated[int, Body()]) -> int:
        return thing

    app.include_router(routes)

    async def parsed_already(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, DOCUMENT: 7}, receive, send)

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=parsed_already), base_url="http://edge") as client:
        answer = await client.put("/things", content=b"unreadable", headers={"content-type": "application/json"})
    assert answer.json() == 7


def test_a_route_that_would_see_pieces_is_refused_at_assembly() -> None:
    app = FastAPI()
    stranger = APIRouter()

    @stranger.get("/things/{thing_id}")
    async def thing(thing_id: str) -> str:
        return thing_id

    app.include_router(stranger)
    with pytest.raises(RuntimeError, match=r"/things/\{thing_id\}"):
        install(app)
