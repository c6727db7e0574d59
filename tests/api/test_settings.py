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
NO_NUMBERS: list[tuple[str, Any]] = [
    *(("half_life_days", value) for value in (0, -1, 36_501, "90")),
    *(("archive_below", value) for value in (-0.1, 1)),
    *(("hard_delete_days", value) for value in (0, 1.5, 36_501)),
]
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
        *(
            {"languages": ["fr"]},
            {"policies": {"tool_affinity": "adaptive"}},
            {"extractor": "off"},
            {"holdout_share": 0.25},
        ),
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
        *({"languages": []}, {"languages": ["de"]}, {"policies": {"x": "adaptive"}}, {"extractor": "anthropic"}),
        *({"holdout_share": 1.01}, {"holdout_share": -0.1}, {"holdout_share": True}),
        *({"tiers": {"identity": {}}}, {"tiers": {"watch": 7}}, {"tiers": {"watch": {"half_life": 7}}}),
        *({"tiers": {"watch": {name: value}}} for name, value in NO_NUMBERS),
        *({"budgets": {"core": -1}}, {"budgets": {"total": 10_001}}, {"budgets": {"behavioural": 4001}}),
        *({"retention": {"message_days": 731}}, {"retention": {"receipt_days": 31}}, {"retention": {"job_days": 0}}),
        {"enabled": False, "name": "x"},
    ],
)
async def test_what_cannot_be_changes_nothing(tenant: Tenant, wrong: dict[str, Any]) -> None:
    assert problem(await tenant.acting("ada").patch(ROUTE, json=wrong)) == (422, "invalid_request")
    assert (await tenant.acting("ada").get(ROUTE)).json() == USUAL


async def test_of_tiers_budgets_and_retention_single_numbers_change(tenant: Tenant) -> None:
    parts: dict[str, Any] = {
        "tiers": {"watch": {"half_life_days": 30}, "session": {"archive_below": 0, "hard_delete_days": 1}},
        "budgets": {"core": 500, "total": 1500},
        "retention": {"message_days": 30},
    }
    expected = json.loads(json.dumps(USUAL))
    for name, part in parts.items():
        for inner, value in part.items():
            expected[name][inner] = expected[name][inner] | value if name == "tiers" else value
        answer = await tenant.acting("ada").patch(ROUTE, json={name: part})
        assert (answer.status_code, answer.json()) == (200, expected)
    same = await tenant.acting("ada").patch(ROUTE, json=parts)
    assert same.headers["etag"] == answer.headers["etag"]
    assert len(await changes_told(tenant)) == 3


@pytest.mark.parametrize(
    "change", [{"languages": ["en"]}, {"language": "en", "languages": ["fr"]}, {"languages": ["fr"], "language": "en"}]
)
async def test_the_language_is_one_of_the_languages(world: World, tenant: Tenant, change: dict[str, Any]) -> None:
    assert problem(await tenant.acting("ada").patch(ROUTE, json=change)) == (422, "language_not_spoken")
    await tenant.acting("ada").patch(ROUTE, json={"languages": ["fr"]})
    assert problem(await tenant.acting("ada").patch(ROUTE, json={"language": "en"})) == (422, "language_not_spoken")
    renamed = await world.platform.put(tenant.path, json={"name": "Lune", "language": "en"})
    assert problem(renamed) == (422, "language_not_spoken")
    assert (await tenant.owner.get(ROUTE)).json() == USUAL | {"languages": ["fr"]}


async def test_a_change_is_an_event_and_no_change_is_none(tenant: Tenant) -> None:
    for change in ({"language": "en"}, {"language": "en"}, {}, {"language": None}):
        assert (await tenant.acting("ada").patch(ROUTE, json=change)).status_code == 200
    assert await changes_told(tenant) == [({"language": "fr"}, {"language": "en"})]


async def test_the_platform_s_change_of_language_is_one_too(world: World, tenant: Tenant) -> None:
    await world.platform.put(tenant.path, json={"name": "Lune", "language": "en"})
    assert (await tenant.owner.get(ROUTE)).json()["language"] == "en"
    before, after = {"name": tenant.org_id, "language": "fr"}, {"name": "Lune", "language": "en"}
    assert await changes_told(tenant) == [(before, after)]


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
