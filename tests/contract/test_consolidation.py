"""Consolidating a person, on both storages: exactly once, whole, and with what people decided."""

from typing import Any

import pytest

from app.domain.decay import Policy
from app.domain.observations import FactCategory, ObservationType
from app.domain.organisations import Organisation, OrgSettings, Person
from app.domain.sources import Decision, Verdict
from app.domain.tenancy import TenantScope
from app.ports.events import EventFilter
from app.ports.paging import PageRequest
from app.ports.storage import Storage
from app.services import consolidation
from app.services.consolidation import Outcome, consolidate
from app.services.folds import Author, extend
from tests.contract.consolidating import WORKER, facts, happened, keep, run
from tests.unit.memories import ALICE, START, day, decided
from tests.unit.observed import observed
from tests.unit.sessions import TOOL

FAILED, QUERY = ObservationType.TOOL_FAILURE, ObservationType.QUERY_PATTERN


async def told(storage: Storage, scope: TenantScope) -> list[tuple[str, bool]]:
    """The trail, oldest first: each kind, and whether it has words."""
    async with storage.transaction(scope) as uow:
        events = (await uow.events.page(EventFilter(unveiled=True), PageRequest(limit=200))).items
    return [(str(event.kind), event.values is not None) for event in reversed(events)]


async def choose(storage: Storage, scope: TenantScope, **settings: Any) -> None:
    async with storage.transaction(scope) as uow:
        await uow.organisations.save(Organisation(scope.org_id, "Org", START, OrgSettings(**settings)))


async def test_a_fact_is_created_reinforced_and_told_of(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, happened(1, "s1"), happened(2, "s1"))
    assert await run(storage, scope) == Outcome(created=1)
    await keep(storage, scope, happened(3, "s2", 1))
    assert await run(storage, scope, 1) == Outcome(reinforced=1)

    (fact,) = (await facts(storage, scope)).values()
    assert (fact.traits.confidence, fact.reinforcement_count, fact.last_reinforced_at) == (0.6, 2, day(1))
    assert fact.source.author == ALICE
    assert await told(storage, scope) == [("created", True), ("reinforced", True)]


async def test_a_batch_over_several_sessions_counts_each(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, *(happened(n, f"s{n % 3}", n / 10) for n in range(9)))

    assert await run(storage, scope) == Outcome(created=1)
    (fact,) = (await facts(storage, scope)).values()
    assert fact.traits.confidence == pytest.approx(0.7)
    assert fact.reinforcement_count == 3


async def test_again_changes_nothing(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, happened(1, "s1"), observed(ObservationType.ENTITY_ACCESS, 2))
    await run(storage, scope)
    before = await facts(storage, scope)

    assert await run(storage, scope) == Outcome()
    assert await facts(storage, scope) == before


async def test_more_of_a_session_that_was_taken_before_does_not_count_twice(
    storage: Storage, scope: TenantScope
) -> None:
    await keep(storage, scope, happened(1, "s1", 1))
    await run(storage, scope, 1)
    await keep(storage, scope, happened(2, "s1", 2), happened(3, "s1", 0))

    assert await run(storage, scope, 2) == Outcome()
    (fact,) = (await facts(storage, scope)).values()
    assert (fact.reinforcement_count, fact.traits.confidence) == (1, 0.5)
    assert (fact.valid_from, fact.last_reinforced_at) == (day(0), day(2))


async def test_a_late_observation_is_still_taken_and_folds_into_its_place(storage: Storage, scope: TenantScope) -> None:
    await choose(storage, scope, behaviour_policy=Policy.ADAPTIVE)
    bad = {"toolName": "get_order", "quality": 0.0}
    await keep(storage, scope, happened(1, "s1", 5), happened(2, "s3", 9, metadata=bad))
    await run(storage, scope, 9)
    await keep(storage, scope, happened(3, "s2", 1))

    assert await run(storage, scope, 9) == Outcome(reinforced=1)
    (fact,) = (await facts(storage, scope)).values()
    assert (fact.reinforcement_count, fact.last_reinforced_at, fact.valid_from) == (3, day(9), day(1))
    assert fact.ease == pytest.approx(2.5 + 0.1 - 0.2)


async def test_a_kind_may_have_a_policy_of_its_own(storage: Storage, scope: TenantScope) -> None:
    await choose(storage, scope, policies={FactCategory.ENTITY_FREQUENCY: Policy.ADAPTIVE})
    await keep(storage, scope, happened(1, "s1"), observed(ObservationType.ENTITY_ACCESS, 2))
    await run(storage, scope)

    found = await facts(storage, scope)
    assert {key.partition(":")[0]: one.policy for key, one in found.items()} == {
        "tool_affinity": "exponential",
        "entity_frequency": "adaptive",
    }


async def test_a_fact_lives_in_the_observations_pocket(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, happened(1, "s1", agent_id="maya"), happened(2, "s1"))

    assert await run(storage, scope) == Outcome(created=2)
    async with storage.transaction(scope) as uow:
        assert [one.fact.ref.agent_id for one in await uow.facts.behaviour("alice", ["maya"], 9)] == ["maya"]


