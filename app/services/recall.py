"""The memory block for the next prompt."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.domain.affinity import CATEGORIES, tool_affinities
from app.domain.archive import Archive
from app.domain.block import NOTHING_NEAR, Block, TierTokens, compose
from app.domain.errors import Invalid, NotFound, Unavailable
from app.domain.experiment import Arm, arm_of
from app.domain.facts import Fact
from app.domain.organisations import OrgSettings, Person
from app.domain.past import PRESENT, Moment
from app.domain.precedence import EVERYTHING, Wanted
from app.domain.rules import Rules
from app.domain.subjects import Scope
from app.domain.tenancy import TenantScope, pockets
from app.ports.clock import Clock
from app.ports.past import View
from app.ports.storage import Storage, UnitOfWork
from app.services.archive import Turn, near, readers
from app.services.finding import Questions, find
from app.services.past import view
from app.services.reach import hears_others, known_person, subjects_about

STRONGEST_OF_A_TIER = 100
"""How many facts of one tier and subject are weighed: more than a whole block can hold."""
STRONGEST_OF_A_KIND = 50
"""How many facts of one kind of behaviour and pocket are weighed."""
MOST_TOOLS = 1000
PATIENCE = 0.4
"""Of the deadline, how much is waited for what the user's turn means; later it is looked for by its words alone."""
EMPTY = Block("", TierTokens(), ())


class Silence(StrEnum):
    """Why a block is empty although nothing failed."""

    DISABLED = "disabled"
    OPTED_OUT = "person_opted_out"


@dataclass(frozen=True, slots=True)
class ContextIn:
    """For which prompt: the agent that will read it, the store it is about, the user's turn, and how much it may hold.

    `since` leaves out of what is near the turn what was said earlier; `moment` is when the memory is read.
    """

    agent_id: str
    store_id: str | None = None
    conversation_id: str | None = None
    query: str = ""
    since: datetime | None = None
    wanted: Wanted = EVERYTHING
    budget_tokens: int | None = None
    deadline_ms: int = 250
    moment: Moment = PRESENT


@dataclass(frozen=True, slots=True)
class Context:
    """What was recalled. `degraded` names what was not ready in time; `of_others` says that what others said was looked
    through too, so that it may change with what they say.

    `rules` are the organisation's, and `arm` says whether a block was to be served at all: None where not even the
    settings were.
    """

    block: Block
    degraded: tuple[str, ...] = field(default=())
    reason: Silence | None = None
    tool_affinities: Mapping[str, float] = field(default_factory=dict)
    of_others: bool = False
    rules: Rules | None = None
    arm: Arm | None = None


@dataclass(slots=True)
class _Read:
    """What is read for a context, tier by tier, as far as it has come; None is not yet."""

    settings: OrgSettings = field(default_factory=OrgSettings)
    rules: Rules | None = None
    arm: Arm | None = None
    silence: Silence | None = None
    facts: Sequence[Fact] | None = None
    archive: Archive | None = None
    lacking: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """What could not be made: the rules, and tiers; and what the archival tier did without."""
        tiers = {"rules": self.rules, "core": self.facts, "working": self.facts, "archival": self.archive}
        return () if self.silence else (*(tier for tier, read in tiers.items() if read is None), *self.lacking)


