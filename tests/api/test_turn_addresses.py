"""A channel's address: a contact of that id at first, and, once linked, somebody's alias for all that it held."""

from typing import Any

import httpx
import pytest

from tests.support.talk import (
    ADDRESS_FORM,
    FORMAL,
    FREE_FROM_60,
    block,
    facts,
    history,
    path_of,
    problem,
    recall,
    send,
    tables_holding,
    tell,
    turn,
)
from tests.support.world import Tenant, World

PHONE = "33612345678=="
ON_THE_PHONE: dict[str, Any] = {"channel": "whatsapp", "channel_address": PHONE, "store_id": None}


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "bob": "member"}, stores=("shop1", "shop2"))


async def link(shop: Tenant, user_id: str, store_id: str | None = "shop1", address: str = PHONE) -> httpx.Response:
    """The address stands for the person and the store from now on."""
    made = await shop.owner.put(
        f"{shop.path}/channels/whatsapp/{address}", json={"user_id": user_id, "store_id": store_id}
    )
    assert made.status_code in (200, 201), made.text
    return made


async def test_an_unlinked_address_is_a_contact_of_that_id(world: World, shop: Tenant) -> None:
    await tell(shop.owner, FORMAL, **ON_THE_PHONE)
    await world.finish_jobs()
    person = (await shop.owner.get(f"{shop.path}/people/{PHONE}")).json()
    assert (person["user_id"], person["role"]) == (PHONE, None)
    (fact,) = await facts(shop.acting(PHONE), "user")
    assert fact["trust"] == "contact"
    assert FORMAL in await block(shop.owner, **ON_THE_PHONE)
    assert FORMAL in await block(shop.acting(PHONE))


async def test_a_linked_address_speaks_for_its_person_and_store(world: World, shop: Tenant) -> None:
    await link(shop, "alice", "shop2")
    await tell(shop.owner, FREE_FROM_60, **ON_THE_PHONE)
    await tell(shop.owner, FORMAL, at=60, **ON_THE_PHONE)
    await world.finish_jobs()
    (about_shop,) = await facts(shop.owner, "store")
    assert (about_shop["store_id"], about_shop["source"]["author"]) == ("shop2", "alice")
    (about_alice,) = await facts(shop.acting("alice"), "user")
    assert about_alice["trust"] == "admin"
    assert (await shop.owner.get(f"{shop.path}/people/{PHONE}")).status_code == 404


async def test_the_store_that_a_request_names_comes_before_the_linked_one(world: World, shop: Tenant) -> None:
    await link(shop, "alice", "shop2")
    await tell(shop.owner, FREE_FROM_60, **{**ON_THE_PHONE, "store_id": "shop1"})
    await world.finish_jobs()
    assert [fact["store_id"] for fact in await facts(shop.owner)] == ["shop1"]
    assert "60 €" in await block(shop.owner, **{**ON_THE_PHONE, "store_id": "shop1"})
    assert await block(shop.owner, **ON_THE_PHONE) == ""


async def test_the_header_may_only_name_whom_the_address_stands_for(shop: Tenant) -> None:
    await link(shop, "alice")
    said = turn("Bonjour.", **ON_THE_PHONE)
    assert problem(await shop.acting("bob").post("/memory/turns", json=said)) == (422, "person_mismatch")
    assert (await send(shop.acting("alice"), said))["stored"] == 1


async def test_linking_gives_the_person_what_the_contact_held(world: World, shop: Tenant, superuser_url: str) -> None:
    await tell(shop.owner, FORMAL, answer="Entendu.", **ON_THE_PHONE)
    await tell(shop.owner, "J'habite à Lyon.", at=60, **ON_THE_PHONE)
    await world.finish_jobs()
    before = {fact["key"]: fact["id"] for fact in await facts(shop.acting(PHONE), "user")}
    assert len(before) == 2
    await link(shop, "alice")
    alice = shop.acting("alice")
    after = await facts(alice, "user")
    assert {fact["key"]: fact["id"] for fact in after} == before
    assert {fact["user_id"] for fact in after} == {"alice"}
    assert FORMAL in await block(alice)
    exported = (await alice.get("/memory/export")).json()
    assert len(exported["messages"]) == 3
    assert (await shop.owner.get(f"{shop.path}/people/{PHONE}")).status_code == 404
    assert set(await tables_holding(superuser_url, PHONE, shop.org_id)) <= {"channel_links", "jobs"}


