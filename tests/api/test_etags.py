"""ETag and If-Match: a change can be made to depend on nobody having changed the thing since it was read."""

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tests.support.routes import endpoints
from tests.support.world import Tenant, World

SETTINGS = "/memory/settings"
CHANGES: dict[str, tuple[str, str, Any]] = {
    "edit": ("PATCH", "", {"tags": ["colis"]}),
    "edit of the value": ("PATCH", "", {"value": "70 €"}),
    "pin": ("POST", "/pin", None),
    "unpin": ("POST", "/unpin", None),
    "archive": ("POST", "/archive", None),
    "restore": ("POST", "/restore", None),
    "confirm": ("POST", "/confirm", None),
    "erase": ("DELETE", "", None),
}


@pytest.fixture
async def tenant(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "carla": None})


async def fact(tenant: Tenant, scope: str = "org") -> str:
    """The path of a new fact, which is about alice where it is a person's."""
    about = {"org": {}, "store": {"store_id": "shop1"}, "user": {"user_id": "alice"}}[scope]
    made = await tenant.acting("alice").post(f"/memory/facts/{scope}", json={"key": "k", "value": "60 €", **about})
    assert made.headers["etag"] == '"1"'
    return f"/memory/facts/{scope}/{made.json()['id']}"


async def changed(tenant: Tenant, path: str, change: str, if_match: str) -> httpx.Response:
    method, place, body = CHANGES[change]
    return await tenant.acting("alice").request(method, path + place, json=body, headers={"If-Match": if_match})


def assert_moved(answer: httpx.Response) -> None:
    assert (answer.status_code, answer.json()["code"]) == (412, "precondition_failed")


async def test_reading_never_moves_it(tenant: Tenant) -> None:
    path = await fact(tenant)
    tags = {(await tenant.owner.get(path)).headers["etag"] for _ in range(3)}
    await tenant.owner.get("/memory/facts/org")
    await tenant.owner.get(f"{path}/history")
    await tenant.acting("alice").post("/memory/context", json={"user_id": "alice"})
    assert {(await tenant.owner.get(path)).headers["etag"], *tags} == {'"1"'}


@pytest.mark.parametrize("scope", ["org", "store", "user"])
@pytest.mark.parametrize("change", CHANGES)
async def test_a_change_is_made_of_the_version_it_was_meant_for_alone(tenant: Tenant, scope: str, change: str) -> None:
    path, alice = await fact(tenant, scope), tenant.acting("alice")
    moved = (await alice.patch(path, json={"tags": ["livraison"]})).headers["etag"]
    assert moved == '"2"'
    before = (await alice.get(path)).json()
    assert_moved(await changed(tenant, path, change, '"1"'))
    assert still((await alice.get(path)).json()) == still(before)
    answer = await changed(tenant, path, change, moved)
    assert answer.status_code == 200, answer.text
    if change != "erase":
        now = await alice.get(answer.headers.get("content-location", path))
        assert now.headers["etag"] == answer.headers["etag"]


def still(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in ("strength", "score", "last_seen_at")}


@pytest.mark.parametrize("if_match", ["*", '"1"', ' "1" ', '"7", "1"', '"1","2"'])
async def test_what_names_the_version_matches(tenant: Tenant, if_match: str) -> None:
    assert (await changed(tenant, await fact(tenant), "pin", if_match)).status_code == 200


@pytest.mark.parametrize(
    "if_match", ['"2"', 'W/"1"', "1", '"01x"', '"', '""', "", "x" * 1000, f'"{"1" * 5000}"', '"-1"', "nonsense"]
)
async def test_everything_else_does_not(tenant: Tenant, if_match: str) -> None:
    assert_moved(await changed(tenant, await fact(tenant), "pin", if_match))


async def test_a_version_is_no_way_to_learn_of_another_s_fact(world: World, tenant: Tenant) -> None:
    other = await world.organisation()
    answer = await changed(other, await fact(tenant), "pin", '"1"')
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_two_if_match_headers_are_refused(tenant: Tenant) -> None:
    twice = [("If-Match", '"1"'), ("If-Match", '"1"')]
    answer = await tenant.owner.post(f"{await fact(tenant)}/pin", headers=twice)
    assert (answer.status_code, answer.json()["code"]) == (400, "repeated_header")


async def test_of_several_who_read_the_same_one_changes_it(tenant: Tenant) -> None:
    path = await fact(tenant)
    answers = await asyncio.gather(*(changed(tenant, path, "edit of the value", '"1"') for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200, *[412] * 7]


async def test_settings_have_one_too(tenant: Tenant) -> None:
    first = (await tenant.owner.get(SETTINGS)).headers["etag"]
    same = await tenant.owner.patch(SETTINGS, json={"language": "fr"}, headers={"If-Match": first})
    assert (same.status_code, same.headers["etag"]) == (200, first)
    moved = await tenant.owner.patch(SETTINGS, json={"language": "en"}, headers={"If-Match": first})
    assert moved.headers["etag"] == (await tenant.owner.get(SETTINGS)).headers["etag"] != first
    assert_moved(await tenant.owner.patch(SETTINGS, json={"language": "fr"}, headers={"If-Match": first}))
    assert (await tenant.owner.get(SETTINGS)).json()["language"] == "en"


async def test_changes_of_settings_at_once_do_not_overwrite_each_other(tenant: Tenant) -> None:
    tag = (await tenant.owner.get(SETTINGS)).headers["etag"]
    zones = ("Europe/Rome", "Europe/London", "Asia/Tokyo")
    answers = await asyncio.gather(
        *(tenant.owner.patch(SETTINGS, json={"time_zone": zone}, headers={"If-Match": tag}) for zone in zones)
    )
    assert sorted(answer.status_code for answer in answers) == [200, 412, 412]


async def test_a_replay_is_answered_though_the_fact_has_moved(tenant: Tenant) -> None:
    path, headers = await fact(tenant), {"If-Match": '"1"', "Idempotency-Key": "key"}
    answers = [await tenant.owner.patch(path, json={"tags": ["x"]}, headers=headers) for _ in range(2)]
    assert [(answer.status_code, answer.headers["etag"]) for answer in answers] == [(200, '"2"')] * 2


def test_where_if_match_is_taken_412_is_declared(app: FastAPI) -> None:
    for endpoint in endpoints(app):
        takes = any(parameter["name"] == "If-Match" for parameter in endpoint.operation.get("parameters", ()))
        assert takes == (412 in endpoint.statuses), endpoint.name
