"""Organisations, stores and channel links: made, changed, listed and removed by the platform and by owners."""

import secrets
from typing import Any

import httpx
import pytest

from tests.support.world import Tenant, World

NOWHERE = "/orgs/no-such-org"


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


async def test_an_organisation_is_made_renamed_and_read(world: World) -> None:
    path = f"/orgs/maison-{secrets.token_hex(4)}"
    made = await world.platform.put(path, json={"name": "Maison", "language": "en", "time_zone": "America/Montreal"})
    assert (made.status_code, made.json()["language"]) == (201, "en")
    renamed = await world.platform.put(path, json={"name": "Maison Lune"})
    assert renamed.status_code == 200
    assert (await world.platform.get(path)).json() == {**made.json(), "name": "Maison Lune"}


async def test_new_ones_are_french_unless_they_say_otherwise(world: World) -> None:
    made = await world.platform.put(f"/orgs/org-{secrets.token_hex(4)}", json={"name": "Lune"})
    assert (made.json()["language"], made.json()["time_zone"]) == ("fr", "Europe/Paris")


async def test_an_organisation_goes_with_all_it_has(world: World) -> None:
    tenant = await world.organisation()
    assert (await world.platform.delete(tenant.path)).status_code == 200
    assert problem(await world.platform.get(tenant.path)) == (404, "not_found")
    assert problem(await world.platform.delete(tenant.path)) == (404, "not_found")
    assert problem(await tenant.owner.get("/memory/settings")) == (401, "unauthenticated")
    assert problem(await tenant.token("alice").get("/memory/settings")) == (404, "not_found")


async def test_one_that_comes_back_starts_empty(world: World) -> None:
    tenant = await world.organisation(people={"alice": "owner", "bob": None})
    await world.platform.delete(tenant.path)
    again = await world.organisation(people={}, stores=(), org_id=tenant.org_id)
    for kind in ("people", "stores", "channels"):
        assert (await world.platform.get(f"{again.path}/{kind}")).json()["items"] == []


@pytest.mark.parametrize("kind", ["stores/s", "people/p", "channels/web/a"])
async def test_nothing_is_put_into_an_organisation_that_is_not_there(world: World, kind: str) -> None:
    bodies = {"stores/s": {"name": "S"}, "people/p": {"role": None}, "channels/web/a": {"user_id": "p"}}
    assert problem(await world.platform.put(f"{NOWHERE}/{kind}", json=bodies[kind])) == (404, "not_found")
    assert problem(await world.platform.get(f"{NOWHERE}/{kind}")) == (404, "not_found")
    assert problem(await world.platform.delete(f"{NOWHERE}/{kind}")) == (404, "not_found")


@pytest.mark.parametrize("kind", ["stores", "people", "channels", "api-keys"])
async def test_nothing_is_listed_of_an_organisation_that_is_not_there(world: World, kind: str) -> None:
    assert problem(await world.platform.get(f"{NOWHERE}/{kind}")) == (404, "not_found")


async def test_an_owner_provisions_their_own_organisation_only(world: World) -> None:
    ours, theirs = await world.organisation(), await world.organisation()
    for owner in (ours.owner, ours.acting("alice"), ours.token("alice")):
        assert (await owner.get(ours.path)).status_code == 200
        assert problem(await owner.get(theirs.path)) == (404, "not_found")
        assert problem(await owner.put(f"{theirs.path}/stores/s", json={"name": "S"})) == (404, "not_found")
        assert problem(await owner.put(ours.path, json={"name": "Mine"})) == (403, "forbidden")
        assert problem(await owner.delete(ours.path)) == (403, "forbidden")


@pytest.mark.parametrize("role", ["admin", "member", None])
async def test_below_owner_nobody_provisions(world: World, role: str | None) -> None:
    tenant = await world.organisation(people={"alice": "owner", "eve": role})
    other = await world.organisation()
    for eve in (tenant.acting("eve"), tenant.token("eve")):
        assert problem(await eve.get(f"{tenant.path}/stores/shop1")) == (403, "forbidden")
        assert problem(await eve.put(f"{tenant.path}/people/eve", json={"role": "owner"})) == (403, "forbidden")
        assert problem(await eve.get(other.path)) == (404, "not_found")


@pytest.mark.parametrize("limits", [{"store_ids": ["shop1"]}, {"agent_ids": ["maya"]}])
async def test_a_limited_key_does_not_provision(world: World, limits: dict[str, Any]) -> None:
    tenant = await world.organisation()
    limited = tenant.with_key(await tenant.make_key("owner", **limits))
    wanted = {"name": "wider", "role": "owner"}
    assert problem(await limited.post(f"{tenant.path}/api-keys", json=wanted)) == (403, "limited_key")


