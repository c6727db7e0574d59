"""/memory/users/{user_id}: a person says whether they are remembered, or an admin says it for them."""

from typing import Any

import pytest

from tests.support.talk import FORMAL, facts, problem, recall, send, tables_holding, tell, turn, write
from tests.support.world import Tenant, World


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "anna": "admin", "mia": "member", "carla": None})


def of(person: str) -> str:
    return f"/memory/users/{person}"


async def wish(shop: Tenant, person: str, *, remember: bool, by: str | None = None) -> Any:
    return await shop.acting(by or person).patch(of(person), json={"remember": remember})


@pytest.mark.parametrize("person", ["mia", "carla", "alice"])
async def test_it_is_the_person_s_own_to_say(shop: Tenant, person: str) -> None:
    assert (await shop.acting(person).get(of(person))).json() == {"user_id": person, "remember": True}
    said = await wish(shop, person, remember=False)
    assert (said.status_code, said.json()) == (200, {"user_id": person, "remember": False})
    assert (await shop.acting(person).get(of(person))).json()["remember"] is False
    assert (await recall(shop.acting(person)))["reason"] == "person_opted_out"
    assert (await wish(shop, person, remember=True)).json()["remember"] is True
    assert (await recall(shop.acting(person)))["reason"] is None


async def test_an_admin_says_it_for_them(shop: Tenant) -> None:
    for person in ("mia", "carla"):
        assert (await wish(shop, person, remember=False, by="anna")).json()["remember"] is False
        assert (await shop.acting("anna").get(of(person))).json()["remember"] is False
    by_key = shop.with_key(await shop.make_key("admin"))
    assert (await by_key.patch(of("carla"), json={"remember": True})).status_code == 200


async def test_nobody_else_does(shop: Tenant) -> None:
    for other in ("mia", "carla"):
        assert problem(await shop.acting(other).get(of("anna"))) == (404, "not_found")
        assert problem(await wish(shop, "anna", remember=False, by=other)) == (404, "not_found")
    limited = await shop.make_key("admin", act_for_people=True, store_ids=["shop1"])
    refused = await shop.with_key(limited).patch(of("mia"), json={"remember": False})
    assert problem(refused) == (403, "limited_key")
    own = await shop.with_key(limited, "mia").patch(of("mia"), json={"remember": False})
    assert own.json()["remember"] is False
    assert (await shop.acting("anna").get(of("anna"))).json()["remember"] is True


async def test_who_was_never_seen_is_remembered_until_they_say_otherwise(shop: Tenant) -> None:
    assert (await shop.acting("norma").get(of("norma"))).json()["remember"] is True
    assert problem(await shop.owner.get(of("norma"))) == (404, "not_found")
    assert (await wish(shop, "norma", remember=False)).status_code == 200
    assert (await shop.owner.get(of("norma"))).json()["remember"] is False
    assert (await tell(shop.acting("norma"), FORMAL))["reason"] == "person_opted_out"


async def test_a_change_is_an_event_whose_words_are_the_person_s(shop: Tenant) -> None:
    for remember in (False, False, True):
        await wish(shop, "carla", remember=remember, by="anna")
    await shop.owner.put(f"{shop.path}/people/mia", json={"role": "member", "remember": False})
    query = {"kind": "settings_changed"}
    told = (await shop.acting("anna").get("/memory/events", params=query)).json()["items"]
    assert [(event["scope"], event["old"], event["new"]) for event in told] == [("user", None, None)] * 3
    (mine, *_) = (await shop.acting("mia").get("/memory/events", params=query)).json()["items"]
    assert (mine["old"], mine["new"]) == ({"remember": True}, {"remember": False})


async def test_nothing_of_any_kind_is_kept_while_it_holds(world: World, shop: Tenant, superuser_url: str) -> None:
    word = f"canary-{shop.org_id}"
    await wish(shop, "carla", remember=False)
    carla, backend = shop.acting("carla"), shop.owner
    run = {"tool_name": word, "ok": True, "duration_ms": 5, "entities": [{"type": "order", "id": word}]}
    note = {"type": "note", "content": word}
    seen = await backend.post(
        "/memory/observations", json={"items": [{**note, "user_id": "carla"}, {**note, "user_id": "mia"}]}
    )
    assert [item["status"] for item in seen.json()["items"]] == ["skipped", "stored"]
    ran = await carla.post("/memory/tool-runs", json={"user_id": "carla", **run})
    assert {item["status"] for item in ran.json()["items"]} == {"skipped"}
    batch = [turn(f"Où est mon colis {word} ?", user_id=person) for person in ("carla", "alice")]
    taken = await send(backend, {"items": batch})
    assert [item["reason"] for item in taken["items"]] == ["person_opted_out", None]
    await world.finish_jobs()
    await carla.post("/memory/consolidations", json={"user_id": "carla"})
    query = {"user_id": "carla"}
    assert (await carla.get("/memory/observations", params=query)).json()["items"] == []
    assert await facts(carla, "user") == []
    assert set(await tables_holding(superuser_url, '"carla"', shop.org_id)) <= {"people"}


async def test_a_turn_that_waits_to_be_read_teaches_nothing_once_it_is_said(world: World, shop: Tenant) -> None:
    mia = shop.acting("mia")
    taken = await tell(mia, f"{FORMAL} Où est mon colis ?")
    await wish(shop, "mia", remember=False)
    await world.finish_jobs()
    job = (await mia.get(f"/memory/jobs/{taken['job_id']}")).json()
    assert (job["status"], job["result"]["facts_created"]) == ("done", 0)
    assert await facts(mia, "user") == []
    assert (await mia.get("/memory/observations")).json()["items"] == []


async def test_what_was_observed_before_makes_no_habits_and_is_there_again_afterwards(shop: Tenant) -> None:
    mia = shop.acting("mia")
    seen = {"type": "tool_success", "session_id": "s1", "metadata": {"toolName": "get_order"}}
    await mia.post("/memory/observations", json={"items": [{"user_id": "mia", **seen}]})
    await write(mia, "user", "tone", "warm")
    await wish(shop, "mia", remember=False)
    consolidated = await mia.post("/memory/consolidations", json={"user_id": "mia", "deadline_ms": 10_000})
    assert consolidated.json()["facts"] == []
    assert (await mia.get("/memory/tool-affinities")).json() == {"tool_affinities": {}}
    await wish(shop, "mia", remember=True)
    await mia.post("/memory/consolidations", json={"user_id": "mia", "deadline_ms": 10_000})
    served = await recall(mia)
    assert "warm" in served["block"]
    assert list(served["tool_affinities"]) == ["get_order"]
