"""The story that the service is for: what is said on one channel is known on the next, corrected, and forgotten."""

import pytest

from tests.support.talk import (
    ADDRESS_FORM,
    FORMAL,
    FREE_FROM_60,
    SHIPPING,
    block,
    facts,
    history,
    recall,
    tables_holding,
    tell,
    turn,
)
from tests.support.world import Tenant, World

WHATSAPP = {"channel": "whatsapp", "channel_address": "33612345678==", "store_id": None}


@pytest.fixture
async def shop(world: World) -> Tenant:
    """An owner, a member, a contact, and WhatsApp linked to the owner and her shop."""
    tenant = await world.organisation(people={"alice": "owner", "bob": "member", "carla": None})
    link = {"user_id": "alice", "store_id": "shop1"}
    linked = await tenant.owner.put(f"{tenant.path}/channels/whatsapp/33612345678==", json=link)
    assert linked.status_code == 201
    return tenant


async def test_what_is_said_on_the_web_is_known_on_whatsapp(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, FORMAL, answer="Bien noté.")
    await tell(alice, FREE_FROM_60, at=60, answer="Je note 60 €.")
    await world.finish_jobs()
    context = await recall(shop.owner, **WHATSAPP, conversation_id="on-the-phone")
    assert {fact["key"]: fact["scope"] for fact in context["facts"]} == {ADDRESS_FORM: "user", SHIPPING: "store"}
    assert FORMAL in context["block"]
    assert FREE_FROM_60 in context["block"]
    assert (context["degraded"], context["reason"]) == ([], None)


async def test_a_correction_replaces_what_it_corrects(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    first = await tell(alice, FREE_FROM_60, answer="Je note 60 €.")
    corrected = await tell(alice, "En fait, c'est 80 €.", at=30, answer="C'est corrigé.")
    assert (first["correction"], corrected["correction"]) == (False, True)
    await world.finish_jobs()
    for text in (await block(alice), await block(shop.owner, **WHATSAPP)):
        assert "80 €" in text
        assert "60" not in text
    (standing,) = await facts(alice)
    (replaced,) = await facts(alice, archived=True)
    assert (standing["key"], standing["value"], standing["confidence"]) == (SHIPPING, "80 €", 0.95)
    assert standing["source"]["reason"] == "user-correction"
    assert (replaced["value"], replaced["superseded_by"]) == ("60 €", standing["id"])
    assert replaced["valid_to"] == standing["valid_from"]
    past = await history(alice, standing)
    assert [row["value"] for row in past["predecessors"]] == ["60 €"]
    assert [entry["value"] for entry in past["sources"]] == ["60 €", "80 €"]


async def test_noremember_leaves_nothing_in_any_table(world: World, shop: Tenant, superuser_url: str) -> None:
    word = "Zanzibaraque"
    said = f"Notre fournisseur est {word}."
    await tell(shop.acting("alice"), said, answer=f"{word}, c'est noté.")
    await world.finish_jobs()
    everywhere = await tables_holding(superuser_url, word)
    assert {"messages", "store_facts", "fact_sources", "event_values"} <= set(everywhere)

    secret = "Kalamazoutte"
    quiet = turn(
        f"Notre fournisseur est {secret}. #noremember", answer=f"{secret}, entendu.", store_id=f"{secret}-shop"
    )
    quiet |= {"conversation_id": f"talk-{secret}", "user_id": f"{secret}-person"}
    answer = await shop.owner.post("/memory/turns", json=quiet)
    assert answer.json() == {
        "job_id": None,
        "stored": 0,
        "extraction": "skipped",
        "reason": "noremember",
        "correction": False,
    }
    await world.finish_jobs()
    assert await tables_holding(superuser_url, secret) == {}
    trail = await shop.owner.get("/memory/events", params={"kind": "turn_skipped"})
    assert len(trail.json()["items"]) == 1


async def test_an_agent_reads_its_own_pocket_and_the_shared_one(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, "On expédie sous 48 h.", agent_id="atlas")
    await tell(alice, "Notre fournisseur est Lumo.", agent_id="maya")
    await tell(alice, "Je suis allergique aux noix.", agent_id="otis")
    await world.finish_jobs()

    async def known_to(agent: str) -> list[bool]:
        text = await block(alice, agent_id=agent)
        return [word in text for word in ("48 h", "Lumo", "noix")]

    assert await known_to("atlas") == [True, False, False]
    assert await known_to("maya") == [True, True, False]
    assert await known_to("otis") == [True, False, True]


async def test_two_people_of_one_organisation_are_never_mixed(world: World, shop: Tenant) -> None:
    await tell(shop.acting("alice"), "J'habite à Lyon.")
    await tell(shop.acting("bob"), "J'habite à Brest.", conversation_id="c2")
    await tell(shop.acting("carla"), "J'habite à Nice.", conversation_id="c3")
    await world.finish_jobs()
    for person, town in (("alice", "Lyon"), ("bob", "Brest"), ("carla", "Nice")):
        text = await block(shop.acting(person))
        assert [name for name in ("Lyon", "Brest", "Nice") if name in text] == [town]
        (known,) = await facts(shop.acting(person), "user")
        assert (known["user_id"], known["value"]) == (person, town)


async def test_two_organisations_with_the_same_ids_are_never_mixed(world: World, shop: Tenant) -> None:
    other = await world.organisation(people={"alice": "owner", "bob": "member"})
    said = turn(FREE_FROM_60)
    elsewhere = {
        **said,
        "user_message": {**said["user_message"], "content": "Chez nous, la livraison est offerte dès 90 €."},
    }
    for tenant, body in ((shop, said), (other, elsewhere)):
        assert (await tenant.acting("alice").post("/memory/turns", json=body)).json()["stored"] == 1
    await world.finish_jobs()
    for tenant, ours, theirs in ((shop, "60 €", "90 €"), (other, "90 €", "60 €")):
        for person in ("alice", "bob"):
            text = await block(tenant.acting(person))
            assert ours in text
            assert theirs not in text
    (mine,), (yours,) = await facts(shop.owner), await facts(other.owner)
    assert mine["id"] != yours["id"]
    assert (await other.owner.get(f"/memory/facts/store/{mine['id']}")).status_code == 404
