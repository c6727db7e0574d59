"""Where a fact comes from: every message, session and person that it rests on, told to each reader as far as they may
know; what somebody wrote in a conversation is quoted to nobody else.
"""

from typing import Any

import httpx
import pytest

from tests.support.consolidating import consolidate, happen
from tests.support.sessions import mine
from tests.support.talk import FREE_FROM_60, facts, history, path_of, problem, tell, write
from tests.support.world import Tenant, World

PEOPLE = {"alice": "owner", "anna": "admin", "hugo": "member", "mia": "member", "carla": None}
CLOSING = "Chez nous, on ferme à 19h le samedi."
WORDS = "on ferme à 19h le samedi"


@pytest.fixture
async def shop(world: World) -> Tenant:
    made = await world.organisation(people=PEOPLE)
    for person, role in PEOPLE.items():
        named = {"role": role, "display_name": person.title()}
        answer = await made.owner.put(f"{made.path}/people/{person}", json=named)
        assert answer.status_code == 200, answer.text
    return made


async def said(shop: Tenant, world: World, person: str, words: str, **more: Any) -> dict[str, Any]:
    """The person says it in a conversation of their own."""
    taken = await tell(shop.acting(person), words, conversation_id=f"of-{person}", **more)
    await world.finish_jobs()
    return taken


async def sources(reader: httpx.AsyncClient, fact: dict[str, Any]) -> list[dict[str, Any]]:
    return [entry for entry in (await history(reader, fact))["sources"] if entry["verdict"] is None]


async def test_a_colleague_is_told_who_said_it_and_where_but_not_in_which_words(shop: Tenant, world: World) -> None:
    await said(shop, world, "hugo", f"Ma femme part samedi, bref : {CLOSING}")
    (fact,) = [one for one in await facts(shop.acting("mia")) if "19h" in one["content"]]
    for reader in ("mia", "anna", "alice", None):
        client = shop.acting(reader) if reader else shop.owner
        (told,) = await sources(client, fact)
        assert (told["author"], told["author_name"], told["trust"]) == ("hugo", "Hugo", "member")
        assert (told["conversation_id"], told["channel"], told["kind"]) == ("of-hugo", "web", "message")
        assert told["message_id"]
        assert (told["evidence"], "femme" in str(await history(client, fact))) == (None, False)
    (own,) = await sources(shop.acting("hugo"), fact)
    assert WORDS in own["evidence"]
    assert (fact["trust"], fact["language"], fact["source"]["author"]) == ("member", "fr", "hugo")


async def test_who_shares_messages_in_a_store_is_quoted_to_its_operators_there(shop: Tenant, world: World) -> None:
    await shop.acting("alice").patch("/memory/settings", json={"share_messages": "store"})
    await said(shop, world, "hugo", CLOSING)
    (fact,) = await facts(shop.acting("mia"))
    (shown,) = await sources(shop.acting("mia"), fact)
    assert WORDS in shown["evidence"]
    await shop.acting("hugo").patch("/memory/users/hugo", json={"remember": False})
    (hidden,) = await sources(shop.acting("mia"), fact)
    assert (hidden["evidence"], hidden["author_name"], hidden["author"]) == (None, None, "hugo")


async def test_what_two_people_say_of_themselves_stays_with_each(shop: Tenant, world: World) -> None:
    for person, drink in (("hugo", "le thé"), ("mia", "le café")):
        await said(shop, world, person, f"Moi, je préfère {drink}. {CLOSING}")
    for person, drink, other in (("hugo", "thé", "café"), ("mia", "café", "thé")):
        known = await facts(shop.acting(person), "user")
        assert (any(drink in one["content"] for one in known), any(other in one["content"] for one in known)) == (
            True,
            False,
        )
        assert {one["user_id"] for one in known} == {person}
    assert not any("préfère" in one["content"] for one in await facts(shop.acting("alice")))
    (hugo_s,) = await facts(shop.acting("hugo"), "user")
    assert problem(await shop.acting("mia").get(f"{path_of(hugo_s)}/history")) == (404, "not_found")
    (shared,) = await facts(shop.acting("mia"))
    told = await sources(shop.acting("mia"), shared)
    assert [(one["author"], one["evidence"] is None) for one in told] == [("hugo", True), ("mia", False)]
    assert shared["confirmation_count"] == 2


async def test_a_customer_s_words_are_quoted_to_the_customer_alone(shop: Tenant, world: World) -> None:
    await said(shop, world, "carla", "Je suis allergique aux noix.")
    (fact,) = await facts(shop.acting("carla"), "user")
    (own,) = await sources(shop.acting("carla"), fact)
    assert (own["evidence"], own["trust"], own["author_name"]) == ("Je suis allergique aux noix.", "contact", "Carla")
    await shop.acting("anna").post(f"{path_of(fact)}/confirm")
    (told, by_hand) = await sources(shop.acting("anna"), fact)
    assert (told["evidence"], told["author"], told["author_name"]) == (None, "carla", "Carla")
    assert (by_hand["kind"], by_hand["author_name"], by_hand["trust"]) == ("hand", "Anna", "admin")
    assert [one["author_name"] for one in await sources(shop.acting("carla"), fact)] == ["Carla", None]


async def test_what_sessions_show_names_them_and_their_observations(shop: Tenant) -> None:
    mia = shop.acting("mia")
    await happen(mia, "s1", "s1", "s2")
    (fact,) = (await consolidate(mia))["facts"]
    told = await sources(mia, fact)
    seen = {one["id"]: one["session_id"] for one in await mine(mia)}
    assert {one["session_id"]: sorted(one["observation_ids"]) for one in told} == {
        session: sorted(each for each, of in seen.items() if of == session) for session in ("s1", "s2")
    }
    assert {(one["kind"], one["author"], one["message_id"]) for one in told} == {("observation", "mia", None)}


async def test_a_merged_fact_names_what_both_rest_on(shop: Tenant, world: World) -> None:
    await said(shop, world, "hugo", FREE_FROM_60)
    alice = shop.acting("alice")
    (one,) = await facts(alice)
    other = await write(alice, "store", "port.gratuit", "dès 60 €")
    await write(alice, "store", "port.gratuit", "dès 70 €")
    merged = await alice.post(f"{path_of(other)}/restore")
    assert merged.status_code == 200
    assert (await alice.post(f"{path_of(other)}/merge", json={"into": one["id"]})).status_code == 200
    told = await sources(alice, one)
    assert [(entry["key"], entry["author"], entry["value"]) for entry in told] == [
        (one["key"], "hugo", "60 €"),
        ("port.gratuit", "alice", "dès 60 €"),
    ]


@pytest.mark.parametrize(("reader", "quoted"), [("alice", True), ("anna", False)])
async def test_an_export_holds_the_sources_and_the_words_of_those_whose_messages_it_holds(
    shop: Tenant, world: World, reader: str, quoted: bool
) -> None:
    await said(shop, world, "hugo", f"Ma femme part samedi, bref : {CLOSING}")
    await said(shop, world, "anna", FREE_FROM_60)
    document = (await shop.acting(reader).get("/memory/export")).json()
    told = {source["author"]["id"]: source for source in document["sources"] if source["scope"] == "store"}
    assert (WORDS in (told["hugo"]["evidence"] or ""), told["anna"]["evidence"]) == (quoted, FREE_FROM_60)
    assert told["hugo"]["message"]["conversation_id"] == "of-hugo"
    assert {source["trust"] for source in told.values()} == {"member", "admin"}
