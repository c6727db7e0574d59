"""Query patterns: what a turn's message is about, by the organisation's word lists."""

from typing import Any

import pytest

from tests.support.sessions import mine
from tests.support.talk import FREE_FROM_60, facts, path_of, send, tell, turn
from tests.support.world import Tenant, World

WHERE = "Où en est mon colis, et le remboursement ?"


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "carla": None})


async def patterns(world: World, tenant: Tenant, person: str = "alice") -> list[dict[str, Any]]:
    """What was found in the person's turns, once they are read."""
    await world.finish_jobs()
    return await mine(tenant.acting(person), type="query_pattern")


async def test_are_found_in_the_user_s_message_and_name_it(world: World, shop: Tenant) -> None:
    said = turn(WHERE, answer="La facture est payée.", conversation_id="talk", agent_id="otis")
    await send(shop.acting("carla"), said)
    both = await patterns(world, shop, "carla")
    assert {found["metadata"]["domain"]: found["metadata"]["query"] for found in both} == {
        "shipping": "colis",
        "returns": "remboursement",
    }
    for found in both:
        assert (found["conversation_id"], found["message_id"]) == ("talk", said["user_message"]["id"])
        assert (found["session_id"], found["agent_id"], found["store_id"]) == ("talk", "otis", "shop1")
        assert found["occurred_at"] == said["user_message"]["sent_at"].replace("+00:00", "Z")


async def test_a_replay_and_a_second_reading_find_nothing_new(world: World, shop: Tenant) -> None:
    said = turn(WHERE)
    for _ in range(2):
        await send(shop.acting("alice"), said)
        assert len(await patterns(world, shop)) == 2


async def test_the_organisation_s_own_lists_replace_the_usual_ones(world: World, shop: Tenant) -> None:
    lists = {"domains": {"paie": ["bulletin de paie"]}}
    assert (await shop.owner.patch("/memory/settings", json=lists)).status_code == 200
    await tell(shop.acting("alice"), f"{WHERE} Et les BULLETINS DE PAIE ?")
    (found,) = await patterns(world, shop)
    assert found["metadata"] == {"domain": "paie", "query": "bulletin de paie"}


async def test_nothing_is_found_where_nothing_is_kept(world: World, shop: Tenant) -> None:
    await tell(shop.acting("alice"), f"{WHERE} #noremember")
    assert await patterns(world, shop) == []


async def test_go_with_their_message(world: World, shop: Tenant) -> None:
    await tell(shop.acting("alice"), FREE_FROM_60)
    assert len(await patterns(world, shop)) == 1
    (fact,) = await facts(shop.acting("alice"))
    erased = await shop.acting("alice").delete(path_of(fact), params={"with_sources": "true"})
    assert erased.json()["erased"]["observations"] == 1
    assert await patterns(world, shop) == []
