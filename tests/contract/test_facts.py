"""Facts: every field comes back, each row is found where it belongs, and folds of one key follow each other."""

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.decay import Tier
from app.domain.errors import Conflict
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.subjects import KeyRef, Scope, UserSubject
from app.domain.tenancy import ATLAS, TenantScope
from app.ports.facts import FactRecord
from app.ports.storage import Storage
from tests.contract.strategies import facts
from tests.unit.memories import COMPANY, ME, SHIPPING, SHOP, START, day, fact

WILD = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


async def keep(storage: Storage, scope: TenantScope, *made: Fact) -> None:
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, one) for one in made], START)


@WILD
@given(data=st.data())
async def test_every_field_comes_back(storage: Storage, scope: TenantScope, data: st.DataObject) -> None:
    first = data.draw(facts())
    second = data.draw(facts(first.id, first.ref))
    place = first.ref.subject.scope, first.id
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, first)], START)
        assert await uow.facts.get(*place) == FactRecord(first, START, 1)
        assert await uow.facts.of_key(first.ref) == [first]
        await uow.facts.apply([Change(first, second)], day(1))
        assert await uow.facts.get(*place) == FactRecord(second, day(1), 2)
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(second, None)], day(2))
        assert await uow.facts.get(*place) is None


async def test_changes_of_several_scopes_and_kinds_are_applied_together(storage: Storage, scope: TenantScope) -> None:
    gone, moved, other = fact(1, about=ME), fact(2, about=ME), fact(3, about=COMPANY)
    newer = fact(4, about=ME)
    await keep(storage, scope, gone, moved)
    closed = replace(moved, superseded_by=newer.id, archived_at=day(1))
    changed = [Change(moved, closed), Change(gone, None), Change(None, newer), Change(None, other)]
    async with storage.transaction(scope) as uow:
        await uow.facts.apply(changed, day(1))
    async with storage.transaction(scope) as uow:
        assert {row.id: row for row in await uow.facts.of_key(replace(SHIPPING, subject=ME))} == {
            closed.id: closed,
            newer.id: newer,
        }
        assert await uow.facts.of_key(replace(SHIPPING, subject=COMPANY)) == [other]


async def test_a_row_is_found_in_its_own_scope_and_key_alone(storage: Storage, scope: TenantScope) -> None:
    places = [
        KeyRef(subject, agent, key)
        for subject in (COMPANY, SHOP, ME, UserSubject("bob"))
        for agent in (ATLAS, "maya")
        for key in ("one", "two")
    ]
    rows = [fact(number, ref.key, about=ref.subject, agent_id=ref.agent_id) for number, ref in enumerate(places, 1)]
    await keep(storage, scope, *rows)
    async with storage.transaction(scope) as uow:
        for row in rows:
            assert await uow.facts.of_key(row.ref) == [row]
            for kind in Scope:
                found = await uow.facts.get(kind, row.id)
                assert (found is not None) == (kind is row.ref.subject.scope)


async def test_rows_of_a_key_come_oldest_first(storage: Storage, scope: TenantScope) -> None:
    rows = [fact(number, at=at) for number, at in ((1, 2), (2, 0), (3, 1), (4, 1))]
    await keep(storage, scope, *rows)
    async with storage.transaction(scope) as uow:
        assert [row.id.int for row in await uow.facts.of_key(SHIPPING)] == [2, 3, 4, 1]


async def test_an_id_is_taken_once_and_a_subject_has_to_be_there(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, fact(1))
    for refused in (fact(1, content="another"), fact(2, about=UserSubject("nobody"))):
        with pytest.raises(Conflict):
            await keep(storage, scope, refused)


async def test_among_are_the_live_rows_of_the_subjects(storage: Storage, scope: TenantScope) -> None:
    live, archived, other, unasked = fact(1), fact(2, archived_at=day(1)), fact(3, about=COMPANY), fact(4)
    await keep(storage, scope, live, archived, other, unasked)
    async with storage.transaction(scope) as uow:
        asked = [row.id for row in (live, archived, other)]
        assert await uow.facts.among(asked, [SHOP, ME]) == [live]
        assert set(await uow.facts.among(asked, [SHOP, COMPANY])) == {live, other}
        assert await uow.facts.among([], [SHOP]) == await uow.facts.among(asked, []) == []


