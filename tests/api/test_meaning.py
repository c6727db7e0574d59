"""What is found by what it means, through the service: whom it reaches, what it says when it cannot, how it leaves."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.adapters.doubles.embedder import InMemoryEmbedder
from app.adapters.embedders.choice import LOCAL
from app.adapters.embedders.local import LocalEmbedder
from app.ports.embedders import EmbedderAway
from tests.support.embeddings import Thesaurus, embed_all, embedding_with
from tests.support.talk import recall, tell, turn, write
from tests.support.world import Tenant, World

CARRIER = "Le transporteur passe vers seize heures."
QUESTION = "Le livreur doit venir ?"
"""It shares no word with it."""


@pytest.fixture
def embedder() -> InMemoryEmbedder:
    return Thesaurus()


@pytest.fixture
async def service(world: World, embedder: InMemoryEmbedder) -> AsyncIterator[World]:
    async with embedding_with(embedder, world) as here:
        yield here


@pytest.fixture
async def shop(service: World) -> Tenant:
    return await service.organisation(people={"alice": "owner", "mia": "member"}, stores=("shop1", "shop2"))


async def search(tenant: Tenant, query: str = QUESTION, person: str = "alice", **asked: Any) -> dict[str, Any]:
    body = {"query": query, "store_id": "shop1", **asked}
    answer = await tenant.acting(person).post("/memory/search", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def found(tenant: Tenant, query: str = QUESTION, person: str = "alice", **asked: Any) -> list[str]:
    return [item["content"] for item in (await search(tenant, query, person, **asked))["items"]]


async def nearness(tenant: Tenant, content: str) -> float:
    """How near the message is to `QUESTION` in meaning, 0 where that is not known."""
    items = (await search(tenant, kinds=["message"], limit=50))["items"]
    return float(next((item["why"]["vector"] or 0 for item in items if item["content"] == content), 0))


async def test_a_message_and_a_fact_are_found_by_what_they_mean(service: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, "Il pleut sur Nantes depuis lundi.", conversation_id="rain")
    await tell(alice, CARRIER)
    await write(alice, "store", "carrier.hour", "16 h", content="Le transporteur passe à seize heures.")
    before = await search(shop)
    assert [item for item in before["items"] if item["why"]["vector"]] == []
    assert before["degraded"] == ["vectors"]
    await embed_all(service)
    answer = await search(shop)
    assert answer["degraded"] == []
    assert {item["kind"] for item in answer["items"][:2]} == {"fact", "message"}
    for item in answer["items"][:2]:
        assert item["why"]["vector"] > 0.3
        assert "transporteur" in item["content"]


async def test_the_block_brings_up_what_is_near_in_meaning(service: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, CARRIER, conversation_id="earlier")
    await embed_all(service)
    context = await recall(alice, query="Le livreur passe quand, vers quelles heures ?", conversation_id="now")
    assert context["degraded"] == []
    assert [each["content"] for each in context["messages"]] == [CARRIER]


async def test_meaning_reaches_nobody_elses_memory(service: World, shop: Tenant) -> None:
    await tell(shop.acting("alice"), CARRIER)
    await tell(shop.acting("mia"), "Le transporteur de Mia passe.", store_id="shop2", conversation_id="mia")
    other = await service.organisation(people={"alice": "owner"})
    await tell(other.acting("alice"), "Le transporteur des autres passe.")
    await embed_all(service)
    assert await found(shop, kinds=["message"]) == [CARRIER]
    assert await found(shop, person="mia", kinds=["message"]) == []
    assert await found(other, kinds=["message"]) == ["Le transporteur des autres passe."]


async def test_an_embedder_that_is_away_is_named_and_words_still_find(
    service: World, shop: Tenant, embedder: InMemoryEmbedder
) -> None:
    alice = shop.acting("alice")
    await tell(alice, CARRIER, conversation_id="earlier")
    await embed_all(service)
    embedder.fault = EmbedderAway("embedder_unavailable", "not now")
    answer = await search(shop, "transporteur", kinds=["message"])
    assert ([item["content"] for item in answer["items"]], answer["degraded"]) == ([CARRIER], ["vectors"])
    context = await recall(alice, query="transporteur", conversation_id="now")
    assert ([each["content"] for each in context["messages"]], context["degraded"]) == ([CARRIER], ["vectors"])
    await tell(alice, "Le camion de demain est annulé.", conversation_id="later")
    embedder.fault = None
    await embed_all(service)
    assert "Le camion de demain est annulé." in await found(shop, "livreur", kinds=["message"])


async def test_what_answers_a_question_is_understood_by_it(service: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, "Le camion doit venir quand ?", conversation_id="c7")
    await tell(alice, "Mardi, sans faute.", conversation_id="c7", at=60)
    await tell(alice, "Mercredi, on ferme.", conversation_id="c8", at=120)
    await embed_all(service)
    answer = await search(shop)
    assert answer["degraded"] == []
    assert await nearness(shop, "Mardi, sans faute.") > await nearness(shop, "Mercredi, on ferme.")


async def test_a_vector_leaves_with_either_message_that_it_was_made_of(service: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    asked = turn("Le camion doit venir quand ?", conversation_id="c7")
    await alice.post("/memory/turns", json=asked)
    await tell(alice, "Mardi, sans faute.", conversation_id="c7", at=60)
    await embed_all(service)
    before = await nearness(shop, "Mardi, sans faute.")
    stats = (await alice.get("/memory/stats")).json()["embedded"]
    assert stats["embedded"] == stats["documents"]
    gone = await alice.delete(f"/memory/messages/{asked['user_message']['id']}", params={"conversation_id": "c7"})
    assert gone.status_code == 200, gone.text
    left = (await alice.get("/memory/stats")).json()["embedded"]
    assert left["embedded"] == left["documents"] - 1
    assert await nearness(shop, "Mardi, sans faute.") == 0
    await embed_all(service)
    assert 0 <= await nearness(shop, "Mardi, sans faute.") < before


async def test_a_question_in_another_language_finds_it_by_the_model_of_this_process(world: World) -> None:
    embedder = LocalEmbedder(LOCAL)
    async with embedding_with(embedder, world) as service:
        shop = await service.organisation(people={"alice": "owner"})
        for number, said in enumerate(("Il pleut sur Nantes.", "On ferme tôt ce soir.", CARRIER, "Merci beaucoup !")):
            await tell(shop.acting("alice"), said, conversation_id=f"c{number}")
        await embed_all(service)
        assert (await found(shop, "When does the carrier come by?", kinds=["message"]))[0] == CARRIER
    await embedder.close()


async def test_what_came_behind_the_only_answer_is_none_of_its_own(service: World, shop: Tenant) -> None:
    """Asked since later: what is near stands before it, and nothing speaks for what came behind."""
    alice = shop.acting("alice")
    await tell(alice, "Le camion doit venir. " * 20)
    await tell(alice, "Mince.", at=3600)
    await embed_all(service)
    later = turn("", at=1800)["user_message"]["sent_at"]
    assert await found(shop, kinds=["message"], since=later) == []
