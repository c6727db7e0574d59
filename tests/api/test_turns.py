"""POST /memory/turns: what is kept of a turn, what is refused, and what leaves no trace."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.talk import (
    FORMAL,
    FREE_FROM_60,
    block,
    facts,
    faults,
    problem,
    send,
    short,
    tables_holding,
    tell,
    turn,
)
from tests.support.world import Tenant, World


@pytest.fixture(scope="module")
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member", "carla": None})


async def test_a_turn_is_stored_and_its_job_can_be_followed_at_once(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    taken = await tell(alice, FORMAL, answer="Entendu.")
    assert (taken["stored"], taken["extraction"], taken["reason"], taken["correction"]) == (2, "scheduled", None, False)
    waiting = (await alice.get(f"/memory/jobs/{taken['job_id']}")).json()
    assert (waiting["status"], waiting["attempts"], waiting["result"]) == ("queued", 0, None)
    await world.finish_jobs()
    done = (await alice.get(f"/memory/jobs/{taken['job_id']}")).json()
    assert (done["status"], done["error"]) == ("done", None)
    learnt = {"facts_created": 1, "facts_confirmed": 0, "facts_superseded": 0, "drafts_dropped": {}}
    assert done["result"] == learnt


async def test_a_replay_names_the_first_job_and_stores_nothing_twice(world: World, shop: Tenant) -> None:
    carla = shop.acting("carla")
    said = turn(FORMAL, answer="Entendu.", conversation_id="replayed")
    first = await send(carla, said)
    again = await send(carla, said)
    assert (again["job_id"], again["stored"], again["extraction"]) == (first["job_id"], 0, "scheduled")
    await world.finish_jobs()
    assert (await send(carla, said))["job_id"] == first["job_id"]
    await world.finish_jobs()
    (fact,) = await facts(carla, "user")
    assert fact["confirmation_count"] == 1
    jobs = (await carla.get("/memory/jobs", params={"total": True})).json()
    assert jobs["total"] == 1


async def test_an_answer_that_comes_later_joins_its_turn(shop: Tenant) -> None:
    whole = turn("Bonjour à tous.", answer="Bonjour !", conversation_id="in-parts")
    question = {name: value for name, value in whole.items() if name != "assistant_message"}
    first = await send(shop.acting("alice"), question)
    second = await send(shop.acting("alice"), whole)
    assert (first["stored"], second["stored"]) == (1, 1)
    assert first["job_id"] == second["job_id"]


@pytest.mark.parametrize("part", ["user_message", "assistant_message"])
@pytest.mark.parametrize("changed", [{"content": "autre chose"}, {"sent_at": "2026-01-01T00:00:00Z"}])
async def test_other_words_under_a_known_id_conflict(
    world: World, shop: Tenant, superuser_url: str, part: str, changed: dict[str, str]
) -> None:
    said = turn(FORMAL, answer="Entendu.", conversation_id=f"talk-{part}-{next(iter(changed))}")
    await send(shop.acting("alice"), said)
    before = await tables_holding(superuser_url, said["conversation_id"])
    other = {**said, part: {**said[part], **changed}}
    assert problem(await shop.acting("alice").post("/memory/turns", json=other)) == (409, "message_conflict")
    assert await tables_holding(superuser_url, said["conversation_id"]) == before


async def test_the_same_message_of_somebody_else_conflicts(shop: Tenant) -> None:
    said = turn("Bonjour.", conversation_id="whose")
    await send(shop.acting("alice"), said)
    assert problem(await shop.acting("mia").post("/memory/turns", json=said)) == (409, "message_conflict")


@pytest.mark.parametrize("tag", ["#noremember", "#NoRemember", "#NOREMEMBER !", "#noremember.  \n", "#noremember…"])
async def test_a_turn_that_ends_in_noremember_is_skipped(world: World, shop: Tenant, tag: str) -> None:
    taken = await tell(shop.owner, f"{FORMAL} {tag}", user_id="somebody-quiet", answer="Entendu.")
    assert (taken["job_id"], taken["stored"], taken["reason"]) == (None, 0, "noremember")
    person = await shop.owner.get(f"{shop.path}/people/somebody-quiet")
    assert person.status_code == 404


@pytest.mark.parametrize("text", [f"#noremember {FORMAL}", f"Avec #noremember, {FORMAL}", f"{FORMAL} #noremembering"])
async def test_noremember_elsewhere_is_text(shop: Tenant, text: str) -> None:
    taken = await tell(shop.acting("alice"), text)
    assert (taken["stored"], taken["reason"]) == (1, None)


async def test_an_organisation_that_is_switched_off_keeps_nothing(world: World, superuser_url: str) -> None:
    shop = await world.organisation()
    await shop.owner.patch("/memory/settings", json={"enabled": False})
    taken = await tell(shop.acting("alice"), "Notre fournisseur est Quintessouffle.", answer="Noté.")
    assert (taken["stored"], taken["extraction"], taken["reason"]) == (0, "skipped", "disabled")
    assert await tables_holding(superuser_url, "Quintessouffle") == {}
    await shop.owner.patch("/memory/settings", json={"enabled": True})
    assert (await tell(shop.acting("alice"), FREE_FROM_60))["stored"] == 1


async def test_nothing_is_kept_of_a_person_who_opted_out(world: World, superuser_url: str) -> None:
    shop = await world.organisation(people={"alice": "owner", "bob": "member"})
    await shop.owner.put(f"{shop.path}/people/bob", json={"role": "member", "remember": False})
    taken = await tell(shop.acting("bob"), "Notre fournisseur est Ribouldingue.")
    assert (taken["stored"], taken["reason"]) == (0, "person_opted_out")
    assert await tables_holding(superuser_url, "Ribouldingue") == {}
    assert (await tell(shop.acting("alice"), FREE_FROM_60))["reason"] is None


@pytest.mark.parametrize("part", ["user_message", "assistant_message"])
async def test_a_time_more_than_a_day_ahead_is_refused(shop: Tenant, part: str) -> None:
    def sent(hours: float) -> dict[str, Any]:
        body = turn("Bonjour.", answer="Bonjour.", conversation_id="ahead")
        body[part]["sent_at"] = (datetime.now(UTC) + timedelta(hours=hours)).isoformat()
        return body

    refused = await shop.acting("alice").post("/memory/turns", json=sent(24.1))
    assert problem(refused) == (422, "time_ahead")
    assert faults(refused) == [(f"/{part}/sent_at", "time_ahead")]
    assert (await send(shop.acting("alice"), sent(23.9)))["stored"] == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"user_message": None},
        {"user_message": {"id": "m", "content": "", "sent_at": "2026-01-01T00:00:00Z"}},
        {"user_message": {"id": "m", "content": "x", "sent_at": "2026-01-01T00:00:00"}},
        {"user_message": {"id": "m", "content": 7, "sent_at": "2026-01-01T00:00:00Z"}},
        {"conversation_id": ""},
        {"conversation_id": ".."},
        {"channel": "on the web"},
        {"agent_id": "été"},
        {"channel_address": "33612345678==", "user_id": "alice"},
        {"receipt_id": "not-a-uuid"},
        {"metadata": {"user_id": "mia"}},
        {"org_id": "another"},
    ],
    ids=short,
)
async def test_what_is_no_turn_is_refused(shop: Tenant, changes: dict[str, Any]) -> None:
    answer = await shop.acting("alice").post("/memory/turns", json={**turn("Bonjour."), **changes})
    assert problem(answer) == (422, "invalid_request")


@pytest.mark.parametrize("user_id", ["", " ", "  alice", "été", "x" * 256])
async def test_an_empty_or_ill_formed_person_is_nobody(shop: Tenant, user_id: str) -> None:
    answer = await shop.owner.post("/memory/turns", json=turn(FORMAL, user_id=user_id))
    assert problem(answer) == (422, "invalid_request")


async def test_a_turn_has_a_person(shop: Tenant) -> None:
    for body in (turn(FORMAL), turn(FORMAL, user_id=None)):
        assert problem(await shop.owner.post("/memory/turns", json=body)) == (422, "person_required")


async def test_two_messages_of_a_turn_have_two_ids(shop: Tenant) -> None:
    said = turn("Bonjour.", answer="Bonjour.")
    said["assistant_message"]["id"] = said["user_message"]["id"]
    assert problem(await shop.acting("alice").post("/memory/turns", json=said)) == (422, "repeated_id")


@pytest.mark.parametrize("letter", ["a", "é", "🎁"])
async def test_a_message_holds_exactly_64_kib(shop: Tenant, letter: str) -> None:
    whole = letter * (65_536 // len(letter.encode()))
    taken = await tell(shop.acting("alice"), whole, answer=whole, conversation_id=f"long-{ord(letter)}")
    assert taken["stored"] == 2
    answer = await shop.acting("alice").post("/memory/turns", json=turn(whole + "b"))
    assert problem(answer) == (422, "invalid_request")
    assert faults(answer) == [("/user_message/content", "text_too_large")]


@pytest.mark.parametrize("text", ["\u202eabc\u202c", "👨‍👩‍👧 🎁", "مرحبا", "a\u2028b\tc\r\nd", "我喜欢简短的回答"])
async def test_words_come_back_as_they_were_said(world: World, text: str) -> None:
    shop = await world.organisation()
    await tell(shop.acting("alice"), text)
    exported = (await shop.acting("alice").get("/memory/export")).json()
    assert [message["content"] for message in exported["messages"]] == [text]


async def test_a_key_of_one_store_writes_about_that_store_alone(world: World, shop: Tenant) -> None:
    limited = shop.with_key(await shop.make_key(act_for_people=True, store_ids=["shop1"]), "alice")
    refused = await limited.post("/memory/turns", json=turn(FREE_FROM_60, store_id="shop2"))
    assert problem(refused) == (404, "not_found")
    taken = await tell(limited, "Notre entreprise s'appelle Maison Lune.", conversation_id="limited")
    await world.finish_jobs()
    done = (await limited.get(f"/memory/jobs/{taken['job_id']}")).json()
    assert done["result"]["drafts_dropped"] == {"not_allowed": 1}
    assert await facts(shop.owner, "org") == []


async def test_a_key_of_one_agent_writes_into_that_pocket_alone(shop: Tenant) -> None:
    limited = shop.with_key(await shop.make_key(act_for_people=True, agent_ids=["maya"]), "alice")
    for pocket in ("otis", "atlas"):
        assert problem(await limited.post("/memory/turns", json=turn(FORMAL, agent_id=pocket))) == (403, "limited_key")
    assert (await tell(limited, FORMAL, agent_id="maya"))["stored"] == 1


async def test_a_store_and_a_person_not_seen_before_are_made(world: World) -> None:
    shop = await world.organisation()
    await tell(shop.owner, FORMAL, user_id="new-one", store_id="new-shop")
    await world.finish_jobs()
    person = (await shop.owner.get(f"{shop.path}/people/new-one")).json()
    assert person["role"] is None
    assert (await shop.owner.get(f"{shop.path}/stores/new-shop")).status_code == 200
    assert FORMAL in await block(shop.owner, user_id="new-one")