async def test_a_store_is_made_changed_and_removed(world: World) -> None:
    tenant = await world.organisation(stores=())
    path = f"{tenant.path}/stores/lyon%2F1"
    made = await tenant.owner.put(path, json={"name": "Lyon", "time_zone": "Europe/Paris"})
    assert (made.status_code, made.json()["store_id"]) == (201, "lyon/1")
    changed = await tenant.owner.put(path, json={"name": "Lyon 1"})
    assert (changed.status_code, changed.json()["time_zone"]) == (200, None)
    assert changed.json()["created_at"] == made.json()["created_at"]
    assert (await tenant.owner.delete(path)).status_code == 200
    assert problem(await tenant.owner.get(path)) == (404, "not_found")
    assert problem(await tenant.owner.delete(path)) == (404, "not_found")


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "europe/paris", "../etc/passwd", "America", "UTC+1"])
async def test_a_time_zone_is_one_that_exists(world: World, zone: str) -> None:
    tenant = await world.organisation()
    answer = await tenant.owner.put(f"{tenant.path}/stores/s", json={"name": "S", "time_zone": zone})
    assert problem(answer) == (422, "invalid_request")
    assert answer.json()["errors"] == [{"in": "body", "pointer": "/time_zone", "kind": "unknown_time_zone"}]


async def test_a_link_makes_whom_it_names_when_a_key_links(world: World) -> None:
    tenant = await world.organisation(stores=())
    path = f"{tenant.path}/channels/whatsapp/%2B33612345678%3D%3D"
    made = await tenant.owner.put(path, json={"user_id": "zoe", "store_id": "nice"})
    assert (made.status_code, made.json()["address"]) == (201, "+33612345678==")
    assert (await tenant.owner.get(f"{tenant.path}/people/zoe")).json()["role"] is None
    assert (await tenant.owner.get(f"{tenant.path}/stores/nice")).status_code == 200
    again = await tenant.owner.put(path, json={"user_id": "alice"})
    assert (again.status_code, again.json()["store_id"]) == (200, None)
    assert (await tenant.owner.delete(path)).status_code == 204
    assert problem(await tenant.owner.get(path)) == (404, "not_found")
    assert problem(await tenant.owner.delete(path)) == (404, "not_found")


async def test_a_token_links_only_whom_the_organisation_knows(world: World) -> None:
    tenant = await world.organisation()
    path = f"{tenant.path}/channels/sms/06"
    assert problem(await tenant.token("alice").put(path, json={"user_id": "zoe"})) == (404, "not_found")
    assert (await tenant.token("alice").put(path, json={"user_id": "alice", "store_id": "shop1"})).status_code == 201


async def test_links_go_with_their_person_and_outlive_their_store(world: World) -> None:
    tenant = await world.organisation()
    path = f"{tenant.path}/channels/sms/06"
    await tenant.owner.put(path, json={"user_id": "bob", "store_id": "shop1"})
    await tenant.owner.delete(f"{tenant.path}/stores/shop1")
    assert (await tenant.owner.get(path)).json()["store_id"] is None
    await tenant.owner.delete(f"{tenant.path}/people/bob")
    assert problem(await tenant.owner.get(path)) == (404, "not_found")


async def test_the_same_ids_in_two_organisations_are_two_things(world: World) -> None:
    one, two = await world.organisation(), await world.organisation()
    await one.owner.put(f"{one.path}/stores/shop1", json={"name": "One"})
    await two.owner.put(f"{two.path}/stores/shop1", json={"name": "Two"})
    assert (await one.owner.get(f"{one.path}/stores/shop1")).json()["name"] == "One"
    await two.owner.delete(f"{two.path}/stores/shop1")
    assert (await one.owner.get(f"{one.path}/stores/shop1")).status_code == 200


@pytest.fixture
async def crowd(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "bob": None, "carl": None}, stores=["a", "b", "c"])


@pytest.mark.parametrize(("kind", "key"), [("stores", "store_id"), ("people", "user_id")])
async def test_lists_are_pages(crowd: Tenant, kind: str, key: str) -> None:
    path, seen, cursor = f"{crowd.path}/{kind}", [], None
    while True:
        query = {"limit": 1, "total": True, **({"cursor": cursor} if cursor else {})}
        page = (await crowd.owner.get(path, params=query)).json()
        assert page["total"] == 3
        seen += [item[key] for item in page["items"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert len(seen) == 3
    assert seen == sorted(seen)


async def test_a_cursor_fits_its_own_list_only(world: World, crowd: Tenant) -> None:
    page = await crowd.owner.get(f"{crowd.path}/stores", params={"limit": 1})
    cursor = page.json()["next_cursor"]
    other = await world.organisation()
    for client, path in ((crowd.owner, f"{crowd.path}/people"), (other.owner, f"{other.path}/stores")):
        assert problem(await client.get(path, params={"limit": 1, "cursor": cursor})) == (400, "bad_cursor")
