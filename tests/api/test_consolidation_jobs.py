"""Consolidation of a store's people or of everybody, by a job: asked for by admins, and once a day by the worker."""

from typing import Any

import pytest

from app.domain.tenancy import Rank, TenantScope
from app.worker import Upkeep
from tests.support.clock import MovingClock
from tests.support.consolidating import consolidate, happen
from tests.support.world import WORKER, Tenant, World

NOTHING = {"failed": 0, "merged": 0, "superseded": 0, "opposed": 0}
PEOPLE = {"alice": "owner", "anna": "admin", "mia": "member", "carla": None}


@pytest.fixture
async def tenant(world: World) -> Tenant:
    return await world.organisation(people=PEOPLE, stores=("shop1", "shop2"), language="en")


async def done(world: World, tenant: Tenant, **body: Any) -> dict[str, Any]:
    """The result of the job that consolidates many."""
    answer = await tenant.acting("anna").post("/memory/consolidations", json=body)
    assert answer.status_code == 202, answer.text
    await world.finish_jobs()
    job = (await tenant.acting("anna").get(f"/memory/jobs/{answer.json()['job_id']}")).json()
    assert (job["kind"], job["status"], job["error"]) == ("consolidation", "done", None)
    return dict(job["result"])


async def test_everybody_is_consolidated_by_a_job(world: World, tenant: Tenant, clock: MovingClock) -> None:
    for person in ("mia", "carla", "alice"):
        await happen(tenant.acting(person), "s1", "s2")
    counts = {"people": 3, "created": 3, "reinforced": 0, "expired": 0, "archived": 0, **NOTHING}
    assert await done(world, tenant, all=True) == counts
    assert (await consolidate(tenant.acting("mia")))["facts"][0]["reinforcement_count"] == 2

    await happen(tenant.acting("mia"), "s3")
    clock.advance(days=35)
    await happen(tenant.acting("carla"), "s4")
    assert await done(world, tenant, all=True) == {
        "people": 3,
        "created": 0,
        "reinforced": 2,
        "expired": 1,
        "archived": 0,
        **NOTHING,
    }


async def test_a_store_s_job_is_about_those_who_were_observed_there(world: World, tenant: Tenant) -> None:
    await happen(tenant.acting("mia"), "s1", store_id="shop1")
    await happen(tenant.acting("carla"), "s1", store_id="shop2")

    assert (await done(world, tenant, store_id="shop2"))["people"] == 1
    assert (await consolidate(tenant.acting("mia")))["created"] == 1


async def test_a_job_goes_on_until_everybody_is_done(world: World, tenant: Tenant) -> None:
    people = [f"person{number:03}" for number in range(120)]
    item = {"type": "tool_success", "metadata": {"toolName": "get_order"}, "session_id": "s1"}
    body = {"items": [{**item, "user_id": person} for person in people]}
    assert (await tenant.owner.post("/memory/observations", json=body)).status_code == 202

    assert await done(world, tenant, all=True) == {
        "people": 120,
        "created": 120,
        "reinforced": 0,
        "expired": 0,
        "archived": 0,
        **NOTHING,
    }


async def test_the_day_s_job_is_asked_for_once_whoever_asks(world: World, tenant: Tenant, clock: MovingClock) -> None:
    jobs = world.container.consolidation_jobs
    scope = TenantScope(tenant.org_id, WORKER, Rank.OWNER)
    await happen(tenant.acting("mia"), "s1")

    assert [await jobs.ask_daily(scope) for _ in range(3)] == [True, False, False]
    await world.finish_jobs()
    assert (await consolidate(tenant.acting("mia")))["created"] == 0
    clock.advance(days=1)
    assert await jobs.ask_daily(scope)
    listed = (await tenant.owner.get("/memory/jobs")).json()["items"]
    assert [(job["kind"], job["status"]) for job in listed] == [("consolidation", "queued"), ("consolidation", "done")]


@pytest.mark.parametrize("body", [{"all": True}, {"store_id": "shop1"}])
async def test_many_are_for_admins(tenant: Tenant, body: dict[str, Any]) -> None:
    for person, status in (("carla", 403), ("mia", 403), ("norma", 403), ("anna", 202), ("alice", 202)):
        answer = await tenant.acting(person).post("/memory/consolidations", json=body)
        assert answer.status_code == status, person
    assert (await tenant.owner.post("/memory/consolidations", json=body)).status_code == 202
    unknown = await tenant.acting("anna").post("/memory/consolidations", json={"store_id": "shop9"})
    assert unknown.status_code == 404


async def test_the_worker_asks_for_it_in_every_organisation(world: World, tenant: Tenant, clock: MovingClock) -> None:
    other = await world.organisation()
    clock.advance(days=400)
    for _ in range(2):
        await Upkeep(world.container).once()
    for here in (tenant, other):
        (job,) = (await here.owner.get("/memory/jobs")).json()["items"]
        assert (job["kind"], job["status"]) == ("consolidation", "queued")
