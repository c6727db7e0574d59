"""POST /memory/search: what is found, in which order, and by whom."""

from itertools import pairwise
from typing import Any

import pytest

from tests.support.searching import found, search
from tests.support.talk import FREE_FROM_60, FREE_FROM_80, SHIPPING, path_of, tell, turn, write
from tests.support.world import Tenant, World

NOTHING = ["", " ", "le la les de", "who is it?", "%", "_", "& | ! ( )", "'", '"', "\\", ":*", "<->", "a" * 4096]


@pytest.fixture
async def shop(world: World) -> Tenant:
    people = {"alice": "owner", "mia": "member", "carla": None}
    return await world.organisation(people=people, stores=("shop1", "shop2"))


async def test_an_item_tells_what_it_is_and_why_it_was_found(shop: Tenant) -> None:
    said = turn("Le transporteur passe vers seize heures.", answer="Entendu, le transporteur passe.")
    await shop.acting("alice").post("/memory/turns", json=said)
    kept = await write(shop.acting("alice"), "store", "carrier", "Colissimo", content="Notre transporteur : Colissimo.")
    items = {item["id"]: item for item in await search(shop, "Quels transporteurs ?")}
    assert set(items) == {kept["id"], said["user_message"]["id"], said["assistant_message"]["id"]}
    fact, message = items[kept["id"]], items[said["user_message"]["id"]]
    assert (fact["kind"], fact["sent_at"], fact["conversation_id"]) == ("fact", None, None)
    assert (message["kind"], message["conversation_id"]) == ("message", "c1")
    assert message["content"] == said["user_message"]["content"]
    assert message["sent_at"].removesuffix("Z") == said["user_message"]["sent_at"].removesuffix("+00:00")
    assert message["why"]["strength"] is None
    assert fact["why"]["strength"] == pytest.approx(1.0, abs=0.01)
    for item in items.values():
        assert not item["superseded"]
        assert 0 < item["why"]["lexical"] < 1
        assert item["why"]["vector"] is None
    best = max(item["why"]["lexical"] for item in items.values())
    assert all(0 < item["score"] <= best for item in items.values())


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("Nous expédions les commandes le mardi.", "commande expédiée"),
        ("Je préfère les réponses courtes.", "préférées"),
        ("L'entrepôt d'Orléans ferme à midi.", "entrepots orleans"),
        ("We ship the parcels on Tuesdays.", "when is a parcel shipped?"),
        ("My kids' birthday went well.", "child birthday"),
        ("Shopify, Gorgias, Klaviyo", "gorgias"),
        ("Le seuil est à 1 200,50 €", "1 200"),
        ("On n'expédie jamais en Suisse.", "jamais suisse"),
    ],
)
async def test_words_are_found_in_whatever_form(shop: Tenant, said: str, query: str) -> None:
    await tell(shop.acting("alice"), "Un mot sans rapport, a word about nothing.")
    await tell(shop.acting("alice"), said)
    assert said in await found(shop, query)


@pytest.mark.parametrize("query", NOTHING)
async def test_a_query_that_names_nothing_finds_nothing(shop: Tenant, query: str) -> None:
    await tell(shop.acting("alice"), "Le transporteur passe vers 16 h, it is who we want: 100 % d'accord_ok.")
    assert await search(shop, query) == []


async def test_the_current_value_ranks_above_the_one_it_superseded(world: World, shop: Tenant) -> None:
    await tell(shop.acting("alice"), FREE_FROM_60)
    await tell(shop.acting("alice"), "La livraison offerte passe à 80 €.", at=60)
    await world.finish_jobs()
    facts = await search(shop, "livraison offerte chez nous dès 60 €", kinds=["fact"])
    assert [("80" in item["content"], item["superseded"]) for item in facts] == [(True, False), (False, True)]
    messages = await search(shop, "livraison offerte", kinds=["message"])
    assert {("80" in item["content"], item["superseded"]) for item in messages} == {(True, False), (False, True)}


async def test_strength_weighs_facts(shop: Tenant) -> None:
    alice = shop.acting("alice")
    for key, confidence in (("a.one", 0.4), ("a.two", 1.0), ("a.three", 0.7)):
        await write(alice, "store", key, key, content="Le colis part mardi.", confidence=confidence)
    items = await search(shop, "colis mardi")
    assert [item["why"]["strength"] for item in items] == pytest.approx([1.0, 0.7, 0.4], abs=0.01)


async def test_what_is_asked_for_narrows_the_answer(shop: Tenant) -> None:
    alice = shop.acting("alice")
    await write(alice, "store", "parcel.day", "mardi", content="Le colis part mardi.", tags=["logistics"])
    await write(alice, "user", "parcel.mine", "x", content="Mon colis est en retard.")
    await tell(alice, "Un colis est revenu.")
    await tell(alice, "Un colis est reparti.", at=3600)
    everything = await found(shop, "colis")
    assert len(everything) == 4
    assert await found(shop, "colis", kinds=["fact"], scopes=["user"]) == ["Mon colis est en retard."]
    assert await found(shop, "colis", tags=["logistics"]) == ["Le colis part mardi."]
    assert await found(shop, "colis", scopes=["store"]) == ["Le colis part mardi."]
    assert set(await found(shop, "colis", kinds=["message"])) == {"Un colis est revenu.", "Un colis est reparti."}
    assert await found(shop, "colis", limit=2) == everything[:2]
    later = turn("", at=1800)["user_message"]["sent_at"]
    assert await found(shop, "colis", kinds=["message"], since=later) == ["Un colis est reparti."]
    scores = [item["score"] for item in await search(shop, "colis")]
    for least in {(one + other) / 2 for one, other in pairwise(scores) if one - other > 0.001}:  # strengths fade
        assert await found(shop, "colis", min_score=least) == everything[: sum(score >= least for score in scores)]
    assert scores[0] - scores[-1] > 0.001
    assert await found(shop, "colis", min_score=1) == []