async def test_what_has_faded_goes_with_its_sources_and_leaves_an_event_without_words(
    storage: Storage, scope: TenantScope
) -> None:
    other = {"toolName": "refund"}
    await keep(storage, scope, happened(1, "s1"), happened(2, "s1", 10, metadata=other))
    await run(storage, scope, 10)

    assert await run(storage, scope, 31) == Outcome()
    assert await run(storage, scope, 32) == Outcome(expired=1)
    assert list(await facts(storage, scope)) == ["tool_affinity:refund"]
    assert await told(storage, scope) == [("created", False), ("created", True), ("expired", False)]
    async with storage.transaction(scope) as uow:
        assert await uow.sources.entries(TOOL) == []

    await keep(storage, scope, happened(3, "s9", 33))
    assert await run(storage, scope, 33) == Outcome(created=1)
    assert (await facts(storage, scope))[TOOL.key].reinforcement_count == 1


async def test_a_pinned_fact_stays(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, happened(1, "s1"))
    await run(storage, scope)
    (fact,) = (await facts(storage, scope)).values()
    async with storage.transaction(scope) as uow:
        pin = Decision(decided(Verdict.PIN, 1, 1).id, day(1), day(1), Verdict.PIN, fact.id, ALICE)
        await extend(uow, fact.ref, [pin], Author(ALICE, day(1)))

    assert await run(storage, scope, 400) == Outcome()
    assert list(await facts(storage, scope)) == [TOOL.key]


async def test_what_would_have_faded_already_is_taken_and_not_kept(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, happened(1, "s1", 0))

    assert await run(storage, scope, 60) == Outcome()
    assert await facts(storage, scope) == {}
    assert await told(storage, scope) == []
    async with storage.transaction(scope) as uow:
        assert await uow.sources.entries(TOOL) == []
        assert not (await uow.consolidations.progress("alice", day(60))).due


async def test_three_sessions_that_fail_alike_within_thirty_days_make_a_pattern(
    storage: Storage, scope: TenantScope
) -> None:
    key = "failure_pattern:get_order:timeout"
    await keep(storage, scope, observed(FAILED, 1, 0, session="s1"), observed(FAILED, 2, 20, session="s2"))
    assert await run(storage, scope, 20) == Outcome(created=1)
    await keep(storage, scope, observed(FAILED, 3, 31, session="s3"))
    assert await run(storage, scope, 31) == Outcome(reinforced=1)
    assert key not in await facts(storage, scope)

    await keep(storage, scope, observed(FAILED, 4, 32, session="s4"), observed(FAILED, 5, 32, session="s4"))
    assert await run(storage, scope, 32) == Outcome(created=1, reinforced=1)
    pattern = (await facts(storage, scope))[key]
    assert (pattern.traits.category, pattern.reinforcement_count) == ("failure_pattern", 3)

    await keep(storage, scope, observed(FAILED, 6, 33, session="s5"))
    assert await run(storage, scope, 33) == Outcome(reinforced=2)
    assert (await facts(storage, scope))[key].reinforcement_count == 4


@pytest.mark.parametrize("settings", [{"enabled": False}, {}])
async def test_where_nothing_is_to_be_remembered_facts_only_fade(
    storage: Storage, scope: TenantScope, settings: dict[str, bool]
) -> None:
    await keep(storage, scope, happened(1, "s1"))
    await run(storage, scope)
    await keep(storage, scope, happened(2, "s2", 1))
    await choose(storage, scope, **settings)
    if not settings:
        async with storage.transaction(scope) as uow:
            await uow.people.save(Person("alice", START, remember=False))

    assert await run(storage, scope, 2) == Outcome()
    assert await run(storage, scope, 40) == Outcome(expired=1)


async def test_an_unknown_person_has_nothing_and_is_not_made(storage: Storage, scope: TenantScope) -> None:
    assert await run(storage, scope, user_id="nobody") == Outcome()
    async with storage.transaction(scope) as uow:
        assert await uow.people.get("nobody") is None


async def test_more_than_one_transaction_takes_is_taken_in_turns(storage: Storage, scope: TenantScope) -> None:
    many = consolidation.AT_ONCE + 1
    await keep(storage, scope, *(happened(n, f"s{n}") for n in range(many)))

    first = await run(storage, scope)
    assert (first.more, first.created) == (True, 1)
    assert await run(storage, scope) == Outcome(reinforced=1)
    assert (await facts(storage, scope))[TOOL.key].reinforcement_count == many


async def test_a_checkpoint_tells_how_far_it_came(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, happened(1, "s1", 3), happened(2, "s1", 1))
    async with storage.transaction(scope) as uow:
        await consolidate(uow, "alice", WORKER, lambda: day(4), "s2")
        kept = (await uow.consolidations.progress("alice", day(4))).checkpoint
    assert kept is not None
    assert (kept.consolidated_at, kept.latest_at, kept.session_id) == (day(4), day(3), "s2")


async def test_what_breaks_in_the_middle_leaves_nothing(storage: Storage, scope: TenantScope) -> None:
    async def broken() -> None:
        async with storage.transaction(scope) as uow:
            await consolidate(uow, "alice", WORKER, lambda: day(0))
            raise ZeroDivisionError

    await keep(storage, scope, happened(1, "s1"))
    with pytest.raises(ZeroDivisionError):
        await broken()
    assert await facts(storage, scope) == {}
    assert await run(storage, scope) == Outcome(created=1)
