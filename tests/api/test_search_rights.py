"""Who finds what by POST /memory/search."""

import pytest

from tests.support.searching import found, search
from tests.support.talk import problem, tell, write
from tests.support.world import Tenant, World


@pytest.fixture
async def shop(world: World) -> Tenant:
    people = {"alice": "owner", "mia": "member", "carla": None}
    return await world.organisation(people=people, stores=("shop1", "shop2"))


async def test_a_person_finds_their_own_messages_and_nobody_elses(world: World, shop: Tenant) -> None:
    said = {"alice": "Mon colis bleu.", "mia": "Mon colis rouge.", "carla": "Mon colis vert."}
    for person, words in said.items():
        await tell(shop.acting(person), words, conversation_id=person)
    for person, words in said.items():
        assert await found(shop, "colis", person) == [words]
    assert await found(shop, "colis", None) == []
    assert await found(shop, "colis", "somebody-unknown") == []
    other = await world.organisation(people={"alice": "owner"})
    assert await found(other, "colis") == []


async def test_operators_share_what_they_said_in_a_store_where_the_organisation_wants_it(shop: Tenant) -> None:
    said = {"alice": "Mon colis bleu.", "mia": "Mon colis rouge.", "carla": "Mon colis vert."}
    for person, words in said.items():
        await tell(shop.acting(person), words, conversation_id=person)
    await tell(shop.acting("mia"), "Mon colis de la deuxième boutique.", store_id="shop2", conversation_id="mia-2")
    changed = await shop.acting("alice").patch("/memory/settings", json={"share_messages": "store"})
    assert changed.status_code == 200
    assert sorted(await found(shop, "colis")) == ["Mon colis bleu.", "Mon colis rouge."]
    assert await found(shop, "colis", store_id=None) == ["Mon colis bleu."]
    assert sorted(await found(shop, "colis", "mia", store_id="shop2")) == ["Mon colis de la deuxième boutique."]
    assert await found(shop, "colis", "carla") == ["Mon colis vert."]
    await shop.acting("mia").patch("/memory/users/mia", json={"remember": False})
    assert await found(shop, "colis") == ["Mon colis bleu."]


async def test_a_contact_finds_what_is_for_everyone_and_what_is_theirs(shop: Tenant) -> None:
    alice = shop.acting("alice")
    await write(alice, "store", "parcel.team", "x", content="Le colis coûte 4 €.")
    await write(alice, "store", "parcel.all", "x", content="Le colis part mardi.", audience="everyone")
    await write(shop.acting("carla"), "user", "parcel.mine", "x", content="Le colis va à Nice.")
    assert sorted(await found(shop, "colis", "carla")) == ["Le colis part mardi.", "Le colis va à Nice."]
    assert sorted(await found(shop, "colis", "mia")) == ["Le colis coûte 4 €.", "Le colis part mardi."]
    assert sorted(await found(shop, "colis", None)) == ["Le colis coûte 4 €.", "Le colis part mardi."]


async def test_what_a_contact_may_not_read_does_not_weigh_either(shop: Tenant) -> None:
    """Else the scores would tell how often the team's facts hold a word."""
    alice = shop.acting("alice")
    await write(alice, "store", "parcel.all", "x", content="Le colis part mardi.", audience="everyone")
    before = await search(shop, "colis mardi", "carla")
    for number in range(5):
        await write(alice, "store", f"parcel.{number}", "x", content="Le colis coûte 4 €.")
    after = await search(shop, "colis mardi", "carla")
    assert [item["why"]["lexical"] for item in after] == [before[0]["why"]["lexical"]]


async def test_pockets_and_limits_hold(shop: Tenant) -> None:
    alice = shop.acting("alice")
    await write(alice, "store", "parcel.maya", "x", content="Le colis de Maya.", agent_id="maya")
    await tell(alice, "Le colis dit à Maya.", agent_id="maya", conversation_id="c2")
    await tell(alice, "Le colis de la boutique deux.", store_id="shop2", conversation_id="c3")
    await tell(alice, "Le colis sans boutique.", store_id=None, conversation_id="c4")
    assert await found(shop, "colis") == ["Le colis sans boutique."]
    everywhere = ["Le colis de la boutique deux.", "Le colis sans boutique."]
    assert sorted(await found(shop, "colis", store_id=None)) == everywhere
    assert sorted(await found(shop, "colis", store_id="shop2")) == everywhere
    assert len(await found(shop, "colis", agent_id="maya")) == 3
    shop1 = await shop.make_key(act_for_people=True, store_ids=["shop1"])
    assert await found(shop, "colis", key=shop1, store_id=None) == ["Le colis sans boutique."]
    maya = await shop.make_key(act_for_people=True, agent_ids=["maya"])
    for key, asked in ((shop1, {"store_id": "shop2"}), (maya, {"agent_id": "otis"})):
        refused = await shop.with_key(key, "alice").post("/memory/search", json={"query": "colis", **asked})
        assert problem(refused) == (404, "not_found")
