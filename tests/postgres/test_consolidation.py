"""Consolidation by many at once, hanging, and against erasure: on real connections and in real processes."""

import asyncio
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.embedded.roles import DatabaseUrls
from app.adapters.postgres.storage import PostgresStorage, make_engine
from app.container import utc_now
from app.domain.errors import Unavailable
from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.observations import Observation, ObservationType
from app.domain.organisations import Person
from app.domain.sources import MessageRef
from app.domain.tenancy import ATLAS, Actor, ActorType, TenantScope
from app.ports.storage import UnitOfWork
from app.services.behaviour import forget_found_in
from app.services.consolidation import consolidate
from app.services.folds import Author
from app.services.session_start import SessionIn, SessionStart
from tests.unit.memories import ALICE
from tests.unit.observed import observed

ROOT = Path(__file__).parents[2]
PROCESSES, PEOPLE = 10, 100
Orgs = tuple[TenantScope, str]


@pytest.fixture
async def storage(urls: DatabaseUrls) -> AsyncIterator[PostgresStorage]:
    """With a pool as the service has it."""
    engine = make_engine(urls.serving)
    yield PostgresStorage(engine, b"pepper")
    await engine.dispose()


def happened(
    user_id: str, session: str, kind: ObservationType = ObservationType.TOOL_SUCCESS, **more: Any
) -> Observation:
    now = utc_now()
    made = observed(kind, user_id=user_id, session=session, **more)
    return replace(made, id=uuid7(), occurred_at=now - timedelta(hours=1), recorded_at=now)


async def keep(storage: PostgresStorage, scope: TenantScope, *observations: Observation) -> None:
    async with storage.transaction(scope) as uow:
        for user_id in {one.user_id for one in observations}:
            await uow.people.ensure(Person(user_id, utc_now()))
        await uow.observations.add(observations)


async def facts(storage: PostgresStorage, scope: TenantScope, user_id: str) -> list[Fact]:
    async with storage.transaction(scope) as uow:
        return [one.fact for one in await uow.facts.behaviour(user_id, [ATLAS], 100)]


async def test_ten_processes_reinforce_once_for_each_session(
    storage: PostgresStorage, urls: DatabaseUrls, orgs: Orgs
) -> None:
    scope = orgs[0]
    tools = [{"toolName": f"tool{n}"} for n in range(20)]
    await keep(storage, scope, *(happened("nora", f"s{n}", metadata=tool) for tool in tools for n in range(3)))
    command = (sys.executable, "-m", "tests.postgres.consolidating", urls.serving, scope.org_id, "nora")
    processes = [
        await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=ROOT) for _ in range(PROCESSES)
    ]
    for process in processes:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
    answers = await asyncio.gather(*(process.communicate(b"go\n") for process in processes))

    assert [process.returncode for process in processes] == [0] * PROCESSES
    counted = [tuple(map(int, answer.split())) for answer, _ in answers]
    assert sorted(counted) == [(0, 0)] * (PROCESSES - 1) + [(20, 0)]
    assert [fact.reinforcement_count for fact in await facts(storage, scope, "nora")] == [3] * 20


class Hanging:
    """A storage on which no consolidation gets on until `go` is set."""

    def __init__(self, storage: PostgresStorage) -> None:
        self._storage = storage
        self.go = asyncio.Event()
        self.hung = 0

    @asynccontextmanager
    async def transaction(self, scope: TenantScope) -> AsyncIterator[UnitOfWork]:
        async with self._storage.transaction(scope) as uow:
            uow.consolidations.hold = self._hanging(uow.consolidations.hold)  # type: ignore[method-assign]
            yield uow

    def snapshot(self, scope: TenantScope) -> Any:
        return self._storage.snapshot(scope)

    def _hanging(self, hold: Any) -> Any:
        async def held(user_id: str) -> None:
            self.hung += 1
            await self.go.wait()
            await hold(user_id)

        return held


async def test_a_hanging_consolidation_keeps_no_session_waiting_and_is_done_once_afterwards(
    storage: PostgresStorage, orgs: Orgs
) -> None:
    scope = orgs[0]
    people = [f"person{n}" for n in range(PEOPLE)]
    await keep(storage, scope, *(happened(person, session) for person in people for session in ("s1", "s2")))
    slow = Hanging(storage)
    service = SessionStart(slow, utc_now)

    async def start(person: str) -> float:
        began = time.perf_counter()
        acting = replace(scope, person=person, actor=Actor(ActorType.PERSON, person))
        assert "consolidation" in (await service.start(acting, SessionIn(ATLAS))).degraded
        return time.perf_counter() - began

    rounds = [sorted(await asyncio.gather(*map(start, people))) for _ in range(3)]
    assert min(taken[-2] for taken in rounds) <= 0.55  # of three, for the machine may be busy with something else
    assert 0 < slow.hung < PEOPLE
    slow.go.set()
    async with asyncio.timeout(60):
        while service.under_way:
            await asyncio.sleep(0.01)
    counts = [fact.reinforcement_count for person in people for fact in await facts(storage, scope, person)]
    assert counts == [2] * PEOPLE


async def test_a_consolidation_that_is_stopped_leaves_all_for_the_next(storage: PostgresStorage, orgs: Orgs) -> None:
    scope = replace(orgs[0], person="nora")
    await keep(storage, scope, happened("nora", "s1"))
    slow = Hanging(storage)
    service = SessionStart(slow, utc_now)
    assert (await service.start(scope, SessionIn(ATLAS, deadline_ms=50))).degraded
    await service.close()

    started = await SessionStart(storage, utc_now).start(scope, SessionIn(ATLAS))
    assert (started.outcome.created, len(started.facts)) == (1, 1)


async def test_what_is_erased_while_it_is_consolidated_does_not_survive(storage: PostgresStorage, orgs: Orgs) -> None:
    """Query patterns go with their message, whoever comes first."""
    scope = orgs[0]
    author = Author(ALICE, utc_now())

    async def erase(uow: UnitOfWork) -> None:
        await forget_found_in(uow, [ref], author)
        await uow.observations.delete_found_in([ref])

    async def take(uow: UnitOfWork) -> None:
        await consolidate(uow, person, ALICE, utc_now)

    async def insist(work: Callable[[UnitOfWork], Awaitable[None]]) -> None:
        """As a client does who is told that the database is busy."""
        while True:
            with suppress(Unavailable):
                async with storage.transaction(scope) as uow:
                    await work(uow)
                return

    for turn in range(30):
        person, ref = f"p{turn}", MessageRef("talk", f"erased{turn}", "web")
        await keep(storage, scope, happened(person, "s1", kind=ObservationType.QUERY_PATTERN, message=ref))
        await asyncio.gather(*(insist(work) for work in ((take, erase, take) if turn % 2 else (erase, take, take))))
        assert await facts(storage, scope, person) == []


async def test_the_sessions_index_alone_keeps_a_session_from_counting_twice(
    superuser: AsyncEngine, storage: PostgresStorage, orgs: Orgs
) -> None:
    """Without the hold on the person: the second writer of one session fails, and takes nothing."""
    scope = orgs[0]
    await keep(storage, scope, happened("nora", "s1"))

    class Unheld:
        async def hold(self, user_id: str) -> None: ...

    async def take() -> None:
        async with storage.transaction(scope) as uow:
            uow.consolidations.hold = Unheld().hold  # type: ignore[method-assign]
            await consolidate(uow, "nora", ALICE, utc_now)

    await asyncio.gather(*(take() for _ in range(5)), return_exceptions=True)
    (fact,) = await facts(storage, scope, "nora")
    assert fact.reinforcement_count == 1