class Recall:
    """Makes memory blocks."""

    def __init__(self, storage: Storage, questions: Questions, clock: Clock) -> None:
        self._storage = storage
        self._questions = questions
        self._clock = clock

    async def context(self, scope: TenantScope, asked: ContextIn) -> Context:
        """What the reader should know, within the budget and the deadline, and the organisation's rules.

        In the control arm the block is empty, and rules and affinities are as ever; where nothing is to be remembered,
        rules are all there is.
        An unknown person reads an empty memory and is not made. An outage is never an empty memory: it raises
        Unavailable. Of another time it leaves no receipt: a conversation does not stand on it. Raises NotFound for a
        store or a pocket out of reach, Invalid for a time to come, BadRequest where the past cannot be told.
        """
        asked.moment.require_past(self._clock())
        if not scope.reaches_store(asked.store_id) or not scope.reads_pocket(asked.agent_id):
            raise NotFound
        read = _Read(archive=None if asked.query else NOTHING_NEAR)
        await self._read_in_time(scope, asked, read)
        if read.facts is None:
            return Context(EMPTY, read.missing, read.silence, rules=read.rules, arm=read.arm)
        now = asked.moment.instant(self._clock())
        return Context(
            block=EMPTY if read.arm is Arm.CONTROL else _composed(read, scope, asked, now),
            degraded=read.missing,
            tool_affinities=tool_affinities(read.facts, reader=scope, agent_id=asked.agent_id, now=now),
            of_others=bool(asked.query) and hears_others(scope, read.settings),
            rules=read.rules,
            arm=read.arm,
        )

    async def tool_affinities(self, scope: TenantScope, agent_id: str) -> dict[str, float]:
        """By tool: how much the reader's sessions speak for it, or against it; see `domain.affinity`.

        Empty for an unknown person, and where nothing is to be remembered. Raises NotFound for a pocket out of reach.
        """
        if scope.person is None:
            raise Invalid("person_required", "Name the person by user_id or X-User-Id.", (("/user_id", "missing"),))
        if not scope.reads_pocket(agent_id):
            raise NotFound
        async with self._storage.transaction(scope) as uow:
            read = _Read()
            await _settings(uow, scope, read)
            if read.silence is not None:
                return {}
            records = await uow.facts.behaviour(scope.person, pockets(agent_id), MOST_TOOLS, CATEGORIES)
        facts = [record.fact for record in records]
        return tool_affinities(facts, reader=scope, agent_id=agent_id, now=self._clock())

    async def _read_in_time(self, scope: TenantScope, asked: ContextIn, read: _Read) -> None:
        """Read as far as the deadline lets, or the database. Raises Unavailable when that is nowhere."""
        reading = asyncio.ensure_future(self._read(scope, asked, read))
        done, _ = await asyncio.wait({reading}, timeout=asked.deadline_ms / 1000)
        if not done:
            reading.cancel()
            return
        try:
            reading.result()
        except Unavailable:
            if read.facts is None:
                raise

    async def _read(self, scope: TenantScope, asked: ContextIn, read: _Read) -> None:
        """Read the tiers one after the other, those that matter most first."""
        async with self._storage.transaction(scope) as uow:
            person = await _settings(uow, scope, read)
            read.arm = arm_of(read.settings.holdout_share, scope.org_id, asked.conversation_id, scope.person)
            if read.silence is not None:
                return
            then = view(uow, asked.moment)
            if read.arm is Arm.CONTROL:
                read.facts, read.archive = await _shown(then, scope, asked), NOTHING_NEAR
                return
            read.facts = await _candidates(then, scope, asked)
            if read.archive is not None:
                return
            turn = _turn(asked, (person.time_zone if person else None, read.settings.time_zone))
            reach, speakers = await readers(then, scope, read.settings, turn)
        question = await self._questions.ready(asked.query, speakers, asked.deadline_ms / 1000 * PATIENCE)
        async with self._storage.transaction(scope) as uow:
            then = view(uow, asked.moment)
            finding = await find(then, question, reach, turn.since)
            read.archive = await near(then, scope, finding, turn)
            read.lacking = finding.degraded


async def _settings(uow: UnitOfWork, scope: TenantScope, read: _Read) -> Person | None:
    """Read the organisation's settings and rules, and whether it or the person wants no memory; answers the person,
    where they are known.
    """
    found = await uow.organisations.with_rules()
    if found is None:
        raise NotFound
    read.settings, read.rules = found[0].settings, found[1]
    if not read.settings.enabled:
        read.silence = Silence.DISABLED
        return None
    person = await known_person(uow, scope)
    if person is not None and not person.remember:
        read.silence = Silence.OPTED_OUT
    return person


async def _candidates(uow: View, scope: TenantScope, asked: ContextIn) -> Sequence[Fact]:
    subjects = subjects_about(scope, asked.store_id)
    facts = await uow.facts.candidates(subjects, pockets(asked.agent_id), STRONGEST_OF_A_TIER)
    return [*facts, *await _shown(uow, scope, asked)]


async def _shown(uow: View, scope: TenantScope, asked: ContextIn) -> list[Fact]:
    """What sessions show of the person."""
    if scope.person is None:
        return []
    shown = await uow.facts.behaviour(scope.person, pockets(asked.agent_id), STRONGEST_OF_A_KIND)
    return [record.fact for record in shown]


def _composed(read: _Read, scope: TenantScope, asked: ContextIn, now: datetime) -> Block:
    return compose(
        read.facts or (),
        reader=scope,
        agent_id=asked.agent_id,
        language=read.settings.language,
        now=now,
        budget=read.settings.budgets.budgets(asked.budget_tokens),
        wanted=asked.wanted,
        archive=read.archive or NOTHING_NEAR,
    )


def _turn(asked: ContextIn, zones: tuple[str | None, ...]) -> Turn:
    """The user's turn. Messages carry no tags: where some are asked for, no message is meant."""
    return Turn(
        query=asked.query,
        agent_id=asked.agent_id,
        store_id=asked.store_id,
        conversation_id=asked.conversation_id,
        scopes=asked.wanted.scopes or frozenset(Scope),
        with_messages=not asked.wanted.tags,
        since=asked.since,
        zones=zones,
    )
