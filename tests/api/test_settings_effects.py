"""What each setting of an organisation does, from the moment it is set."""

from typing import Any

import pytest

from app.domain.experiment import arm_of
from app.domain.tenancy import Rank, TenantScope
from app.services.lifecycle import Lifecycle
from tests.support.clock import MovingClock
from tests.support.sessions import mine
from tests.support.talk import FREE_FROM_60, facts, path_of, recall, send, tell, turn, write
from tests.support.world import WORKER, Tenant, World

IN_ENGLISH = "We offer free shipping from 70 €."


@pytest.fixture
async def shop(world: World) -> Tenant:
    return await world.organisation(people={"alice": "owner", "mia": "member", "carla": None})


async def choose(shop: Tenant, **settings: Any) -> dict[str, Any]:
    answer = await shop.owner.patch("/memory/settings", json=settings)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def half_life(shop: Tenant, fact: dict[str, Any]) -> float:
    return float((await shop.owner.get(path_of(fact))).json()["half_life_days"])


async def sweep(world: World, shop: Tenant) -> None:
    scope = TenantScope(shop.org_id, WORKER, Rank.OWNER)
    await Lifecycle(world.container.storage).run(scope, world.container.clock())


async def test_changed_numbers_of_a_tier_hold_at_once_for_what_changes_and_for_the_rest_after_the_job(
    world: World, shop: Tenant
) -> None:
    before = [await write(shop.owner, "org", f"k{number}", "x") for number in range(3)]
    own = await write(shop.owner, "org", "own", "x", half_life_days=30)
    stable = await write(shop.owner, "store", "stable", "x", tier="stable")
    settings = await choose(shop, tiers={"standard": {"half_life_days": 9}})
    assert settings["tiers"]["standard"] == {"half_life_days": 9, "archive_below": 0.2, "hard_delete_days": 730}
    await shop.owner.post(f"{path_of(before[0])}/pin")
    after = await write(shop.owner, "org", "after", "x")
    assert [await half_life(shop, fact) for fact in (*before, own, stable, after)] == [9, 90, 90, 30, 365, 9]
    tag = (await shop.owner.get(path_of(before[1]))).headers["etag"]
    await world.finish_jobs()
    assert [await half_life(shop, fact) for fact in (*before, own, stable, after)] == [9, 9, 9, 30, 365, 9]
    assert (await shop.owner.get(path_of(before[1]))).headers["etag"] == tag
    await choose(shop, tiers={"standard": {"half_life_days": 90}})
    await world.finish_jobs()
    assert [await half_life(shop, fact) for fact in (*before, own, stable, after)] == [90, 90, 90, 30, 365, 90]


async def test_facts_fade_are_archived_and_go_by_them(world: World, shop: Tenant, clock: MovingClock) -> None:
    fact = await write(shop.owner, "org", "k", "x")
    quick = {"half_life_days": 1, "archive_below": 0.5, "hard_delete_days": 4}
    await choose(shop, tiers={"standard": quick})
    await world.finish_jobs()
    clock.advance(days=1.1)
    assert (await shop.owner.get(path_of(fact))).json()["strength"] == pytest.approx(0.4665, abs=1e-3)
    assert (await recall(shop.acting("mia")))["block"] == ""
    await sweep(world, shop)
    assert (await shop.owner.get(path_of(fact))).json()["archived_at"] is not None
    clock.advance(days=3)
    await sweep(world, shop)
    assert (await shop.owner.get(path_of(fact))).status_code == 404


async def test_a_line_of_nothing_keeps_everything(world: World, shop: Tenant, clock: MovingClock) -> None:
    await choose(shop, tiers={"session": {"archive_below": 0}})
    fact = await write(shop.owner, "org", "k", "x", tier="session")
    clock.advance(days=60)
    await sweep(world, shop)
    assert (await shop.owner.get(path_of(fact))).json()["archived_at"] is None


async def test_a_block_costs_what_the_organisation_lets_it(shop: Tenant) -> None:
    for number in range(40):
        await write(shop.owner, "org", f"policy.{number}", f"What holds for the shop, in a sentence, {number}.")
    usual = (await recall(shop.acting("mia")))["tokens"]
    await choose(shop, budgets={"working": 300, "total": 250})
    small = (await recall(shop.acting("mia")))["tokens"]
    assert 0 < small["total"] <= 250 < usual["total"]
    await choose(shop, budgets={"core": 0, "working": 1000, "archival": 0, "total": 5000})
    large = (await recall(shop.acting("mia")))["tokens"]
    assert usual["total"] <= large["total"] <= 1000
    asked = (await recall(shop.acting("mia"), budget_tokens=120))["tokens"]
    assert 0 < asked["total"] <= 120


