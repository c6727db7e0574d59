"""Session start: a person is consolidated while the caller waits, and no longer than they said they would."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from weakref import WeakValueDictionary

from app.domain.errors import Invalid, NotFound, RetenirError, Unavailable
from app.domain.precedence import faded
from app.domain.tenancy import TenantScope, pockets
from app.ports.clock import Clock
from app.ports.facts import FactRecord
from app.ports.storage import Storage, UnitOfWork
from app.services.consolidation import Outcome, consolidate

STRONGEST_OF_A_KIND = 100
"""How many facts of each kind and pocket are answered."""
AT_ONCE = 4
"""Consolidations of one process that hold a connection: those that hang must leave some to everybody else."""
READERS = 8
"""Calls of one process that read at once: of many, the first are served early, instead of all late."""
MOST_WAITING = 500
"""Calls of one process that are not finished; beyond it nothing is consolidated, and the next call catches up."""
SHARE_FOR_WORK = 0.8
"""Of the deadline; the rest is for the answer's way."""
ATTEMPTS = 4


@dataclass(frozen=True, slots=True)
class SessionIn:
    """Which agent's session starts: its facts are answered. `deadline_ms` is how long the caller waits."""

    agent_id: str
    session_id: str | None = None
    deadline_ms: int = 500


@dataclass(frozen=True, slots=True)
class Started:
    """The facts, strongest × most often first, what the consolidation changed, and when the person was last done.

    `degraded` says why the facts are those of before; the work goes on, or was rolled back whole.
    """

    facts: list[FactRecord]
    outcome: Outcome = field(default_factory=Outcome)
    consolidated_at: datetime | None = None
    degraded: tuple[str, ...] = ()


@dataclass(slots=True)
class _Call:
    """One call under way: for whom, and the facts as they stood, once these are read."""

    scope: TenantScope
    person: str
    asked: SessionIn
    stood: Started | None = None


class SessionStart:
    """Consolidates single people within a deadline. `on_fault` is told of what failed in a way that nobody expects."""

    def __init__(
        self, storage: Storage, clock: Clock, on_fault: Callable[[BaseException], None] = lambda _: None
    ) -> None:
        self._storage = storage
        self._clock = clock
        self._on_fault = on_fault
        self._room = asyncio.Semaphore(AT_ONCE)
        self._readers = asyncio.Semaphore(READERS)
        self._turns: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        self._begun: set[asyncio.Task[Started]] = set()

    async def start(self, scope: TenantScope, asked: SessionIn) -> Started:
        """The person's behavioural facts with all that was observed before, within the deadline.

        Past it, or when consolidating fails, they are answered as they stood; where not even these could be read in
        time there are none, and that is said. An unknown person has none and is not made. Raises NotFound for a pocket
        out of reach, Unavailable in an outage and when far too many ask.
        """
        if scope.person is None:
            raise Invalid("person_required", "Name the person by user_id or X-User-Id.", (("/user_id", "missing"),))
        if not scope.reads_pocket(asked.agent_id):
            raise NotFound
        if len(self._begun) >= 2 * MOST_WAITING:
            raise Unavailable("overloaded", "Too many sessions start at once; try again.", retry_after=1)
        call = _Call(scope, scope.person, asked)
        work = self._begin(call)
        await asyncio.wait({work}, timeout=asked.deadline_ms / 1000 * SHARE_FOR_WORK)
        failed = work.done() and (work.cancelled() or work.exception() is not None)
        if work.done() and not failed:
            return work.result()
        if call.stood is not None:
            return replace(call.stood, degraded=("consolidation",))
        return work.result() if failed else Started([], degraded=("facts", "consolidation"))

    @property
    def under_way(self) -> int:
        """How many calls are not finished, answered or not."""
        return len(self._begun)

    async def close(self) -> None:
        """What is under way is rolled back; nothing is lost, for what is not marked is taken another time."""
        for task in self._begun:
            task.cancel()
        await asyncio.gather(*self._begun, return_exceptions=True)

    def _begin(self, call: _Call) -> asyncio.Task[Started]:
        """The work, which nobody's leaving stops."""
        task = asyncio.create_task(self._work(call, full=len(self._begun) >= MOST_WAITING))
        self._begun.add(task)
        task.add_done_callback(self._ended)
        return task

    async def _work(self, call: _Call, *, full: bool) -> Started:
        """Read how things stand, and consolidate where there is something to; after others for the same person."""
        due, call.stood = await self._stood(call)
        if not due:
            return call.stood
        if full:
            return replace(call.stood, degraded=("consolidation",))
        turn = self._turns.setdefault((call.scope.org_id, call.person), asyncio.Lock())
        async with turn, self._room:
            return await self._consolidate(call)

    async def _stood(self, call: _Call) -> tuple[bool, Started]:
        """Whether there is something to consolidate, and the facts as they stand."""
        now = self._clock()
        async with self._readers, self._storage.transaction(call.scope) as uow:
            progress = await uow.consolidations.progress(call.person, now)
            if not progress.remembered:
                return False, Started([])
            facts = await _facts(uow, call, now)
        done_at = progress.checkpoint.consolidated_at if progress.checkpoint else None
        return progress.due, Started(facts, consolidated_at=done_at)

    async def _consolidate(self, call: _Call) -> Started:
        """In as many transactions as it takes. Whoever has to wait too long for another process tries again."""
        done, attempts = Started([], Outcome(more=True)), 0
        while done.outcome.more:
            try:
                async with self._storage.transaction(call.scope) as uow:
                    asked = call.asked
                    later = await consolidate(uow, call.person, call.scope.actor, self._clock, asked.session_id)
                    facts = [] if later.more else await _facts(uow, call, self._clock())
            except Unavailable:
                attempts += 1
                if attempts == ATTEMPTS:
                    raise
            else:
                done = Started(facts, done.outcome.then(later), later.at)
        return done

    def _ended(self, task: asyncio.Task[Started]) -> None:
        self._begun.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, RetenirError):
            self._on_fault(error)


async def _facts(uow: UnitOfWork, call: _Call, now: datetime) -> list[FactRecord]:
    """What sessions show of the person, as the agent reads it."""
    records = await uow.facts.behaviour(call.person, pockets(call.asked.agent_id), STRONGEST_OF_A_KIND)
    live = [record for record in records if not faded(record.fact, now)]
    return sorted(live, key=lambda record: (-record.fact.weight(now), record.fact.ref.key, record.fact.id))
