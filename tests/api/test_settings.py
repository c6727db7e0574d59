"""Settings: read by members, changed by admins, a part at a time, each change an event."""

import asyncio
import json
from dataclasses import asdict
from typing import Any

import httpx
import pytest

from app.domain.organisations import OrgSettings
from tests.support.world import Tenant, World

ROUTE = "/memory/settings"
USUAL: dict[str, Any] = json.loads(json.dumps(asdict(OrgSettings())))


@pytest.fixture
async def tenant(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "ada": "admin", "mia": "member"})


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


async def changes_told(tenant: Tenant) -> list[tuple[Any, Any]]:
    items = (await tenant.acting("ada").get("/memory/events", params={"kind": "settings_changed"})).json()["items"]
    return [(item["old"], item["new"]) for item in reversed(items)]


async def test_begin_as_usual(tenant: Tenant) -> None:
    assert (await tenant.acting("mia").get(ROUTE)).json() == USUAL


@pytest.mark.parametrize(
    "change",
    [
        *({"enabled": False}, {"language": "en"}, {"time_zone": "Pacific/Auckland"}, {"share_messages": "store"}),
        *({"domains": {"paie": ["bulletin de paie"]}}, {"domains": {}}, {"meta_tools": ["x"]}, {"observation_days": 7}),
    ],
    ids=str,
)
async def test_what_is_named_changes_and_the_rest_stays(tenant: Tenant, change: dict[str, Any]) -> None:
    answer = await tenant.acting("ada").patch(ROUTE, json=change)
    assert (answer.status_code, answer.json()) == (200, USUAL | change)
    assert (await tenant.acting("mia").get(ROUTE)).json() == USUAL | change


async def test_a_member_reads_and_changes_nothing(tenant: Tenant) -> None:
    assert problem(await tenant.acting("mia").patch(ROUTE, json={"enabled": False})) == (403, "forbidden")
    assert (await tenant.acting("mia").get(ROUTE)).json() == USUAL


@pytest.mark.parametrize(
    "wrong",
    [
        {"enabled": "false"},
        {"enabled": 0},
        {"language": "de"},
        {"time_zone": "Mars/Olympus"},
        {"share_messages": "everybody"},
        {"version": 7},
        {"domains": {"": ["x"]}},
        {"domains": {"paie": []}},
        {"domains": {"paie": ["?"]}},
        {"domains": ["paie"]},
        {"meta_tools": ["x" * 256]},
        {"observation_days": 0},
        {"enabled": False, "name": "x"},
    ],
)
async def test_what_cannot_be_changes_nothing(tenant: Tenant, wrong: dict[str, Any]) -> None:
    assert problem(await tenant.acting("ada").patch(ROUTE, json=wrong)) == (422, "invalid_request")
    assert (await tenant.acting("ada").get(ROUTE)).json() == USUAL


async def test_a_change_is_an_event_and_no_change_is_none(tenant: Tenant) -> None:
    for change in ({"language": "en"}, {"language": "en"}, {}, {"language": None}):
        assert (await tenant.acting("ada").patch(ROUTE, json=change)).status_code == 200
    assert await changes_told(tenant) == [({"language": "fr"}, {"language": "en"})]


async def test_the_platform_s_change_of_language_is_one_too(world: World, tenant: Tenant) -> None:
    await world.platform.put(tenant.path, json={"name": "Lune", "language": "en"})
    assert (await tenant.owner.get(ROUTE)).json()["language"] == "en"
    assert await changes_told(tenant) == [({"language": "fr"}, {"language": "en"})]


async def test_changes_at_once_are_all_kept(tenant: Tenant) -> None:
    changes: list[dict[str, Any]] = [
        {"language": "en"},
        {"time_zone": "Europe/Rome"},
        {"share_messages": "store"},
        {"enabled": False},
    ]
    answers = await asyncio.gather(*(tenant.owner.patch(ROUTE, json=change) for change in changes))
    assert {answer.status_code for answer in answers} == {200}
    expected = {name: value for change in changes for name, value in change.items()}
    assert (await tenant.owner.get(ROUTE)).json() == USUAL | expected


async def test_one_organisation_s_settings_are_not_another_s(world: World, tenant: Tenant) -> None:
    other = await world.organisation()
    await other.owner.patch(ROUTE, json={"enabled": False})
    assert (await tenant.owner.get(ROUTE)).json() == USUAL
