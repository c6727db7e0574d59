"""POST /memory/tool-runs: one call tells of a tool and of the entities in its result."""

from typing import Any

import pytest

from tests.support.sessions import mine
from tests.support.talk import problem
from tests.support.world import Tenant, World

ROUTE = "/memory/tool-runs"
RUN: dict[str, Any] = {
    "tool_name": "get_order",
    "ok": True,
    "duration_ms": 120,
    "session_id": "s1",
    "agent_id": "otis",
    "store_id": "shop1",
    "occurred_at": "2026-03-02T10:00:00Z",
}
ENTITIES = [{"type": "order", "id": "1042", "name": "Commande 1042"}, {"type": "customer", "id": "c/7"}]


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "carla": None})


async def run(tenant: Tenant, person: str = "alice", **fields: Any) -> list[dict[str, Any]]:
    answer = await tenant.acting(person).post(ROUTE, json={**RUN, **fields})
    assert answer.status_code == 202, answer.text
    return list(answer.json()["items"])


async def test_a_run_is_an_observation_of_the_tool_and_one_of_each_entity(shop: Tenant) -> None:
    taken = await run(shop, entities=ENTITIES)
    kept = await mine(shop.acting("alice"))
    assert [item["id"] for item in taken] == [item["id"] for item in reversed(kept)]
    assert [(item["type"], item["metadata"]) for item in reversed(kept)] == [
        ("tool_success", {"toolName": "get_order", "durationMs": 120}),
        ("entity_access", {"entityType": "order", "entityId": "1042", "entityName": "Commande 1042"}),
        ("entity_access", {"entityType": "customer", "entityId": "c/7"}),
    ]
    same = {(item["session_id"], item["agent_id"], item["store_id"], item["occurred_at"]) for item in kept}
    assert same == {("s1", "otis", "shop1", "2026-03-02T10:00:00Z")}


async def test_a_failed_run_tells_its_error(shop: Tenant) -> None:
    await run(shop, "carla", ok=False, error="504 Gateway Timeout")
    await run(shop, "carla", ok=False)
    silent, told = await mine(shop.acting("carla"))
    assert (told["type"], told["metadata"]["error"]) == ("tool_failure", "504 Gateway Timeout")
    assert silent["metadata"]["error"] == ""


async def test_a_meta_tool_s_run_is_left_out_with_all_that_it_saw(shop: Tenant) -> None:
    taken = await run(shop, tool_name="search_tools", entities=ENTITIES)
    assert [(item["status"], item["id"]) for item in taken] == [("skipped", None)] * 3
    assert await mine(shop.acting("alice")) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"tool_name": ""},
        {"tool_name": "x" * 256},
        {"ok": "yes"},
        {"duration_ms": -1},
        {"error": "é" * 4097},
        {"entities": [{"type": "order"}]},
        {"entities": [{"type": "order", "id": "x" * 256}]},
        {"entities": [{"type": "order", "id": "1"}] * 101},
        {"quality": 1},
    ],
    ids=lambda wrong: f"{wrong}"[:60],
)
async def test_what_is_no_run_is_refused(shop: Tenant, wrong: dict[str, Any]) -> None:
    refused = await shop.acting("alice").post(ROUTE, json={**RUN, **wrong})
    assert problem(refused) == (422, "invalid_request")
    assert await mine(shop.acting("alice")) == []


async def test_a_run_out_of_reach_is_refused_for_its_own_reason(shop: Tenant) -> None:
    of_shop2 = shop.with_key(await shop.make_key(act_for_people=True, store_ids=["shop2"]), "alice")
    of_maya = shop.with_key(await shop.make_key(act_for_people=True, agent_ids=["maya"]), "alice")
    assert problem(await of_shop2.post(ROUTE, json=RUN)) == (404, "not_found")
    assert problem(await of_maya.post(ROUTE, json=RUN)) == (403, "limited_key")
    assert problem(await shop.acting("alice").post(ROUTE, json={**RUN, "user_id": "carla"})) == (422, "person_mismatch")
    assert problem(await shop.owner.post(ROUTE, json=RUN)) == (422, "person_required")
    ahead = {**RUN, "occurred_at": "2999-01-01T00:00:00Z"}
    assert problem(await shop.acting("alice").post(ROUTE, json=ahead)) == (422, "time_ahead")
