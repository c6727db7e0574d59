"""People and their roles: an organisation that has an owner keeps one, and who leaves takes their words along."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.support.world import Tenant, World


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


async def put(tenant: Tenant, person: str, **body: Any) -> httpx.Response:
    return await tenant.owner.put(f"{tenant.path}/people/{person}", json=body)


async def roles_told(tenant: Tenant, person: str) -> list[tuple[Any, Any]]:
    """Old and new of each change of the person's role, oldest first. Others' changes come to them without words."""
    items = (await tenant.acting(person).get("/memory/events", params={"kind": "role_changed"})).json()["items"]
    return [(item["old"], item["new"]) for item in reversed(items) if item["old"] or item["new"]]


async def test_a_person_is_made_changed_and_read(world: World) -> None:
    tenant = await world.organisation(people={"alice": "owner"})
    made = await put(tenant, "ada", role="admin", display_name="Ada", time_zone="Europe/Madrid")
    assert (made.status_code, made.json()["remember"]) == (201, True)
    changed = await put(tenant, "ada", role=None)
    assert changed.status_code == 200
    assert (await tenant.owner.get(f"{tenant.path}/people/ada")).json() == {
        **made.json(),
        "role": None,
        "display_name": None,
        "time_zone": None,
    }


async def test_a_wish_not_to_be_remembered_outlives_a_new_role(world: World) -> None:
    tenant = await world.organisation()
    await put(tenant, "ada", role=None, remember=False)
    assert (await put(tenant, "ada", role="admin")).json()["remember"] is False
    assert (await put(tenant, "ada", role="admin", remember=True)).json()["remember"] is True


@pytest.mark.parametrize(
    "body",
    [{}, {"role": "contact"}, {"role": "OWNER"}, {"role": "platform"}, {"role": 4}, {"role": "admin", "rank": 4}],
)
async def test_a_role_is_one_of_three_or_null(world: World, body: dict[str, Any]) -> None:
    tenant = await world.organisation()
    assert problem(await put(tenant, "ada", **body)) == (422, "invalid_request")
    assert problem(await tenant.owner.get(f"{tenant.path}/people/ada")) == (404, "not_found")


async def test_the_last_owner_stays(world: World) -> None:
    tenant = await world.organisation(people={"alice": "owner", "ada": "admin"})
    for role in ("admin", "member", None):
        assert problem(await put(tenant, "alice", role=role)) == (409, "last_owner")
    assert problem(await tenant.owner.delete(f"{tenant.path}/people/alice")) == (409, "last_owner")
    assert problem(await world.platform.delete(f"{tenant.path}/people/alice")) == (409, "last_owner")
    await put(tenant, "ada", role="owner")
    assert (await put(tenant, "alice", role="member")).status_code == 200


async def test_two_owners_who_leave_at_once_leave_one(world: World) -> None:
    for _ in range(5):
        tenant = await world.organisation(people={"alice": "owner", "ada": "owner"})
        gone = await asyncio.gather(
            tenant.owner.delete(f"{tenant.path}/people/alice"), put(tenant, "ada", role="admin")
        )
        assert sorted(answer.status_code for answer in gone) in ([200, 409], [204, 409])


async def test_a_change_of_role_is_an_event(world: World) -> None:
    tenant = await world.organisation(people={"alice": None, "ada": "owner"})
    await put(tenant, "alice", role="admin")
    await put(tenant, "alice", role="admin", display_name="Alice")
    await put(tenant, "alice", role="member")
    assert await roles_told(tenant, "alice") == [(None, "admin"), ("admin", "member")]


async def test_a_role_holds_from_the_next_request_on(world: World) -> None:
    tenant = await world.organisation(people={"alice": "owner", "ada": "admin"})
    assert (await tenant.token("ada").patch("/memory/settings", json={})).status_code == 200
    await put(tenant, "ada", role="member")
    assert problem(await tenant.token("ada").patch("/memory/settings", json={})) == (403, "forbidden")
    await tenant.owner.delete(f"{tenant.path}/people/ada")
    assert problem(await tenant.token("ada").get("/memory/settings")) == (404, "not_found")


async def test_who_leaves_takes_their_words_along(world: World) -> None:
    tenant = await world.organisation(people={"alice": "owner", "ada": "admin"})
    facts, shared = "/memory/facts", {"store_id": "shop1", "key": "shipping.free_threshold"}
    for person, value in (("alice", "60 €"), ("ada", "80 €")):
        await tenant.acting(person).post(f"{facts}/store", json={**shared, "value": value})
    await tenant.acting("ada").post(f"{facts}/user", json={"user_id": "ada", "key": "tone", "value": "kanarienvogel"})
    assert (await tenant.owner.delete(f"{tenant.path}/people/ada")).status_code == 200
    told = await tenant.acting("alice").get(f"{facts}/store", params={"store_id": "shop1"})
    assert [fact["value"] for fact in told.json()["items"]] == ["60 €"]
    export = await tenant.acting("alice").get("/memory/export")
    assert export.status_code == 200
    assert "kanarienvogel" not in export.text
    assert "80 €" not in export.text
    await put(tenant, "ada", role="member")
    assert (await tenant.acting("ada").get(f"{facts}/user")).json()["items"] == []


async def test_a_store_takes_its_facts_along(world: World) -> None:
    tenant = await world.organisation()
    fact = {"store_id": "shop1", "key": "hours.monday", "value": "kanarienvogel"}
    assert (await tenant.acting("alice").post("/memory/facts/store", json=fact)).status_code == 201
    await tenant.owner.delete(f"{tenant.path}/stores/shop1")
    export = await tenant.acting("alice").get("/memory/export")
    assert export.status_code == 200
    assert "kanarienvogel" not in export.text
