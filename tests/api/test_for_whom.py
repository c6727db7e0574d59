"""For whom a request speaks: a key or a token, a header, a body, and the lesser of two roles."""

import httpx
import pytest

from tests.support.world import Tenant, World, speaking

ROUTE = "/memory/settings"


@pytest.fixture(scope="module")
async def tenant(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "ada": "admin", "mia": "member", "bob": None})


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


async def facts_of(client: httpx.AsyncClient, **query: str) -> httpx.Response:
    return await client.get("/memory/facts/user", params=query)


async def test_a_key_speaks_for_its_organisation(tenant: Tenant) -> None:
    member = tenant.with_key(await tenant.make_key("member"))
    assert (await member.get(ROUTE)).status_code == 200
    assert problem(await member.patch(ROUTE, json={})) == (403, "forbidden")


@pytest.mark.parametrize(("person", "reads", "changes"), [("alice", 200, 200), ("ada", 200, 200), ("mia", 200, 403)])
async def test_acting_has_the_person_s_role(tenant: Tenant, person: str, reads: int, changes: int) -> None:
    acting = tenant.acting(person)
    assert ((await acting.get(ROUTE)).status_code, (await acting.patch(ROUTE, json={})).status_code) == (reads, changes)


async def test_acting_never_has_more_than_the_key_s_role(tenant: Tenant) -> None:
    key = await tenant.make_key("member", act_for_people=True)
    assert problem(await tenant.with_key(key, "alice").patch(ROUTE, json={})) == (403, "forbidden")


@pytest.mark.parametrize("person", ["bob", "somebody-new"])
async def test_a_contact_and_somebody_unknown_are_below_members(tenant: Tenant, person: str) -> None:
    assert problem(await tenant.acting(person).get(ROUTE)) == (403, "forbidden")


async def test_reading_makes_nobody(tenant: Tenant) -> None:
    answer = await facts_of(tenant.acting("somebody-else"))
    assert (answer.status_code, answer.json()["items"]) == (200, [])
    assert problem(await tenant.owner.get(f"{tenant.path}/people/somebody-else")) == (404, "not_found")


async def test_a_key_that_may_not_act_is_refused_a_person(tenant: Tenant) -> None:
    mute = await tenant.make_key("owner")
    turn = {"conversation_id": "c", "channel": "web", "user_id": "alice", "user_message": _message()}
    assert problem(await tenant.with_key(mute, "alice").get(ROUTE)) == (403, "may_not_act")
    assert problem(await tenant.with_key(mute).post("/memory/turns", json=turn)) == (403, "may_not_act")


async def test_header_and_body_name_one_person(tenant: Tenant) -> None:
    turn = {"conversation_id": "c", "channel": "web", "user_id": "mia", "user_message": _message()}
    assert problem(await tenant.acting("alice").post("/memory/turns", json=turn)) == (422, "person_mismatch")
    assert problem(await tenant.token("alice").post("/memory/turns", json=turn)) == (422, "person_mismatch")
    assert (await tenant.acting("mia").post("/memory/turns", json=turn)).status_code == 202


async def test_a_list_named_for_a_person_is_read_as_them_by_a_key_that_acts(tenant: Tenant) -> None:
    assert (await facts_of(tenant.owner, user_id="mia")).status_code == 200
    mute = tenant.with_key(await tenant.make_key("owner"))
    assert problem(await facts_of(mute, user_id="mia")) == (404, "not_found")  # an operator's, not a contact's
    assert (await facts_of(mute, user_id="bob")).status_code == 200


async def test_a_token_speaks_for_its_own_person(tenant: Tenant) -> None:
    token = tenant.token("alice")
    token.headers["X-User-Id"] = "alice"
    assert problem(await token.get(ROUTE)) == (400, "unsupported_header")


async def test_a_token_needs_an_organisation(world: World, tenant: Tenant) -> None:
    bare = tenant.token("alice")
    del bare.headers["X-Org-Id"]
    assert problem(await bare.get(ROUTE)) == (400, "organisation_required")
    claimed = tenant.token("alice", org_id=tenant.org_id)
    del claimed.headers["X-Org-Id"]
    assert (await claimed.get(ROUTE)).status_code == 200


async def test_a_token_for_one_organisation_opens_no_other(world: World, tenant: Tenant) -> None:
    other = await world.organisation()
    assert problem(await other.token("alice", org_id=tenant.org_id).get(ROUTE)) == (404, "not_found")


async def test_who_is_no_member_finds_nothing(world: World, tenant: Tenant) -> None:
    other = await world.organisation(people={"zoe": "owner"})
    absent = speaking(world.app, Authorization=tenant.token("alice").headers["Authorization"], X_Org_Id="no-such-org")
    assert problem(await other.token("alice").get(ROUTE)) == problem(await absent.get(ROUTE)) == (404, "not_found")


async def test_a_key_is_told_when_another_organisation_is_meant(world: World, tenant: Tenant) -> None:
    other = await world.organisation()
    mistaken = tenant.owner
    mistaken.headers["X-Org-Id"] = other.org_id
    assert problem(await mistaken.get(ROUTE)) == (404, "not_found")
    mistaken.headers["X-Org-Id"] = tenant.org_id
    assert (await mistaken.get(ROUTE)).status_code == 200


@pytest.mark.parametrize("person", ["", " ", "al ice", "é", "..", "a" * 256])
async def test_a_person_who_cannot_be_is_a_422(tenant: Tenant, person: str) -> None:
    answer = await tenant.owner.get(ROUTE, headers=[(b"X-User-Id", person.encode())])
    assert problem(answer) == (422, "invalid_request")
    assert answer.json()["errors"][0]["in"] == "header"


def _message() -> dict[str, str]:
    return {"id": "m1", "content": "Bonjour", "sent_at": "2026-11-30T09:00:00Z"}