async def test_an_arm_that_could_not_be_told_in_time_is_not_guessed(shop: Tenant) -> None:
    await choose(shop, holdout_share=1)
    hurried = [await recall(shop.acting("alice"), deadline_ms=ms, conversation_id=f"c{ms}") for ms in range(1, 9)]
    assert {answer["arm"] for answer in hurried} <= {None, "control"}


async def test_the_control_arm_has_rules_and_affinities_and_no_block(world: World, shop: Tenant) -> None:
    mia = shop.acting("mia")
    await shop.owner.put("/memory/rules", json={"markdown": "# Rules"})
    await write(shop.owner, "org", "tone", "warm")
    seen = {"type": "tool_success", "session_id": "s1", "metadata": {"toolName": "get_order"}}
    await mia.post("/memory/observations", json={"items": [{"user_id": "mia", **seen}]})
    await mia.post("/memory/consolidations", json={"user_id": "mia", "deadline_ms": 10_000})
    served = await recall(mia, query="warm")
    assert (served["arm"], "warm" in served["block"]) == ("memory", True)
    await choose(shop, holdout_share=1)
    held = await recall(mia, query="warm")
    assert (held["arm"], held["block"], held["facts"], held["messages"]) == ("control", "", [], [])
    assert (held["reason"], held["degraded"], held["tokens"]["total"]) == (None, [], 0)
    assert held["rules"] == served["rules"]
    assert held["tool_affinities"] == pytest.approx(served["tool_affinities"], abs=1e-4)
    assert held["tool_affinities"]
    assert (await tell(mia, FREE_FROM_60))["extraction"] == "scheduled"


async def test_a_conversation_stays_in_its_arm(shop: Tenant) -> None:
    await write(shop.owner, "org", "tone", "warm")
    await choose(shop, holdout_share=0.5)
    arms = set()
    for number in range(12):
        talk = f"talk-{number}"
        answers = [await recall(shop.acting(person), conversation_id=talk) for person in ("mia", "alice", "mia")]
        arm = arm_of(0.5, shop.org_id, talk, None)
        assert {answer["arm"] for answer in answers} == {arm}
        assert {answer["block"] == "" for answer in answers} == {arm == "control"}
        arms.add(arm)
    assert len(arms) == 2


async def test_with_the_extractor_off_turns_are_kept_and_teach_nothing(world: World, shop: Tenant) -> None:
    mia, said = shop.acting("alice"), turn(f"{FREE_FROM_60} Où est mon colis ?")
    await choose(shop, extractor="off")
    taken = await send(mia, said)
    assert (taken["stored"], taken["extraction"], taken["reason"]) == (1, "skipped", "extractor_off")
    assert (await send(mia, said))["stored"] == 0
    await world.finish_jobs()
    job = (await mia.get(f"/memory/jobs/{taken['job_id']}")).json()
    assert (job["status"], job["result"]["facts_created"]) == ("done", 0)
    assert await facts(mia) == []
    assert [one["metadata"]["domain"] for one in await mine(mia, type="query_pattern")] == ["shipping"]
    found = await mia.post("/memory/search", json={"query": "livraison", "kinds": ["message"], "store_id": "shop1"})
    assert len(found.json()["items"]) == 1
    await choose(shop, extractor="default")
    assert (await send(mia, said))["stored"] == 0
    again = await tell(mia, FREE_FROM_60)
    assert (again["extraction"], again["reason"]) == ("scheduled", None)
    await world.finish_jobs()
    assert len(await facts(mia)) == 1


async def test_a_turn_that_waits_is_not_read_once_the_extractor_is_off(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await tell(alice, FREE_FROM_60)
    await choose(shop, extractor="off")
    await world.finish_jobs()
    assert await facts(alice) == []


async def test_turns_are_read_in_the_languages_that_are_spoken(world: World, shop: Tenant) -> None:
    alice = shop.acting("alice")
    await choose(shop, languages=["fr"])
    await tell(alice, IN_ENGLISH)
    await world.finish_jobs()
    assert await facts(alice) == []
    await choose(shop, languages=["en", "fr"])
    await tell(alice, IN_ENGLISH)
    await world.finish_jobs()
    assert [fact["language"] for fact in await facts(alice)] == ["en"]


async def test_messages_are_kept_as_long_as_the_organisation_says(
    world: World, shop: Tenant, clock: MovingClock
) -> None:
    alice = shop.acting("alice")
    await choose(shop, retention={"message_days": 5, "job_days": 2})
    taken = await tell(alice, FREE_FROM_60)
    await world.finish_jobs()
    asked = {"query": "livraison", "kinds": ["message"], "store_id": "shop1"}
    clock.advance(days=3)
    await sweep(world, shop)
    assert (await alice.get(f"/memory/jobs/{taken['job_id']}")).status_code == 404
    assert len((await alice.post("/memory/search", json=asked)).json()["items"]) == 1
    clock.advance(days=3)
    await sweep(world, shop)
    assert (await alice.post("/memory/search", json=asked)).json()["items"] == []
    assert len(await facts(alice)) == 1