async def test_keys_that_both_knew_are_folded_together(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(shop.owner, FORMAL, **ON_THE_PHONE)
    await tell(alice, FORMAL, at=60)
    await tell(alice, "J'habite à Brest.", at=120)
    await tell(shop.owner, "J'habite à Lyon.", at=180, **ON_THE_PHONE)
    await world.finish_jobs()
    (theirs,) = await facts(shop.acting(PHONE), "user", key_prefix=ADDRESS_FORM)
    await link(shop, "alice")
    (formal,) = await facts(alice, "user", key_prefix=ADDRESS_FORM)
    assert (formal["id"], formal["confirmation_count"]) == (theirs["id"], 2)
    homes = await facts(alice, "user", key_prefix="address.")
    assert {(home["value"], home["contradicted"]) for home in homes} == {("Brest", True), ("Lyon", True)}
    assert len((await history(alice, formal))["sources"]) == 2


async def test_a_decision_moves_with_its_fact(world: World, shop: Tenant) -> None:
    await tell(shop.owner, FORMAL, **ON_THE_PHONE)
    await world.finish_jobs()
    contact = shop.acting(PHONE)
    (fact,) = await facts(contact, "user")
    assert (await contact.post(f"{path_of(fact)}/pin")).json()["pinned"] is True
    await link(shop, "alice")
    (kept,) = await facts(shop.acting("alice"), "user")
    assert (kept["id"], kept["pinned"]) == (fact["id"], True)


async def test_a_job_that_waits_while_its_address_is_linked_is_about_the_person(world: World, shop: Tenant) -> None:
    taken = await tell(shop.owner, FORMAL, **ON_THE_PHONE)
    await tell(shop.owner, FREE_FROM_60, at=60, **ON_THE_PHONE)
    await link(shop, "alice")
    await world.finish_jobs()
    done = (await shop.acting("alice").get(f"/memory/jobs/{taken['job_id']}")).json()
    assert (done["status"], done["result"]["facts_created"]) == ("done", 1)
    assert ADDRESS_FORM in {fact["key"] for fact in await facts(shop.acting("alice"), "user")}
    assert await facts(shop.owner, "store") == []


async def test_an_operator_s_memory_is_not_taken_over_by_a_link(world: World, shop: Tenant) -> None:
    await tell(shop.acting("bob"), FORMAL)
    await world.finish_jobs()
    await link(shop, "alice", address="bob")
    assert [fact["user_id"] for fact in await facts(shop.acting("bob"), "user")] == ["bob"]
    assert await facts(shop.acting("alice"), "user") == []


async def test_after_unlinking_the_address_starts_empty(world: World, shop: Tenant) -> None:
    await tell(shop.owner, FORMAL, **ON_THE_PHONE)
    await world.finish_jobs()
    await link(shop, "alice")
    gone = await shop.owner.delete(f"{shop.path}/channels/whatsapp/{PHONE}")
    assert gone.status_code == 204
    context = await recall(shop.owner, **ON_THE_PHONE)
    assert (context["block"], context["facts"]) == ("", [])
    assert FORMAL in await block(shop.acting("alice"))


async def test_the_same_address_in_two_organisations_is_two_people(world: World, shop: Tenant) -> None:
    other = await world.organisation(people={"alice": "owner"})
    await tell(shop.owner, FORMAL, **ON_THE_PHONE)
    await world.finish_jobs()
    await link(other, "alice")
    assert await block(other.owner, **ON_THE_PHONE) == ""
    assert await facts(other.acting("alice"), "user") == []
    assert FORMAL in await block(shop.owner, **ON_THE_PHONE)


async def test_an_address_needs_its_channel_in_a_context(shop: Tenant) -> None:
    answer = await shop.owner.post("/memory/context", json={"channel_address": PHONE})
    assert problem(answer) == (422, "invalid_request")


@pytest.mark.parametrize("known", ["bob", "nina"])
async def test_who_wanted_nothing_remembered_still_does_not_once_linked(world: World, shop: Tenant, known: str) -> None:
    phone = shop.acting(PHONE)
    await tell(shop.owner, FORMAL, **ON_THE_PHONE)
    await world.finish_jobs()
    assert (await phone.patch(f"/memory/users/{PHONE}", json={"remember": False})).is_success
    await link(shop, known)
    context = await recall(shop.owner, channel="whatsapp", channel_address=PHONE)
    assert (context["block"], context["reason"]) == ("", "person_opted_out")
    again = await tell(shop.owner, FREE_FROM_60, conversation_id="later", **ON_THE_PHONE)
    assert (again["stored"], again["reason"]) == (0, "person_opted_out")
