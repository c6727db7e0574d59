"""From turns to facts, whatever the order and the number of the turns that say the same or something else."""

import asyncio
from typing import Any

import pytest

from app.domain.tenancy import Role
from app.worker import beside
from tests.support.talk import (
    FORMAL,
    FREE_FROM_60,
    FREE_FROM_80,
    SHIPPING,
    block,
    facts,
    happened,
    history,
    moment,
    tell,
    turn,
)
from tests.support.waiting import DONE, settled
from tests.support.world import Tenant, World

DESORMAIS_90 = "Désormais la livraison est offerte dès 90 €."


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member", "carla": None})


async def values(shop: Tenant, **query: Any) -> list[str]:
    """What is believed of the shop, oldest row first."""
    return [fact["value"] for fact in reversed(await facts(shop.owner, **query))]


async def test_twenty_parallel_turns_that_state_one_fact_make_one_row(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    bodies = [turn(FREE_FROM_60, at=number, conversation_id=f"c{number}") for number in range(20)]
    answers = await asyncio.gather(*(alice.post("/memory/turns", json=body) for body in bodies))
    assert {answer.status_code for answer in answers} == {202}
    async with beside(world.container):
        done = [await settled(alice, answer.json()["job_id"], DONE) for answer in answers]
    assert sum(job["result"]["facts_created"] for job in done) == 1
    assert sum(job["result"]["facts_confirmed"] for job in done) == 19
    (fact,) = await facts(alice)
    assert (fact["value"], fact["confirmation_count"], fact["confidence"]) == ("60 €", 20, 1.0)
    assert sorted(await happened(alice, fact)) == ["confirmed"] * 19 + ["created"]


async def test_one_turn_sent_twenty_times_at_once_is_one_confirmation(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    said = turn(FREE_FROM_60, answer="Entendu.")
    answers = await asyncio.gather(*(alice.post("/memory/turns", json=said) for _ in range(20)))
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.json()["job_id"] for answer in answers}) == 1
    assert sum(answer.json()["stored"] for answer in answers) == 2
    await world.finish_jobs()
    (fact,) = await facts(alice)
    assert fact["confirmation_count"] == 1


