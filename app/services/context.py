"""Serving the memory block: one answer for all who ask alike, for as long as nothing that they are served has changed.

Postgres says in which generation a memory stands, and who may read it; the cache only spares the reading.
"""

import asyncio
import json
from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from app.domain.block import BlockTier, TierTokens
from app.domain.experiment import Arm
from app.domain.generations import Generations
from app.domain.identifiers import uuid7
from app.domain.messages import Speaker
from app.domain.receipts import Receipt
from app.domain.subjects import Scope
from app.domain.tenancy import TenantScope
from app.ports.cache import Cache
from app.ports.clock import Clock
from app.ports.receipts import ReceiptBook
from app.ports.storage import Directory
from app.services.finding import VECTORS_OFF
from app.services.recall import Context, ContextIn, Recall, Silence

KEEP_SECONDS: Final = 60
"""How long an answer is kept, and as of how late it may be: scores move with time."""
CLAIM_MS: Final = 250
LONGEST_WAIT: Final = 0.1
"""Seconds for which one replica waits for what another one is making, and never more than half of its deadline."""
BETWEEN_LOOKS: Final = 0.01


@dataclass(frozen=True, slots=True)
class ServedFact:
    """A fact that stands in the block."""

    id: UUID
    scope: Scope
    key: str
    content: str
    score: float
    tier: BlockTier


@dataclass(frozen=True, slots=True)
class QuotedMessage:
    """A message that the block quotes; `content` is what is quoted of it."""

    id: str
    conversation_id: str
    channel: str
    speaker: Speaker
    content: str
    sent_at: datetime
    score: float


@dataclass(frozen=True, slots=True)
class ServedRules:
    """The organisation's rules, to the byte, and which version they are."""

    markdown: str
    version: int


@dataclass(frozen=True, slots=True)
class ContextAnswer:
    """All that is answered but the receipt: what is kept for the next who asks alike."""

    block: str
    tokens: TierTokens
    facts: tuple[ServedFact, ...]
    messages: tuple[QuotedMessage, ...]
    tool_affinities: Mapping[str, float]
    degraded: tuple[str, ...]
    reason: Silence | None
    rules: ServedRules | None
    arm: Arm | None

    @classmethod
    def of(cls, context: Context) -> "ContextAnswer":
        """What is told of it."""
        block, rules = context.block, context.rules
        served = [(one.fact, one) for one in block.served]
        quoted = [(past.message, past) for past in block.quoted]
        return cls(
            block=block.text,
            tokens=block.tokens,
            facts=tuple(
                ServedFact(fact.id, fact.ref.subject.scope, fact.ref.key, fact.content, one.score, one.tier)
                for fact, one in served
            ),
            messages=tuple(
                QuotedMessage(
                    said.message_id,
                    said.conversation_id,
                    said.channel,
                    said.speaker,
                    past.excerpt,
                    said.sent_at,
                    past.score,
                )
                for said, past in quoted
            ),
            tool_affinities=context.tool_affinities,
            degraded=context.degraded,
            reason=context.reason,
            rules=ServedRules(rules.markdown, rules.version) if rules else None,
            arm=context.arm,
        )


@dataclass(frozen=True, slots=True)
class Served:
    """One answer, and under which receipt it was served."""

    receipt_id: UUID
    context: ContextAnswer


class Contexts:
    """Serves memory blocks."""

    def __init__(self, recall: Recall, directory: Directory, cache: Cache, receipts: ReceiptBook, clock: Clock) -> None:
        self._recall = recall
        self._directory = directory
        self._cache = cache
        self._receipts = receipts
        self._clock = clock
        self._making: dict[tuple[str, str, int], asyncio.Task[ContextAnswer]] = {}

    async def serve(self, scope: TenantScope, asked: ContextIn) -> Served:
        """What `Recall.context` recalls, with whatever was written before this was asked, on any replica.

        Those who ask alike at once wait for one recalling; only what is complete is kept for the next. Raises as
        `Recall.context`, and Unavailable, whatever the cache may hold, when the database is away.
        """
        until = asyncio.get_running_loop().time() + asked.deadline_ms / 1000
        generations = await self._directory.generations(scope.org_id, asked.store_id, scope.person)
        name = _name(scope, asked, generations, self._clock())
        place = scope.org_id, name, asked.deadline_ms
        if place not in self._making:
            made = asyncio.create_task(self._found_or_made(scope, asked, name, until))
            self._making[place] = made
            made.add_done_callback(lambda task: self._made(place, task))
        # Whoever goes away meanwhile takes nothing from the others, and cuts no call to the cache.
        answer = await asyncio.shield(self._making[place])
        served = Served(uuid7(), answer)
        if answer.facts and asked.moment.is_present:
            self._receipts.note(scope, _receipt(served, scope, asked, self._clock()))
        return served

    async def close(self) -> None:
        """What is being made is finished."""
        await asyncio.gather(*self._making.values(), return_exceptions=True)

    def _made(self, place: tuple[str, str, int], task: asyncio.Task[ContextAnswer]) -> None:
        del self._making[place]
        if not task.cancelled():
            task.exception()  # seen, also when nobody waits for it any more

    async def _found_or_made(self, scope: TenantScope, asked: ContextIn, name: str, until: float) -> ContextAnswer:
        kept = await self._cache.get(scope, name, ContextAnswer)
        if kept is None and not await self._cache.claim(scope, name, CLAIM_MS):
            kept = await self._made_elsewhere(scope, name, until)
        if kept is not None:
            return kept
        context = await self._recall.context(scope, replace(asked, deadline_ms=max(1, int(_left(until) * 1000))))
        answer = ContextAnswer.of(context)
        if (
            set(context.degraded) - {VECTORS_OFF} or context.of_others
        ):  # what others say raises no number of the reader's
            await self._cache.release(scope, name)
        else:
            await self._cache.put(scope, name, answer, KEEP_SECONDS)
        return answer

    async def _made_elsewhere(self, scope: TenantScope, name: str, until: float) -> ContextAnswer | None:
        """What another replica is making, if it is there in time."""
        enough = _left(until) - min(LONGEST_WAIT, _left(until) / 2)
        while _left(until) > enough:
            await asyncio.sleep(BETWEEN_LOOKS)
            kept = await self._cache.get(scope, name, ContextAnswer)
            if kept is not None:
                return kept
        return None


def _left(until: float) -> float:
    return until - asyncio.get_running_loop().time()


def _name(scope: TenantScope, asked: ContextIn, generations: Generations, now: datetime) -> str:
    """All that an answer depends on, but its organisation; not on how long somebody would wait for it."""
    reader = {"person": scope.person, "rank": scope.rank, "stores": scope.stores, "agents": scope.agents}
    told = [asdict(generations), int(now.timestamp()) // KEEP_SECONDS, reader, asdict(replace(asked, deadline_ms=0))]
    return json.dumps(told, default=_plain, sort_keys=True)


def _plain(value: Any) -> Any:
    """What JSON has no word for; a set in one order, whichever process tells it."""
    return sorted(map(str, value)) if isinstance(value, Set) else str(value)


def _receipt(served: Served, scope: TenantScope, asked: ContextIn, now: datetime) -> Receipt:
    return Receipt(
        receipt_id=served.receipt_id,
        agent_id=asked.agent_id,
        fact_ids=tuple(fact.id for fact in served.context.facts),
        created_at=now,
        user_id=scope.person,
        store_id=asked.store_id,
        conversation_id=asked.conversation_id,
    )
