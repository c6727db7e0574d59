"""What is found by its age, and when it was seen."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from app.domain.decay import Tier
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.jobs import Job, JobKind
from app.domain.messages import Message, Speaker
from app.domain.stats import FactState
from app.domain.subjects import Scope, UserSubject
from app.domain.tenancy import ATLAS, Actor, ActorType, TenantScope
from app.ports.lifecycle import PruneFilter
from app.ports.storage import Storage, UnitOfWork
from tests.unit.memories import ALICE, COMPANY, ME, SHOP, day, fact

BOB, CARL = UserSubject("bob"), UserSubject("carl")


async def keep(storage: Storage, scope: TenantScope, *facts: Fact) -> None:
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, one) for one in facts], day(0))


def numbers(facts: Sequence[Fact]) -> list[int]:
    return [one.id.int for one in facts]


async def test_live_rows_under_their_line_come_longest_first(storage: Storage, scope: TenantScope) -> None:
    short: dict[str, Any] = {"tier": Tier.SESSION}
    await keep(
        storage,
        scope,
        fact(1, "a", **short, at=1),
        fact(2, "b", **short),
        fact(3, "c", **short, pinned=True),
        fact(4, "d", **short, archived_at=day(1)),
        fact(5, "e", tier=Tier.IDENTITY),
        fact(6, "f", tier=Tier.STABLE),
        fact(7, "g", about=COMPANY, **short),
    )
    async with storage.transaction(scope) as uow:
        assert numbers(await uow.ageing.faded(Scope.STORE, day(10), 9)) == [2, 1]
        assert numbers(await uow.ageing.faded(Scope.STORE, day(10), 1)) == [2]
        assert numbers(await uow.ageing.faded(Scope.STORE, day(2), 9)) == [2]
        assert numbers(await uow.ageing.faded(Scope.ORG, day(10), 9)) == [7]


@pytest.mark.parametrize(
    ("tier", "days"),
    [(Tier.STABLE, 1825), (Tier.STANDARD, 730), (Tier.WATCH, 365), (Tier.VOLATILE, 90), (Tier.SESSION, 7)],
)
async def test_archived_rows_have_their_time_by_tier(
    storage: Storage, scope: TenantScope, tier: Tier, days: int
) -> None:
    archived: dict[str, Any] = {"tier": tier, "archived_at": day(1)}
    await keep(
        storage,
        scope,
        fact(1, "a", **archived),
        fact(2, "b", **archived, at=0.5),
        fact(3, "c", **archived, created_at=day(5)),
        fact(4, "d", **archived, pinned=True),
        fact(5, "e", tier=tier),
        fact(6, "f", **archived, merged_into=UUID(int=5)),
        fact(7, "g", **{**archived, "tier": Tier.IDENTITY}),
    )
    async with storage.transaction(scope) as uow:
        assert numbers(await uow.ageing.over_age(Scope.STORE, day(days - 0.01), 9)) == []
        assert numbers(await uow.ageing.over_age(Scope.STORE, day(days), 9)) == [1]
        assert numbers(await uow.ageing.over_age(Scope.STORE, day(days + 5), 9)) == [1, 2, 3]
        assert numbers(await uow.ageing.over_age(Scope.STORE, day(days + 5), 1, UUID(int=1))) == [2]


async def test_prune_s_candidates(storage: Storage, scope: TenantScope) -> None:
    fades: dict[str, Any] = {"tier": Tier.SESSION}
    await keep(
        storage,
        scope,
        fact(1, "a", **fades),
        fact(2, "b", **fades, archived_at=day(2)),
        fact(3, "c", **fades, pinned=True),
        fact(4, "d", **fades, archived_at=day(2), superseded_by=UUID(int=1)),
        fact(5, "e", **fades, archived_at=day(2), merged_into=UUID(int=1)),
        fact(6, "f", **fades, archived_at=day(2)),
        fact(7, "f", at=9),
        fact(8, "g"),
        fact(9, "h", at=9),
        fact(11, "a", about=ME, **fades),
        fact(12, "a", about=BOB, **fades),
        fact(13, "a", about=CARL, **fades),
    )
    async with storage.transaction(scope) as uow:
        assert await prunable(uow, Scope.STORE, PruneFilter(day(10))) == [1, 2]
        assert await prunable(uow, Scope.STORE, PruneFilter(day(10), idle=day(5))) == [1, 2, 8]
        assert await prunable(uow, Scope.USER, PruneFilter(day(10))) == [12]
        assert await prunable(uow, Scope.USER, PruneFilter(day(10), reader="alice")) == [11, 12]
        await uow.ageing.mark_seen([UUID(int=8)], day(6))
        assert await prunable(uow, Scope.STORE, PruneFilter(day(10), idle=day(5))) == [1, 2]
        assert len(await uow.ageing.prunable(Scope.STORE, PruneFilter(day(10)), 1)) == 1


async def prunable(uow: UnitOfWork, scope: Scope, wanted: PruneFilter) -> list[int]:
    return [record.fact.id.int for record in await uow.ageing.prunable(scope, wanted, 99)]


async def test_being_seen_moves_nothing_else(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, fact(1), fact(2, about=ME), fact(3, "other"))
    async with storage.transaction(scope) as uow:
        before = await uow.facts.get(Scope.STORE, UUID(int=1))
        await uow.ageing.mark_seen([UUID(int=1), UUID(int=2), UUID(int=9)], day(3))
        await uow.ageing.mark_seen([], day(3))
    async with storage.transaction(scope) as uow:
        records = await uow.facts.records(Scope.STORE, [UUID(int=1), UUID(int=3), UUID(int=2)])
        assert {record.fact.id.int: record.last_seen_at for record in records} == {1: day(3), 3: None}
        assert before is not None
        assert replace(before, last_seen_at=day(3)) in records
        [mine] = await uow.facts.records(Scope.USER, [UUID(int=2)])
        assert mine.last_seen_at == day(3)


async def test_being_seen_is_written_once_a_minute_and_outlives_a_change(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, fact(1))
    for seconds, expected in ((0, 0), (30, 0), (61, 61)):
        async with storage.transaction(scope) as uow:
            await uow.ageing.mark_seen([UUID(int=1)], day(3) + timedelta(seconds=seconds))
            record = await uow.facts.get(Scope.STORE, UUID(int=1))
            assert record is not None
            assert record.last_seen_at == day(3) + timedelta(seconds=expected)
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(fact(1), fact(1, pinned=True))], day(4))
        record = await uow.facts.get(Scope.STORE, UUID(int=1))
        assert record is not None
        assert (record.fact.pinned, record.last_seen_at is None) == (True, False)


async def test_rows_merged_into_others_are_found_and_stand_alone_when_these_go(
    storage: Storage, scope: TenantScope
) -> None:
    away = fact(2, "b", archived_at=day(1), merged_into=UUID(int=1))
    await keep(storage, scope, fact(1, "a"), away, fact(3, "c"))
    async with storage.transaction(scope) as uow:
        assert await uow.facts.merged_into(Scope.STORE, [UUID(int=1), UUID(int=3)]) == [away]
        assert await uow.facts.merged_into(Scope.STORE, []) == []
        await uow.facts.apply([Change(fact(1, "a"), None)], day(2))
    async with storage.transaction(scope) as uow:
        [left] = await uow.facts.records(Scope.STORE, [UUID(int=2)])
        assert left.fact == replace(away, merged_into=None)


def message(number: int, at: float, name: str = "m", talk: str = "talk", user: str = "alice") -> Message:
    sent = day(at)
    return Message(
        UUID(int=number), talk, name, "web", Speaker.USER, "words", sent, None, user, None, ATLAS, recorded_at=sent
    )


async def test_messages_go_by_receipt_in_batches(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.messages.add([message(number, number, f"m{number}") for number in range(4)])
    async with storage.transaction(scope) as uow:
        assert await uow.ageing.forget_messages_before(day(3), 2) == 2
        assert await uow.ageing.forget_messages_before(day(3), 2) == 1
        assert await uow.ageing.forget_messages_before(day(3), 2) == 0
        assert [kept.id.int for kept in await uow.messages.get([UUID(int=number) for number in range(4)])] == [3]


async def test_messages_are_found_by_the_caller_s_id(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.messages.add(
            [message(1, 0, "m"), message(2, 0, "m", "other"), message(3, 0, "m", "third", "bob"), message(4, 0, "n")]
        )
        cases: list[tuple[tuple[str, str | None, str | None], list[int]]] = [
            (("m", None, None), [1, 2, 3]),
            (("m", "other", None), [2]),
            (("m", None, "bob"), [3]),
            (("m", "talk", "bob"), []),
            (("x", None, None), []),
        ]
        for asked, expected in cases:
            assert [kept.id.int for kept in await uow.messages.named(*asked, 9)] == expected
        assert len(await uow.messages.named("m", None, None, limit=2)) == 2


async def test_jobs_that_are_done_go_and_those_given_up_stay(storage: Storage, scope: TenantScope) -> None:
    worker = Actor(ActorType.WORKER, "worker")
    jobs = [Job(uuid7(), JobKind.TURN, f"lane-{number}", {}, worker, day(0)) for number in range(3)]
    async with storage.transaction(scope) as uow:
        for job in jobs:
            await uow.jobs.add(job)
        assert await uow.jobs.cancel([jobs[0].id, jobs[1].id, uuid7()], day(1)) == 2
        assert await uow.jobs.cancel([jobs[0].id], day(2)) == 0
        cancelled = await uow.jobs.get(jobs[0].id)
        assert cancelled is not None
        assert (cancelled.status, cancelled.finished_at) == ("cancelled", day(1))
        assert await uow.ageing.forget_jobs_before(day(1), 9) == 0
        assert await uow.ageing.forget_jobs_before(day(2), 1) == 1
        assert await uow.ageing.forget_jobs_before(day(2), 9) == 1
        assert await uow.jobs.get(jobs[2].id) == jobs[2]


async def test_stats_count_what_is_there(storage: Storage, scope: TenantScope) -> None:
    await keep(
        storage,
        scope,
        fact(1, "a", pinned=True),
        fact(2, "b", at=2, contradicted=True),
        fact(3, "c", archived_at=day(1)),
        fact(4, "d", archived_at=day(1), superseded_by=UUID(int=1)),
        fact(5, "e", archived_at=day(1), merged_into=UUID(int=1)),
        fact(6, "f", about=ME, tier=Tier.STABLE),
        fact(7, "g", agent_id="maya"),
    )
    async with storage.transaction(scope) as uow:
        await uow.messages.add([message(1, 0, "m1"), replace(message(2, 1, "m2"), store_id="shop2")])
        await uow.jobs.add(Job(uuid7(), JobKind.TURN, "lane", {}, ALICE, day(0)))
        whole = await uow.stats.read(day(10))
        limited = await uow.stats.read(day(10), frozenset({"shop2"}), frozenset({"otis"}))
    counts = {(row.scope, row.tier, row.state): row for row in whole.facts}
    live = counts[Scope.STORE, Tier.STANDARD, FactState.LIVE]
    assert (live.count, live.pinned, live.contradicted, live.oldest_at, live.newest_at) == (3, 1, 1, day(0), day(2))
    assert {place[2]: row.count for place, row in counts.items() if place[1] is Tier.STANDARD} == {
        "live": 3,
        "archived": 1,
        "superseded": 1,
        "merged": 1,
    }
    assert counts[Scope.USER, Tier.STABLE, FactState.LIVE].count == 1
    assert all(row.size > 0 for row in whole.facts)
    assert (whole.messages.count, whole.messages.oldest_at, whole.observations.count) == (2, day(0), 0)
    assert (whole.jobs, whole.open_contradictions) == ({"queued": 1}, 0)
    assert [(row.scope, row.count) for row in limited.facts] == [(Scope.USER, 1)]
    assert limited.messages.count == 2
    assert SHOP.store_id == "shop1"