async def test_what_is_said_below_code_is_read_before_the_code(shop: Tenant) -> None:
    alice = shop.acting("alice")
    code = "\n".join(f"champ_{number} = lire(source_{number})" for number in range(60))
    below = f"```python\n{code}\n```\nLa remise de fidélité est de quel taux, là-dedans ?"
    await tell(alice, "La fidélité de mes clients me touche, on en parlait hier avec la voisine.")
    await tell(alice, below, at=86_400, conversation_id="code")
    assert await found(shop, "taux de la remise de fidélité") == [below, *await found(shop, "touche la voisine")]


async def test_what_only_stands_behind_an_older_hit_is_no_answer_of_its_own(shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, "Un colis est revenu.")
    await tell(alice, "Bien.", at=3600)
    later = turn("", at=1800)["user_message"]["sent_at"]
    assert await found(shop, "colis revenu", kinds=["message"], since=later) == []


async def test_what_is_changed_or_gone_is_found_as_it_is_now(shop: Tenant) -> None:
    alice = shop.acting("alice")
    old = await write(alice, "store", SHIPPING, "60 €", content=FREE_FROM_60)
    edited = await alice.patch(path_of(old), json={"value": "80 €", "content": FREE_FROM_80})
    new = edited.json()
    items = await search(shop, "livraison offerte")
    assert [(item["id"], item["superseded"]) for item in items] == [(new["id"], False), (old["id"], True)]
    assert (await alice.delete(path_of(new))).status_code == 200
    assert [item["id"] for item in await search(shop, "livraison offerte")] == [old["id"]]
    assert (await shop.owner.delete(f"{shop.path}/stores/shop1")).status_code == 200
    assert await search(shop, "livraison offerte", store_id=None) == []


async def test_what_came_over_an_address_is_found_by_the_person_it_turns_out_to_be(shop: Tenant) -> None:
    by_phone = {"channel": "whatsapp", "channel_address": "33612345678==", "store_id": None}
    await tell(shop.owner, "Mon colis est perdu.", **by_phone)
    assert await found(shop, "colis", "33612345678==") == ["Mon colis est perdu."]
    assert await found(shop, "colis") == []
    link = {"user_id": "alice", "store_id": "shop1"}
    assert (await shop.owner.put(f"{shop.path}/channels/whatsapp/33612345678==", json=link)).status_code == 201
    assert await found(shop, "colis") == ["Mon colis est perdu."]
    assert await found(shop, "colis", store_id="shop2") == []
    assert await found(shop, "colis", "33612345678==") == []


async def test_observations_and_notes_are_found_by_their_person(shop: Tenant) -> None:
    failed = {"type": "tool_failure", "metadata": {"toolName": "track_parcel", "error": "colis introuvable"}}
    noted = {"type": "note", "content": "Elle suit son colis de près.", "tags": ["habit"]}
    items = [{"user_id": "alice", **told} for told in (failed, noted)]
    assert (await shop.owner.post("/memory/observations", json={"items": items})).status_code == 202
    found_here = {item["kind"]: item for item in await search(shop, "colis")}
    assert {kind: item["content"] for kind, item in found_here.items()} == {
        "observation": "colis introuvable\ntrack_parcel",
        "fact": "Elle suit son colis de près.",
    }
    assert found_here["observation"]["sent_at"] is not None
    assert await found(shop, "colis", kinds=["observation"]) == ["colis introuvable\ntrack_parcel"]
    assert await found(shop, "colis", tags=["habit"]) == ["Elle suit son colis de près."]
    assert await found(shop, "colis", "mia") == []
    assert (await shop.owner.delete(f"{shop.path}/people/alice")).status_code == 409  # the last owner
    assert (await shop.owner.put(f"{shop.path}/people/mia", json={"role": "owner"})).status_code == 200
    assert (await shop.owner.delete(f"{shop.path}/people/alice")).status_code == 200
    assert await found(shop, "colis") == []


async def test_a_query_pattern_is_found_unless_its_message_is(shop: Tenant) -> None:
    pattern = {"type": "query_pattern", "metadata": {"domain": "shipping", "query": "les délais pour Mayotte"}}
    item = {**pattern, "user_id": "alice", "store_id": "shop1"}
    assert (await shop.owner.post("/memory/observations", json={"items": [item]})).status_code == 202
    [posted] = await search(shop, "Mayotte")
    assert posted["kind"] == "observation"
    await tell(shop.acting("alice"), "Quels sont les délais de livraison pour Mayotte ?")
    assert sorted(item["kind"] for item in await search(shop, "Mayotte")) == ["message", "observation"]


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"query": None},
        {"query": "x" * 4097},
        {"query": "x", "limit": 0},
        {"query": "x", "limit": 51},
        {"query": "x", "kinds": []},
        {"query": "x", "kinds": ["reply"]},
        {"query": "x", "scopes": []},
        {"query": "x", "min_score": 1.1},
        {"query": "x", "since": "2026-03-02T10:00:00"},
        {"query": "x", "org_id": "other"},
    ],
)
async def test_a_wrong_question_is_refused(shop: Tenant, wrong: dict[str, Any]) -> None:
    answer = await shop.acting("alice").post("/memory/search", json=wrong)
    assert answer.status_code == 422