async def test_candidates_are_the_pinned_and_the_strongest_of_each_tier(storage: Storage, scope: TenantScope) -> None:
    """Strength as of any day: at one half-life the order does not change."""
    rows: dict[Tier, list[Fact]] = {}
    for number, tier in enumerate(Tier):
        rows[tier] = [
            fact(100 * number + one, f"{tier}.{one}", tier=tier, at=-one * 3, confidence=0.4 + (one * 7 % 10) / 20)
            for one in range(1, 10)
        ]
    every = [row for tier in Tier for row in rows[tier]]
    weakest = min(rows[Tier.STABLE], key=lambda row: row.score(day(1)))
    pinned = replace(weakest, pinned=True)
    hidden = [
        fact(901, "archived", confidence=1.0, archived_at=day(0)),
        fact(902, "of another agent", agent_id="otis", confidence=1.0),
        fact(903, "of another person", about=ME, confidence=1.0),
    ]
    await keep(storage, scope, *(row for row in every if row != weakest), pinned, *hidden)
    async with storage.transaction(scope) as uow:
        found = await uow.facts.candidates([SHOP, COMPANY], ["maya", ATLAS], 3)
    assert len({row.id for row in found}) == len(found)
    assert not set(found) & set(hidden)
    assert pinned in found
    for tier in Tier:
        by_score = sorted(
            (row for row in rows[tier] if row != weakest), key=lambda row: row.score(day(1)), reverse=True
        )
        assert set(by_score[:3]) <= set(found)
    assert len(found) == len(Tier) * 3 + 1


def own_half_life(row: Fact, days: float) -> Fact:
    return replace(row, traits=replace(row.traits, half_life_days=days))


async def test_candidates_with_half_lives_of_their_own_are_those_that_last_longest(
    storage: Storage, scope: TenantScope
) -> None:
    """Among them the rank of one that fades within the day stands above one that holds for years."""
    brief = [own_half_life(fact(one, f"brief.{one}", confidence=1.0), 0.5) for one in range(1, 4)]
    lasting = own_half_life(fact(10, "lasting", confidence=0.6), 3650.0)
    await keep(storage, scope, *brief, lasting)
    async with storage.transaction(scope) as uow:
        found = await uow.facts.candidates([SHOP], [ATLAS], 1)
    assert found == [lasting]


@pytest.mark.parametrize("held", [[SHIPPING], [SHIPPING, replace(SHIPPING, key="other")]])
async def test_folds_of_one_key_follow_each_other(storage: Storage, scope: TenantScope, held: list[KeyRef]) -> None:
    """Each adds a row for every row it finds, and one: a lost look would leave fewer."""

    async def grow(number: int) -> None:
        async with storage.transaction(scope) as uow:
            await uow.facts.lock(held if number % 2 else held[::-1])
            rows = await uow.facts.of_key(SHIPPING)
            await asyncio.sleep(0)
            grown = [Change(None, fact(1000 * number + one)) for one in range(len(rows) + 1)]
            await uow.facts.apply(grown, START)

    await asyncio.gather(*(grow(number) for number in range(1, 5)))
    async with storage.transaction(scope) as uow:
        assert len(await uow.facts.of_key(SHIPPING)) == 2**4 - 1


async def test_a_deleted_subject_takes_its_facts_with_it(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, fact(1, about=SHOP), fact(2, about=ME), fact(3, about=COMPANY))
    async with storage.transaction(scope) as uow:
        await uow.stores.delete("shop1")
        await uow.people.delete("alice")
    async with storage.transaction(scope) as uow:
        left = [await uow.facts.get(kind, UUID(int=number)) for number, kind in ((1, Scope.STORE), (2, Scope.USER))]
        assert left == [None, None]
        assert await uow.facts.get(Scope.ORG, UUID(int=3)) is not None
