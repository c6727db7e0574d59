"""A note is an observation and a fact at once: it is found, pinned, served in one line, and erased with its fact."""

from typing import Any

import pytest

from tests.support.sessions import mine, post
from tests.support.talk import block, facts, happened, history, path_of, tables_holding
from tests.support.world import Tenant, World

BEARER = "The api/v1/users endpoint requires Bearer auth."
LONG = f"M. Dupont veut un échange. {'Il rappellera demain matin. ' * 40}"


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "anna": "admin", "carla": None})


def note(content: str, **fields: Any) -> dict[str, Any]:
    return {"type": "note", "content": content, "tags": ["api", "auth"], **fields}


async def test_is_an_observation_with_a_summary_and_a_fact_of_the_same_id(shop: Tenant) -> None:
    said_at = "2026-03-02T10:00:00Z"
    (taken,) = await post(shop.acting("alice"), note(LONG, agent_id="maya", occurred_at=said_at))
    (kept,) = await mine(shop.acting("alice"))
    assert (
        kept["summary"]
        == "M. Dupont veut un échange. " + "Il rappellera demain matin. " * 3 + "Il rappellera demain matin."
    )
    (fact,) = await facts(shop.acting("alice"), "user")
    assert (fact["id"], fact["key"]) == (taken["id"], f"note.{taken['id'].replace('-', '')}")
    wanted = {
        "category": "note",
        "tier": "standard",
        "tags": ["api", "auth"],
        "agent_id": "maya",
        "valid_from": said_at,
    }
    assert {name: fact[name] for name in wanted} == wanted
    assert (fact["content"], fact["summary"], fact["value"]) == (LONG, kept["summary"], kept["summary"])
    assert await happened(shop.acting("alice"), fact) == ["created"]
    (source,) = (await history(shop.acting("alice"), fact))["sources"]
    assert (source["kind"], source["author"], source["trust"]) == ("observation", "alice", "admin")


async def test_a_contact_s_note_is_trusted_as_a_contact_s(shop: Tenant) -> None:
    await post(shop.owner, note("Rappeler.", user_id="carla"), note("Nouveau.", user_id="norma"))
    for person in ("carla", "norma"):
        assert [fact["trust"] for fact in await facts(shop.acting(person), "user")] == ["contact"]


async def test_two_notes_of_the_same_words_are_two(shop: Tenant) -> None:
    await post(shop.acting("alice"), note(BEARER), note(BEARER))
    found = await facts(shop.acting("alice"), "user", tag="auth", category="note")
    assert [(fact["content"], fact["contradicted"], fact["confirmation_count"]) for fact in found] == [
        (BEARER, False, 1)
    ] * 2


async def test_a_thousand_notes_are_a_thousand_facts(shop: Tenant) -> None:
    taken = await post(shop.owner, *(note(f"n {number}", user_id="alice") for number in range(1000)))
    assert {item["status"] for item in taken} == {"stored"}
    listed = await shop.acting("alice").get("/memory/facts/user", params={"total": True, "limit": 1})
    assert listed.json()["total"] == 1000
    told = await shop.acting("alice").get("/memory/events", params={"total": True, "limit": 1})
    assert told.json()["total"] >= 1000


async def test_the_block_quotes_its_summary(shop: Tenant) -> None:
    await post(shop.acting("alice"), note(LONG))
    served = await block(shop.acting("alice"))
    assert "M. Dupont veut un échange." in served
    assert LONG not in served


async def test_is_pinned_and_changed_as_other_facts_are(shop: Tenant) -> None:
    await post(shop.acting("alice"), note(BEARER))
    (fact,) = await facts(shop.acting("alice"), "user")
    pinned = await shop.acting("alice").post(f"{path_of(fact)}/pin")
    assert (pinned.status_code, pinned.json()["pinned"]) == (200, True)
    edited = await shop.acting("alice").patch(path_of(fact), json={"content": "It needs a token."})
    assert (edited.json()["summary"], edited.json()["category"]) == ("It needs a token.", "note")


async def test_goes_with_its_fact(shop: Tenant, superuser_url: str) -> None:
    word = f"canary-{shop.org_id}"
    await post(shop.acting("alice"), note(f"{word} un"), note("autre"))
    fact = (await facts(shop.acting("alice"), "user", text=word))[0]
    receipt = (await shop.acting("alice").delete(path_of(fact))).json()
    assert (receipt["erased"]["facts"], receipt["erased"]["observations"], receipt["remaining"]) == (1, 1, 0)
    assert await tables_holding(superuser_url, word) == {}
    assert [item["content"] for item in await mine(shop.acting("alice"))] == ["autre"]


async def test_is_not_told_to_others(shop: Tenant) -> None:
    await post(shop.acting("alice"), note(BEARER))
    for reader in (shop.acting("anna"), shop.acting("carla")):
        assert BEARER not in await block(reader)
        assert BEARER not in (await reader.get("/memory/export")).text
