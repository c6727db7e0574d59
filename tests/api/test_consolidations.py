"""Consolidation over HTTP: at a session's start, for a store, for everybody; and what it gives the next prompt."""

from typing import Any

import httpx
import pytest

from tests.support.clock import MovingClock
from tests.support.consolidating import consolidate, happen
from tests.support.world import Tenant, World

PEOPLE = {"alice": "owner", "anna": "admin", "mia": "member", "carla": None}


@pytest.fixture
async def tenant(world: World) -> Tenant:
    return await world.organisation(people=PEOPLE, stores=("shop1", "shop2"), language="en")


async def context(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await client.post("/memory/context", json={"deadline_ms": 10_000, **body})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_session_starts_with_what_the_ones_before_it_showed(tenant: Tenant) -> None:
    mia = tenant.acting("mia")
    await happen(mia, "s1", "s1", "s2")
    started = await consolidate(mia, session_id="s3")

    assert (started["created"], started["reinforced"], started["expired"]) == (1, 0, 0)
    (fact,) = started["facts"]
    assert (fact["key"], fact["category"]) == ("tool_affinity:get_order", "tool_affinity")
    assert (fact["confidence"], fact["reinforcement_count"], fact["user_id"]) == (0.6, 2, "mia")
    assert (fact["policy"], fact["ease"], fact["half_life_days"]) == (
        "exponential",
        None,
        pytest.approx(13.513, abs=1e-3),
    )
    assert fact["content"] == "The tool get_order works well"

    again = await consolidate(mia)
    assert (again["created"], again["reinforced"]) == (0, 0)
    assert [one["id"] for one in again["facts"]] == [fact["id"]]
    assert again["consolidated_at"] == started["consolidated_at"]


async def test_a_contact_consolidates_their_own(tenant: Tenant) -> None:
    await happen(tenant.acting("carla"), "s1")

    assert (await consolidate(tenant.owner, user_id="carla"))["created"] == 1
    assert (await consolidate(tenant.acting("mia")))["facts"] == []


async def test_somebody_unknown_has_nothing_and_is_not_made(tenant: Tenant) -> None:
    assert (await consolidate(tenant.acting("norma")))["facts"] == []
    assert (await tenant.owner.get(f"{tenant.path}/people/norma")).status_code == 404


async def test_an_agent_reads_its_own_pocket_and_the_shared_one(tenant: Tenant) -> None:
    mia = tenant.acting("mia")
    for agent in ("atlas", "maya", "otis"):
        await happen(mia, "s1", agent_id=agent, metadata={"toolName": f"tool_of_{agent}"})

    told = await consolidate(mia, agent_id="maya")
    assert {fact["agent_id"] for fact in told["facts"]} == {"atlas", "maya"}
    assert told["created"] == 3
    assert {fact["agent_id"] for fact in (await consolidate(mia))["facts"]} == {"atlas"}


async def test_the_policy_is_the_organisations(tenant: Tenant) -> None:
    mia = tenant.acting("mia")
    changed = await tenant.acting("anna").patch("/memory/settings", json={"behaviour_policy": "adaptive"})
    assert changed.json()["behaviour_policy"] == "adaptive"
    await happen(mia, "s1")
    await happen(mia, "s2", metadata={"toolName": "get_order", "quality": 0.0})

    (fact,) = (await consolidate(mia))["facts"]
    assert (fact["policy"], fact["ease"]) == ("adaptive", pytest.approx(2.3))
    assert fact["half_life_days"] == pytest.approx(13.513 * 2.3, abs=1e-2)


async def test_what_fades_expires_at_the_next_session(tenant: Tenant, clock: MovingClock) -> None:
    mia = tenant.acting("mia")
    await happen(mia, "s1")
    (fact,) = (await consolidate(mia))["facts"]
    clock.advance(days=31)
    assert (await consolidate(mia))["expired"] == 0
    clock.advance(days=1)
    gone = await consolidate(mia)

    assert (gone["expired"], gone["facts"]) == (1, [])
    assert (await mia.get(f"/memory/facts/user/{fact['id']}")).status_code == 404
    events = (await mia.get("/memory/events", params={"fact": fact["id"]})).json()["items"]
    assert [(event["kind"], event["new"]) for event in events] == [("expired", None), ("created", None)]


async def test_the_block_tells_of_it_and_the_affinities_speak_of_tools(tenant: Tenant) -> None:
    mia = tenant.acting("mia")
    await happen(mia, "s1", "s2")
    failed = {"type": "tool_failure", "metadata": {"toolName": "refund", "error": "timed out"}}
    await happen(mia, "s1", "s2", "s3", **failed)
    await happen(mia, "s1", type="entity_access", metadata={"entityType": "order", "entityId": "42"})
    await consolidate(mia)
    served = await context(mia)

    assert (
        '## Tool preferences\n- "The tool get_order works well"\n'
        '## Frequent entities\n- "order 42"\n'
        '## Known issues\n- "The tool refund keeps failing: timeout"\n- "The tool refund tends to fail"\n'
    ) in served["block"]
    wanted = {"get_order": pytest.approx(0.6, abs=0.01), "refund": pytest.approx(-0.7, abs=0.01)}
    assert served["tool_affinities"] == wanted
    read = await mia.get("/memory/tool-affinities", params={"agent": "maya"})
    assert read.json() == {"tool_affinities": wanted}
    assert {fact["key"] for fact in served["facts"]} >= {"tool_affinity:get_order", "tool_avoidance:refund"}


async def test_nobody_else_reads_it(tenant: Tenant) -> None:
    await happen(tenant.acting("mia"), "s1")
    await consolidate(tenant.acting("mia"))

    for other in ("alice", "anna", "carla"):
        answer = await tenant.acting(other).get("/memory/tool-affinities", params={"user_id": "mia"})
        assert (answer.status_code, answer.json()["code"]) == (422, "person_mismatch")
        assert (await tenant.acting(other).get("/memory/tool-affinities")).json() == {"tool_affinities": {}}
        assert "get_order" not in (await context(tenant.acting(other)))["block"]
    assert (await tenant.owner.get("/memory/tool-affinities")).status_code == 422


async def test_where_nothing_is_to_be_remembered_nothing_is_told(tenant: Tenant) -> None:
    mia = tenant.acting("mia")
    await happen(mia, "s1")
    await consolidate(mia)
    await tenant.acting("anna").patch("/memory/settings", json={"enabled": False})

    assert (await consolidate(mia))["facts"] == []
    assert (await mia.get("/memory/tool-affinities")).json() == {"tool_affinities": {}}
    assert (await context(mia))["tool_affinities"] == {}


async def test_a_limited_key_reads_its_agents_alone(tenant: Tenant) -> None:
    maya = tenant.with_key(await tenant.make_key(act_for_people=True, agent_ids=["maya"]), "mia")
    shop1 = tenant.with_key(await tenant.make_key(act_for_people=True, store_ids=["shop1"]), "anna")

    assert (await maya.post("/memory/consolidations", json={"agent_id": "otis"})).status_code == 404
    assert (await maya.get("/memory/tool-affinities", params={"agent": "otis"})).status_code == 404
    assert (await maya.post("/memory/consolidations", json={"agent_id": "maya"})).status_code == 200
    assert (await shop1.post("/memory/consolidations", json={"store_id": "shop2"})).status_code == 404
    assert (await shop1.post("/memory/consolidations", json={"all": True})).json()["code"] == "limited_key"
    assert (await shop1.post("/memory/consolidations", json={"store_id": "shop1"})).status_code == 202


@pytest.mark.parametrize(
    "body",
    [
        {"all": False},
        {"all": True, "store_id": "shop1"},
        {"all": True, "user_id": "mia"},
        {"deadline_ms": 0},
        {"deadline_ms": 10_001},
        {"deadline_ms": 1.5},
        {"session_id": ""},
        {"agent_id": ".."},
        {"org_id": "x"},
    ],
)
async def test_what_is_wrong_is_refused(tenant: Tenant, body: dict[str, Any]) -> None:
    answer = await tenant.acting("anna").post("/memory/consolidations", json=body)

    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")


async def test_a_behavioural_fact_is_pinned_edited_and_erased_like_others(tenant: Tenant, clock: MovingClock) -> None:
    mia = tenant.acting("mia")
    await happen(mia, "s1")
    (fact,) = (await consolidate(mia))["facts"]
    path = f"/memory/facts/user/{fact['id']}"
    assert (await mia.patch(path, json={"category": "other"})).json()["code"] == "category_fixed"
    assert (await mia.patch(path, json={"tags": ["orders"]})).json()["tags"] == ["orders"]
    assert (await mia.post(f"{path}/pin")).json()["pinned"] is True
    clock.advance(days=60)
    assert '"The tool get_order works well"' in (await context(mia))["block"]
    erased = (await mia.delete(path)).json()["erased"]
    assert erased["facts"] == 1
    assert (await consolidate(mia))["facts"] == []
