"""What is no fact, no change of one, and no list of them; and what lies out of reach."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.support.talk import SHIPPING, facts, happened, path_of, problem, short, write
from tests.support.world import Tenant, World

FACT: dict[str, Any] = {"key": SHIPPING, "value": "80 €"}
UNKNOWN = "01936d2c-7c5a-7cc3-9f43-0b1de1f3a001"


@pytest.fixture(scope="module")
async def shop(world: World) -> Tenant:
    people = {"alice": "owner", "ada": "admin", "mia": "member", "carla": None, "dave": None}
    return await world.organisation(people=people, stores=("shop1", "shop2"))


@pytest.mark.parametrize(
    "changes",
    [
        {"key": ""},
        {"key": "Shipping"},
        {"key": "a" * 81},
        {"key": "a-b"},
        {"value": None},
        {"value": "é" * 2048},
        {"content": ""},
        {"tags": ["a"] * 9},
        {"tags": ["a" * 41]},
        {"tags": [""]},
        {"tier": "eternal"},
        {"half_life_days": 0},
        {"half_life_days": 36_501},
        {"half_life_days": True},
        {"confidence": 0},
        {"confidence": 1.01},
        {"many": 1},
        {"audience": "world"},
        {"agent_id": ""},
        {"valid_from": "2026-01-01"},
        {"metadata": {}},
        {"org_id": "another"},
        {"user_id": "mia"},
        {"store_id": "shop2"},
        {"id": UNKNOWN},
    ],
    ids=short,
)
async def test_what_is_no_fact_is_refused(shop: Tenant, changes: dict[str, Any]) -> None:
    answer = await shop.owner.post("/memory/facts/org", json={**FACT, **changes})
    assert problem(answer) == (422, "invalid_request")
    assert await facts(shop.owner, "org") == []


async def test_it_may_not_begin_more_than_a_day_ahead(shop: Tenant) -> None:
    ahead = (datetime.now(UTC) + timedelta(hours=25)).isoformat()
    assert problem(await shop.owner.post("/memory/facts/org", json={**FACT, "valid_from": ahead})) == (
        422,
        "time_ahead",
    )


@pytest.mark.parametrize("user_id", ["", " ", "été"])
async def test_an_empty_person_is_never_everybody(shop: Tenant, user_id: str) -> None:
    await write(shop.acting("alice"), "user", "person.name", "Alice")
    for answer in (
        await shop.owner.get("/memory/facts/user", params={"user_id": user_id}),
        await shop.owner.post("/memory/facts/user", json={**FACT, "user_id": user_id}),
        await shop.owner.post("/memory/context", json={"user_id": user_id}),
    ):
        assert problem(answer) == (422, "invalid_request")


async def test_nobody_in_particular_has_no_facts_to_write(shop: Tenant) -> None:
    assert problem(await shop.owner.post("/memory/facts/user", json=FACT)) == (422, "person_required")
    assert problem(await shop.owner.post("/memory/facts/user", json={**FACT, "user_id": None})) == (
        422,
        "person_required",
    )


@pytest.mark.parametrize(
    "changes", [{}, {"user_id": "mia"}, {"key": "other"}, {"pinned": True}, {"value": "x" * 4095}], ids=short
)
async def test_what_is_no_change_is_refused(shop: Tenant, changes: dict[str, Any]) -> None:
    fact = await write(shop.acting("alice"), "user", "person.name", "Alice")
    assert problem(await shop.acting("alice").patch(path_of(fact), json=changes)) == (422, "invalid_request")
    assert (await shop.acting("alice").get(path_of(fact))).json()["user_id"] == "alice"


async def every_route(client: httpx.AsyncClient, path: str) -> set[tuple[int, str]]:
    """How each route of one fact answers."""
    answers = [
        await client.get(path),
        await client.get(f"{path}/history"),
        await client.patch(path, json={"value": "stolen"}),
        await client.patch(path, json={"audience": "everyone"}),
        *[await client.post(f"{path}/{verb}") for verb in ("pin", "unpin", "archive", "restore", "confirm")],
        await client.delete(path),
        await client.delete(path, params={"with_sources": True}),
    ]
    return {problem(answer) for answer in answers}


@pytest.mark.parametrize("scope", ["org", "store", "user"])
@pytest.mark.parametrize("fact_id", ["not-a-uuid", "0", UNKNOWN, "x') OR 1=1--", "%00"])
async def test_an_id_of_nothing_is_not_found(shop: Tenant, scope: str, fact_id: str) -> None:
    answered = await every_route(shop.acting("alice"), f"/memory/facts/{scope}/{fact_id}")
    assert answered <= {(404, "not_found"), (400, "bad_path")}
    assert fact_id == "%00" or answered == {(404, "not_found")}


async def test_another_scope_s_id_is_not_found(shop: Tenant) -> None:
    alice = shop.acting("alice")
    made = {scope: await write(alice, scope, "where.it_is", scope) for scope in ("org", "store", "user")}
    for scope, fact in made.items():
        for other in set(made) - {scope}:
            assert await every_route(alice, f"/memory/facts/{other}/{fact['id']}") == {(404, "not_found")}
        assert (await alice.get(path_of(fact))).json()["value"] == scope


async def test_another_organisation_s_id_is_not_found(world: World, shop: Tenant) -> None:
    other = await world.organisation(people={"alice": "owner"})
    for scope in ("org", "store", "user"):
        fact = await write(shop.acting("alice"), scope, "whose", "ours")
        for client in (other.acting("alice"), other.owner, other.token("alice")):
            assert await every_route(client, path_of(fact)) == {(404, "not_found")}
        assert (await shop.acting("alice").get(path_of(fact))).json()["value"] == "ours"


async def test_another_person_s_id_is_not_found(shop: Tenant) -> None:
    for person in ("mia", "carla"):
        fact = await write(shop.acting(person), "user", "whose", person)
        others = [shop.acting(name) for name in {"mia", "carla", "dave", "nobody-known"} - {person}]
        for client in others:
            assert await every_route(client, path_of(fact)) == {(404, "not_found")}
        assert (await shop.acting(person).get(path_of(fact))).json()["value"] == person


async def test_an_operator_s_facts_are_not_for_admins_but_they_may_erase_them(shop: Tenant) -> None:
    fact = await write(shop.acting("mia"), "user", "secret.wish", "a cat")
    for admin in (shop.acting("alice"), shop.acting("ada"), shop.owner):
        for answer in (
            await admin.get(path_of(fact)),
            await admin.get(f"{path_of(fact)}/history"),
            await admin.patch(path_of(fact), json={"value": "a dog"}),
            await admin.post(f"{path_of(fact)}/pin"),
        ):
            assert problem(answer) == (404, "not_found")
    erased = await shop.acting("ada").delete(path_of(fact))
    assert (erased.status_code, erased.json()["remaining"]) == (200, 0)
    assert "a cat" not in erased.text
    assert problem(await shop.acting("mia").get(path_of(fact))) == (404, "not_found")


async def test_an_admin_reads_and_corrects_a_contact_s_facts_and_leaves_an_event(shop: Tenant) -> None:
    fact = await write(shop.acting("dave"), "user", "shoe.size", "42")
    ada = shop.acting("ada")
    assert (await ada.get(path_of(fact))).json()["value"] == "42"
    assert [row["id"] for row in await facts(ada, "user", user_id="dave")] == [fact["id"]]
    corrected = (await ada.patch(path_of(fact), json={"value": "43"})).json()
    assert (corrected["value"], corrected["user_id"], corrected["source"]["author"]) == ("43", "dave", "ada")
    assert await happened(ada, fact) == ["created", "read", "superseded"]


async def test_an_admin_writes_about_a_contact_whom_nobody_has_seen(shop: Tenant) -> None:
    made = await shop.acting("ada").post("/memory/facts/user", json={**FACT, "user_id": "first-seen"})
    assert made.status_code == 201
    assert (await shop.owner.get(f"{shop.path}/people/first-seen")).json()["role"] is None
    refused = await shop.acting("mia").post("/memory/facts/user", json={**FACT, "user_id": "never-seen"})
    assert problem(refused) == (404, "not_found")
    assert (await shop.owner.get(f"{shop.path}/people/never-seen")).status_code == 404


@pytest.mark.parametrize(("person", "status"), [("alice", 201), ("ada", 201), ("mia", 403), ("carla", 403)])
@pytest.mark.parametrize("scope", ["org", "store"])
async def test_shared_facts_are_written_by_admins(shop: Tenant, scope: str, person: str, status: int) -> None:
    about = {"store_id": "shop1"} if scope == "store" else {}
    body = {"key": f"by.{person}", "value": True, **about}
    assert (await shop.acting(person).post(f"/memory/facts/{scope}", json=body)).status_code == status


@pytest.mark.parametrize("person", ["mia", "carla"])
async def test_shared_facts_are_changed_by_admins(shop: Tenant, person: str) -> None:
    fact = await write(shop.owner, "store", f"not.for_{person}", 1)
    client = shop.acting(person)
    for answer in (
        await client.patch(path_of(fact), json={"value": 2}),
        await client.post(f"{path_of(fact)}/archive"),
        await client.delete(path_of(fact)),
    ):
        assert problem(answer) == (403, "forbidden")
    assert (await client.get(path_of(fact))).status_code == (200 if person == "mia" else 403)