async def test_the_same_value_in_another_spelling_is_a_confirmation(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    for number, amount in enumerate(("60 €", "60 euros", "60,00 €")):
        await tell(alice, f"Chez nous, la livraison est offerte dès {amount}.", at=number * 600)
    await world.finish_jobs()
    (fact,) = await facts(alice)
    assert (fact["value"], fact["confirmation_count"], fact["contradicted"]) == ("60 €", 3, False)


async def test_another_value_is_a_contradiction_until_it_has_been_said_three_times(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, FREE_FROM_60, conversation_id="monday")
    for number in (1, 2):
        await tell(alice, FREE_FROM_80, at=number * 600, conversation_id=f"day {number}".replace(" ", "-"))
    await world.finish_jobs()
    assert await values(shop, contradicted=True) == ["60 €", "80 €"]
    await tell(alice, FREE_FROM_80, at=1800, conversation_id="day-3")
    await world.finish_jobs()
    (standing,) = await facts(alice)
    (replaced,) = await facts(alice, archived=True)
    assert (standing["value"], standing["confirmation_count"], standing["contradicted"]) == ("80 €", 3, False)
    assert (replaced["value"], replaced["superseded_by"]) == ("60 €", standing["id"])
    assert await happened(alice, standing) == ["contradicted", "confirmed", "confirmed"]
    assert await happened(alice, replaced) == ["created", "superseded"]


async def test_an_update_supersedes_at_once(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, FREE_FROM_60)
    await tell(alice, DESORMAIS_90, at=3600)
    await world.finish_jobs()
    (standing,) = await facts(alice)
    assert (standing["value"], standing["contradicted"], standing["source"]["reason"]) == ("90 €", False, None)
    assert await happened(alice, standing) == ["updated"]
    (old,) = (await history(alice, standing))["predecessors"]
    assert (old["value"], old["valid_to"]) == ("60 €", standing["valid_from"])


async def test_a_late_turn_takes_its_place_in_time(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, DESORMAIS_90, at=3600, conversation_id="today")
    await world.finish_jobs()
    before = (await facts(alice))[0]
    await tell(alice, FREE_FROM_60, at=0, conversation_id="last-week")
    await tell(alice, DESORMAIS_90, at=1800, conversation_id="yesterday")
    await world.finish_jobs()
    (standing,) = await facts(alice)
    assert (standing["id"], standing["value"], standing["confirmation_count"]) == (before["id"], "90 €", 2)
    assert standing["last_reinforced_at"] == before["last_reinforced_at"] == moment(3600).replace("+00:00", "Z")
    assert standing["valid_from"] == moment(1800).replace("+00:00", "Z")
    (replaced,) = await facts(alice, archived=True)
    assert (replaced["value"], replaced["superseded_by"]) == ("60 €", standing["id"])
    assert "60" not in await block(alice)


async def test_the_order_of_arrival_changes_nothing(world: World) -> None:
    said = [(FREE_FROM_60, 0), (DESORMAIS_90, 600), (FREE_FROM_80, 1200), (FREE_FROM_60, 1800)]
    seen = []
    for order in (said, said[::-1], [said[2], said[0], said[3], said[1]]):
        shop = await world.organisation()
        for content, at in order:
            await tell(shop.acting("alice"), content, at=at, conversation_id=f"c{at}")
            await world.finish_jobs()
        rows = [*await facts(shop.owner), *await facts(shop.owner, archived=True)]
        told = {(row["value"], row["confirmation_count"], row["contradicted"], row["valid_to"]) for row in rows}
        seen.append((told, await block(shop.acting("alice"))))
    assert seen[0] == seen[1] == seen[2]


async def test_what_a_contact_says_is_about_that_contact_alone(world: World, shop: Tenant) -> None:
    taken = await tell(shop.acting("carla"), FREE_FROM_60)
    await world.finish_jobs()
    assert (await shop.acting("carla").get(f"/memory/jobs/{taken['job_id']}")).json()["status"] == "done"
    assert await facts(shop.owner, "store") == []
    assert await facts(shop.owner, "org") == []
    assert {fact["user_id"] for fact in await facts(shop.acting("carla"), "user")} <= {"carla"}


async def test_a_contact_corrects_nothing_of_the_shop(world: World, shop: Tenant) -> None:
    await tell(shop.acting("alice"), FREE_FROM_60)
    await world.finish_jobs()
    (fact,) = await facts(shop.owner)
    opened = await shop.owner.patch(f"/memory/facts/store/{fact['id']}", json={"audience": "everyone"})
    assert opened.json()["id"] == fact["id"]
    carla = shop.acting("carla")
    assert "60 €" in await block(carla, conversation_id="shopping")
    await world.container.receipts.close()
    await tell(carla, "Bonjour.", answer="La livraison est offerte dès 60 €.", conversation_id="shopping")
    corrected = await tell(carla, "Non, c'est 80 €.", at=30, conversation_id="shopping")
    assert corrected["correction"]
    await world.finish_jobs()
    assert await values(shop) == ["60 €"]
    assert await facts(carla, "user") == []


@pytest.mark.parametrize("role", [None, *Role])
async def test_trust_is_the_speaker_s_standing(world: World, role: Role | None) -> None:
    shop = await world.organisation(people={"alice": "owner", "pat": role})
    await tell(shop.acting("pat"), "J'habite à Lyon.")
    await world.finish_jobs()
    (fact,) = await facts(shop.acting("pat"), "user")
    assert fact["trust"] == {None: "contact", "member": "member"}.get(role, "admin")


@pytest.mark.parametrize(("said", "language"), [(FORMAL, "fr"), ("I prefer short answers.", "en")])
async def test_facts_keep_the_language_in_which_they_were_said(world: World, said: str, language: str) -> None:
    shop = await world.organisation(language="en" if language == "fr" else "fr")
    await tell(shop.acting("alice"), said)
    await world.finish_jobs()
    (fact,) = await facts(shop.acting("alice"), "user")
    assert (fact["language"], fact["content"]) == (language, said)


async def test_a_name_put_right_is_one_name(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, "My name is Liguoyu.", answer="Nice to meet you, Liguoyu.")
    await tell(alice, "No, it's Liguosong.", at=20)
    await world.finish_jobs()
    text = await block(alice)
    assert "Liguosong" in text
    assert "Liguoyu" not in text
    assert len(await facts(alice, "user", key_prefix="person.name")) == 1


async def test_a_day_that_is_named_is_since_when_it_holds(world: World, shop: Tenant) -> None:
    said = {"id": "m1", "content": "Depuis le 1er octobre, la livraison est offerte dès 60 €."}
    sent = {**said, "sent_at": "2026-11-20T23:30:00+02:00"}
    assert (await shop.acting("alice").post("/memory/turns", json=turn("", user_message=sent))).status_code == 202
    await world.finish_jobs()
    (fact,) = await facts(shop.owner, key_prefix=SHIPPING)
    assert fact["valid_from"] == "2026-09-30T22:00:00Z"
