"""What sessions show, as kept: the strongest of each kind, what has faded, and each session of a key once."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

import pytest

from app.domain.decay import Policy
from app.domain.errors import Conflict
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.observations import FactCategory
from app.domain.sources import Source, Verdict
from app.domain.subjects import KeyRef, Scope, UserSubject
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.facts import FactFilter
from app.ports.paging import PageRequest
from app.ports.storage import Storage
from tests.unit.memories import ME, START, day, decided, fact
from tests.unit.sessions import TOOL, habit, shown


async def believe(storage: Storage, scope: TenantScope, *facts: Fact) -> None:
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, one) for one in facts], START)


async def behaviour(
    storage: Storage, scope: TenantScope, limit: int = 9, *categories: FactCategory, agents: tuple[str, ...] = (ATLAS,)
) -> set[int]:
    async with storage.transaction(scope) as uow:
        found = await uow.facts.behaviour("alice", agents, limit, categories or tuple(FactCategory))
    assert len({one.fact.id for one in found}) == len(found)
    return {one.fact.id.int for one in found}


async def faded(storage: Storage, scope: TenantScope, now: datetime, limit: int = 9) -> list[int]:
    async with storage.transaction(scope) as uow:
        return [one.id.int for one in await uow.facts.faded_behaviour("alice", now, limit)]


async def test_the_strongest_of_each_kind_and_pocket_come_with_the_pinned(storage: Storage, scope: TenantScope) -> None:
    entities = [habit(n, f"entity_frequency:order:{n}", confidence=n / 10) for n in range(1, 6)]
    await believe(
        storage,
        scope,
        *entities,
        replace(habit(6, "entity_frequency:order:6", confidence=0.05), pinned=True),
        habit(7, "tool_affinity:a", sessions=3, confidence=0.1),
        habit(8, "tool_affinity:b", confidence=0.2),
        habit(9, "tool_avoidance:a", agent_id="maya"),
        habit(10, "tool_affinity:c", about=UserSubject("bob")),
        replace(habit(11, "tool_affinity:d"), archived_at=START),
        fact(12, "prefers.address", about=ME),
    )

    assert await behaviour(storage, scope, 2) == {4, 5, 6, 7, 8}
    assert await behaviour(storage, scope, 1) == {5, 6, 7}
    assert await behaviour(storage, scope, 9, agents=("maya", ATLAS)) == {*range(1, 10)}
    assert await behaviour(storage, scope, 1, FactCategory.TOOL_AFFINITY) == {7}


async def test_it_is_not_among_what_was_stated(storage: Storage, scope: TenantScope) -> None:
    await believe(
        storage,
        scope,
        habit(1, confidence=1.0),
        replace(habit(2, "tool_affinity:b"), pinned=True),
        habit(3, "tool_affinity:c", half_life=900.0),
        fact(4, about=ME, confidence=0.1),
    )
    async with storage.transaction(scope) as uow:
        assert [one.id.int for one in await uow.facts.candidates([ME], [ATLAS], 9)] == [4]


async def test_lists_hold_it_and_score_it_by_its_policy(storage: Storage, scope: TenantScope) -> None:
    await believe(
        storage,
        scope,
        habit(1, "tool_affinity:a", confidence=1.0),
        habit(2, "tool_affinity:b", confidence=1.0, policy=Policy.ADAPTIVE),
        habit(3, "tool_affinity:c", confidence=1.0, half_life=1.0),
        fact(4, about=ME, confidence=1.0),
    )

    async def scoring(least: float) -> set[int]:
        async with storage.transaction(scope) as uow:
            wanted = FactFilter(Scope.USER, day(14), ME, min_score=least)
            return {one.fact.id.int for one in (await uow.facts.page(wanted, PageRequest())).items}

    assert await scoring(0.85) == {4}
    assert await scoring(0.70) == {2, 4}
    assert await scoring(0.48) == {1, 2, 4}
    assert await scoring(0.0) == {1, 2, 3, 4}


async def test_what_has_faded_is_found_earliest_first_archived_too_and_never_the_pinned(
    storage: Storage, scope: TenantScope
) -> None:
    await believe(
        storage,
        scope,
        habit(1, "tool_affinity:a", confidence=0.5),
        habit(2, "tool_affinity:b", confidence=0.2),
        replace(habit(3, "tool_affinity:c", confidence=0.3), archived_at=day(1)),
        replace(habit(4, "tool_affinity:d", confidence=0.2), pinned=True),
        habit(5, "tool_affinity:e", about=UserSubject("bob"), confidence=0.2),
        fact(6, about=ME, confidence=0.01),
    )

    assert await faded(storage, scope, day(13)) == []
    assert await faded(storage, scope, day(14)) == [2]
    assert await faded(storage, scope, day(32)) == [2, 3, 1]
    assert await faded(storage, scope, day(32), 2) == [2, 3]
    async with storage.transaction(scope) as uow:
        assert await uow.facts.people_with_faded_behaviour(day(32), 9) == ["alice", "bob"]
        assert await uow.facts.people_with_faded_behaviour(day(32), 1) == ["alice"]
        assert await uow.facts.people_with_faded_behaviour(day(32), 9, "alice") == ["bob"]
        assert await uow.facts.people_with_faded_behaviour(day(1), 9) == []


async def test_rows_and_entries_of_many_keys_are_read_at_once(storage: Storage, scope: TenantScope) -> None:
    refs = [TOOL, replace(TOOL, key="tool_affinity:b"), replace(TOOL, agent_id="maya")]
    of_bob = replace(TOOL, subject=UserSubject("bob"))
    rows = [habit(n, ref.key, agent_id=ref.agent_id) for n, ref in enumerate(refs, 1)]
    await believe(storage, scope, *rows, habit(9, about=UserSubject("bob")))
    pin = decided(Verdict.PIN, 1, 3)
    async with storage.transaction(scope) as uow:
        await uow.sources.save([(ref, shown(n, n)) for n, ref in enumerate(refs, 1)])
        await uow.sources.save([(of_bob, shown(9, 1))])
        await uow.sources.decide(TOOL, pin)
    async with storage.transaction(scope) as uow:
        assert {row.id.int for row in await uow.facts.of_keys(refs[:2])} == {1, 2}
        assert await uow.facts.of_keys([]) == []
        found = await uow.sources.entries_of([*refs, replace(TOOL, key="unknown")])
        assert found == {TOOL: [shown(1, 1), pin], refs[1]: [shown(2, 2)], refs[2]: [shown(3, 3)]}
        assert await uow.sources.entries_of([]) == {}


async def test_a_session_of_a_key_is_kept_once_and_as_it_now_is(storage: Storage, scope: TenantScope) -> None:
    first = shown(1, 1, session="s", ids=(10,))
    later = shown(1, 2, session="s", ids=(10, 11), quality=0.5)
    async with storage.transaction(scope) as uow:
        await uow.sources.save([(TOOL, first)])
        await uow.sources.save([(TOOL, later)])
        await uow.sources.save([])
    async with storage.transaction(scope) as uow:
        assert await uow.sources.entries(TOOL) == [later]
        elsewhere = [replace(TOOL, agent_id="maya"), replace(TOOL, key="other"), KeyRef(UserSubject("bob"), ATLAS, "x")]
        await uow.sources.save([(ref, shown(n, 1, session="s")) for n, ref in enumerate(elsewhere, 2)])
    with pytest.raises(Conflict):
        async with storage.transaction(scope) as uow:
            await uow.sources.save([(TOOL, shown(9, 3, session="s"))])


async def test_forgetting_sources_takes_the_decisions_about_their_rows(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.sources.save([(TOOL, shown(1, 1)), (TOOL, shown(2, 2))])
        await uow.sources.decide(TOOL, decided(Verdict.PIN, 1, 3))
        await uow.sources.decide(TOOL, decided(Verdict.PIN, 2, 3))
        await uow.sources.forget([UUID(int=1)])
    async with storage.transaction(scope) as uow:
        left = await uow.sources.entries(TOOL)
    assert [one.id.int for one in left if isinstance(one, Source)] == [2]
    assert [one.fact_id.int for one in left if not isinstance(one, Source)] == [2]
