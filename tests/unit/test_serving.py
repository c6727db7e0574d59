"""Serving contexts: one recalling for all who ask alike, and never what stood before a write that was answered."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from app.adapters.doubles.directory import InMemoryDirectory
from app.domain.errors import Unavailable
from app.domain.organisations import Organisation, Person, ShareMessages, Store
from app.domain.past import Moment
from app.domain.precedence import Wanted
from app.domain.subjects import Scope, UserSubject
from app.domain.tenancy import Rank, Role, TenantScope
from app.services.context import KEEP_SECONDS, LONGEST_WAIT, Contexts, Served
from app.services.finding import Questions
from app.services.recall import ContextIn, Recall
from tests.unit.memories import ALICE, START, fact
from tests.unit.replicas import ASKED, US, Replicas


@pytest.fixture
async def replicas() -> Replicas:
    made = Replicas()
    async with made.writing() as uow:
        await uow.organisations.save(Organisation("us", "Us", START))
        await uow.stores.save(Store("shop1", "Shop", START))
        await uow.people.save(Person("alice", START, Role.OWNER))
    await made.write("first")
    return made


def told(served: Served) -> list[str]:
    return sorted(one.content for one in served.context.facts)


async def until(holds: Any) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0)


async def test_who_asks_alike_is_served_without_a_look_under_a_receipt_of_their_own(replicas: Replicas) -> None:
    here, there = replicas.one(), replicas.one()
    first, again, elsewhere = await here.serve(US, ASKED), await here.serve(US, ASKED), await there.serve(US, ASKED)
    assert replicas.read.entered == 1
    assert first.context == again.context == elsewhere.context
    assert told(first) == ["first"]
    receipts = {served.receipt_id for served in (first, again, elsewhere)}
    assert len(receipts) == 3
    assert {receipt.receipt_id for _, receipt in replicas.book.noted} == receipts
    assert {receipt.fact_ids for _, receipt in replicas.book.noted} == {(fact(1).id,)}


async def test_what_was_written_is_shown_by_every_replica(replicas: Replicas) -> None:
    here, there = replicas.one(), replicas.one()
    for number in range(2, 20):
        await here.serve(US, ASKED)
        await there.serve(US, ASKED)
        await replicas.write("later", number)
        assert len((await there.serve(US, ASKED)).context.facts) == number
        assert len((await here.serve(US, ASKED)).context.facts) == number


async def test_a_late_one_never_serves_what_stood_before_a_write(replicas: Replicas) -> None:
    """It has read its rows, and keeps its answer only after the write."""
    replicas.cache.opened.clear()
    late = asyncio.create_task(replicas.one().serve(US, ASKED))
    await until(lambda: replicas.cache.asked == 1)
    await replicas.write("second", 2)
    replicas.cache.opened.set()
    assert told(await late) == ["first"]
    assert told(await replicas.one().serve(US, ASKED)) == ["first", "second"]


async def test_who_comes_after_a_write_does_not_join_who_came_before(replicas: Replicas) -> None:
    contexts = replicas.one()
    replicas.cache.opened.clear()
    early = asyncio.create_task(contexts.serve(US, ASKED))
    await until(lambda: replicas.cache.asked == 1)
    await replicas.write("second", 2)
    late = asyncio.create_task(contexts.serve(US, ASKED))
    await until(lambda: replicas.cache.asked == 2)
    replicas.cache.opened.set()
    assert (told(await early), told(await late)) == (["first"], ["first", "second"])


@pytest.mark.parametrize("number_of_replicas", [1, 3])
async def test_a_stampede_costs_one_recalling(replicas: Replicas, number_of_replicas: int) -> None:
    several, now = [replicas.one() for _ in range(number_of_replicas)], asyncio.get_running_loop().time
    replicas.read.opened.clear()
    began = now()
    asking = [asyncio.create_task(one.serve(US, ASKED)) for one in several for _ in range(50)]
    await until(lambda: replicas.read.entered == 1)
    for _ in range(100):
        await asyncio.sleep(0)
    replicas.read.opened.set()
    served = await asyncio.gather(*asking)
    patient = number_of_replicas == 1 or now() - began < LONGEST_WAIT
    assert replicas.read.entered == 1 if patient else replicas.read.entered <= number_of_replicas
    assert {told(one)[0] for one in served} == {"first"}
    assert len(replicas.book.noted) == len({one.receipt_id for one in served}) == len(asking)


async def test_who_waits_for_another_replica_in_vain_recalls_by_itself(replicas: Replicas) -> None:
    """The other one hangs while it is at it."""
    replicas.cache.opened.clear()
    hanging = asyncio.create_task(replicas.one().serve(US, ASKED))
    await until(lambda: replicas.cache.asked == 1)
    alone = asyncio.create_task(replicas.one().serve(US, ASKED))
    await until(lambda: replicas.read.entered == 2)
    replicas.cache.opened.set()
    assert told(await alone) == told(await hanging) == ["first"]


async def test_who_goes_away_takes_nothing_from_the_others(replicas: Replicas) -> None:
    contexts = replicas.one()
    replicas.read.opened.clear()
    first = asyncio.create_task(contexts.serve(US, ASKED))
    await until(lambda: replicas.read.entered == 1)
    second = asyncio.create_task(contexts.serve(US, ASKED))
    await asyncio.sleep(0)
    first.cancel()
    replicas.read.opened.set()
    assert told(await second) == ["first"]
    assert replicas.read.entered == 1


async def test_what_fails_fails_all_who_wait_and_nobody_later(replicas: Replicas) -> None:
    contexts = replicas.one()
    replicas.read.broken = True
    failed = await asyncio.gather(*(contexts.serve(US, ASKED) for _ in range(5)), return_exceptions=True)
    assert [type(one) for one in failed] == [Unavailable] * 5
    replicas.read.broken = False
    assert told(await contexts.serve(US, ASKED)) == ["first"]


async def test_what_is_not_complete_is_not_kept(replicas: Replicas) -> None:
    contexts = replicas.one()
    replicas.read.opened.clear()
    degraded = await contexts.serve(US, replace(ASKED, deadline_ms=1))
    assert degraded.context.degraded
    replicas.read.opened.set()
    assert told(await contexts.serve(US, ASKED)) == ["first"]
    assert replicas.read.entered == 2


async def test_what_others_said_is_looked_for_each_time(replicas: Replicas) -> None:
    await replicas.settle(share_messages=ShareMessages.STORE)
    contexts, asked = replicas.one(), replace(ASKED, query="le transporteur ?")
    looks = [0]
    for _ in range(3):
        await contexts.serve(US, asked)
        looks.append(replicas.read.entered)
    assert looks == sorted(set(looks))
    contact = TenantScope("us", ALICE, Rank.CONTACT, "alice")
    await contexts.serve(contact, asked)
    once = replicas.read.entered
    await contexts.serve(contact, asked)
    assert replicas.read.entered == once > looks[-1]


async def test_a_minute_later_it_is_recalled_anew(replicas: Replicas) -> None:
    contexts = replicas.one()
    for minutes, looks in ((0, 1), (0, 1), (1, 2), (1, 2), (2, 3)):
        replicas.now = START + timedelta(seconds=minutes * KEEP_SECONDS)
        await contexts.serve(US, ASKED)
        assert replicas.read.entered == looks


OTHERWISE: dict[str, tuple[TenantScope, ContextIn]] = {
    "another person": (TenantScope("us", ALICE, Rank.OWNER, "bob"), ASKED),
    "nobody": (TenantScope("us", ALICE, Rank.OWNER), ASKED),
    "a lesser rank": (TenantScope("us", ALICE, Rank.CONTACT, "alice"), ASKED),
    "a key of some stores": (TenantScope("us", ALICE, Rank.OWNER, "alice", frozenset({"shop1"})), ASKED),
    "a key of some agents": (TenantScope("us", ALICE, Rank.OWNER, "alice", None, frozenset({"maya"})), ASKED),
    "another agent": (US, replace(ASKED, agent_id="maya")),
    "another store": (US, replace(ASKED, store_id="shop2")),
    "no store": (US, replace(ASKED, store_id=None)),
    "another conversation": (US, replace(ASKED, conversation_id="c2")),
    "another turn": (US, replace(ASKED, query="livraison")),
    "another since": (US, replace(ASKED, since=START)),
    "another least score": (US, replace(ASKED, wanted=Wanted(0.5))),
    "other scopes": (US, replace(ASKED, wanted=Wanted(scopes=frozenset({Scope.USER, Scope.ORG})))),
    "other tags": (US, replace(ASKED, wanted=Wanted(tags=frozenset({"a", "b"})))),
    "another budget": (US, replace(ASKED, budget_tokens=100)),
    "another moment": (US, replace(ASKED, moment=Moment(as_of=START))),
}


@pytest.mark.parametrize("name", OTHERWISE)
async def test_who_asks_otherwise_is_not_served_the_same(replicas: Replicas, name: str) -> None:
    scope, asked = OTHERWISE[name]
    contexts = replicas.one()
    await contexts.serve(US, ASKED)
    first = replicas.read.entered
    await contexts.serve(scope, asked)
    second = replicas.read.entered
    assert second > first
    await contexts.serve(scope, asked)
    assert replicas.read.entered == second


def test_every_part_of_a_question_is_told_apart() -> None:
    """A new one must have its row above."""
    differing = {name for _, asked in OTHERWISE.values() for name in _parts(asked) if name not in _parts(ASKED)}
    assert {name for name, _ in differing} == {name for name, _ in _parts(ASKED)} - {"deadline_ms"}
    readers = {pair for scope, _ in OTHERWISE.values() for pair in _parts(scope) if pair not in _parts(US)}
    assert {name for name, _ in readers} >= {"person", "rank", "stores", "agents"}


def _parts(value: Any) -> set[tuple[str, str]]:
    return {(name, repr(getattr(value, name))) for name in value.__slots__}


async def test_how_long_one_would_wait_makes_no_difference(replicas: Replicas) -> None:
    contexts = replicas.one()
    await contexts.serve(US, ASKED)
    await contexts.serve(US, replace(ASKED, deadline_ms=250))
    assert replicas.read.entered == 1


async def test_a_warm_cache_does_not_answer_for_a_database_that_is_away(replicas: Replicas) -> None:
    class Away(InMemoryDirectory):
        async def generations(self, *_: object) -> Any:
            raise Unavailable("database_unavailable", "away")

    await replicas.one().serve(US, ASKED)
    recall = Recall(replicas.read, Questions(None, missed=False), replicas.clock)
    contexts = Contexts(recall, Away(replicas.kept), replicas.cache, replicas.book, replicas.clock)
    with pytest.raises(Unavailable):
        await contexts.serve(US, ASKED)


async def test_what_is_being_made_is_finished_before_the_end(replicas: Replicas) -> None:
    contexts = replicas.one()
    replicas.read.opened.clear()
    asking = asyncio.create_task(contexts.serve(US, ASKED))
    await until(lambda: replicas.read.entered == 1)
    asking.cancel()
    closing = asyncio.create_task(contexts.close())
    await asyncio.sleep(0)
    assert not closing.done()
    replicas.read.opened.set()
    await closing
    assert replicas.cache.asked == 1
    assert UserSubject("alice") in replicas.kept.states["us"].generations
