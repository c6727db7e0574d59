"""What was said before, near the user's turn, and what became of it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.domain.archive import Archive, PastMessage, Stated
from app.domain.bm25 import matches
from app.domain.facts import Fact
from app.domain.messages import Message
from app.domain.organisations import OrgSettings
from app.domain.search import DocumentKind, Shelf
from app.domain.subjects import Scope
from app.domain.tenancy import TenantScope, pockets
from app.ports.past import View
from app.services.finding import Answers, Finding, answers, names
from app.services.reach import shelves, subjects_about

FACTS_LOOKED_AT = 20
MESSAGES_AT_A_TIME = 20
MESSAGES_LOOKED_AT = 200
ENOUGH_MESSAGES = 10
"""So many of other conversations, of which some may turn out not to be quotable."""
RELATED = 0.5
"""Nearness in meaning from which something is about the same."""
SEVERAL_WORDS = 4
"""A question of so many words is not answered by one of them alone."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The user's turn, and where it is said; what is near it is looked for. `zones` are the reader's, nearest first."""

    query: str
    agent_id: str
    store_id: str | None
    conversation_id: str | None
    scopes: frozenset[Scope]
    with_messages: bool
    since: datetime | None
    zones: tuple[str | None, ...]

    def admits(self, fact: Fact) -> bool:
        """Whether the fact is of the time asked for."""
        return self.since is None or fact.last_reinforced_at >= self.since


async def readers(
    uow: View, scope: TenantScope, settings: OrgSettings, turn: Turn
) -> tuple[Sequence[Shelf], Mapping[str, str | None]]:
    """The shelves on which the caller may be served what is near the turn, and the names of those who speak there."""
    kinds = (DocumentKind.FACT, DocumentKind.MESSAGE) if turn.with_messages else (DocumentKind.FACT,)
    reach = await shelves(uow, scope, settings, turn.agent_id, turn.store_id, kinds, turn.scopes)
    return reach, await names(uow, reach)


async def near(uow: View, scope: TenantScope, finding: Finding, turn: Turn) -> Archive:
    """The facts and messages near the turn that the caller may be served, with all rows of the keys that they touch."""
    found = await answers(uow, finding, (DocumentKind.MESSAGE,), turn.since) if turn.with_messages else Answers()
    facts, messages = _nearest(finding, DocumentKind.FACT), _nearest(finding, DocumentKind.MESSAGE)
    close = [each for each in found.scores if each in messages and each not in found.disowned]
    said = await _elsewhere(uow, close, turn.conversation_id)
    states = await stated(uow, said)
    fact_ids, labels = list(facts)[:FACTS_LOOKED_AT], finding.labels
    keys = {labels[fact_id] for fact_id in fact_ids}
    keys |= {ref.key for each in states.values() for ref, _ in each}
    rows = await uow.facts.across(subjects_about(scope, turn.store_id), pockets(turn.agent_id), keys) if keys else []
    by_id = {row.id: row for row in rows}
    return Archive(
        facts=tuple(by_id[fact_id] for fact_id in fact_ids if fact_id in by_id and turn.admits(by_id[fact_id])),
        messages=tuple(_past(message, found.scores[message.id], states, scope, turn) for message in said),
        rows=tuple(rows),
    )


async def stated(uow: View, messages: Sequence[Message]) -> Mapping[UUID, Sequence[Stated]]:
    """What each of the messages states, by its id."""
    if not messages:
        return {}
    ids = {(message.conversation_id, message.message_id): message.id for message in messages}
    states: defaultdict[UUID, list[Stated]] = defaultdict(list)
    for ref, source in await uow.sources.stated_by([message.ref for message in messages]):
        if source.message is not None:
            place = source.message.conversation_id, source.message.message_id
            states[ids[place]].append((ref, source.normal))
    return states


async def lapsed(uow: View, messages: Sequence[Message]) -> frozenset[UUID]:
    """Those of the messages that state something believed no more, neither by itself nor by what it was merged into."""
    states = await stated(uow, messages)
    refs = {ref for each in states.values() for ref, _ in each}
    rows: list[Fact] = []
    for subject in {ref.subject for ref in refs}:
        rows += await uow.facts.of_keys([ref for ref in refs if ref.subject == subject])
    merged = [row.merged_into for row in rows if row.merged_into is not None]
    heirs = (
        {heir.id for heir in await uow.facts.among(merged, list({ref.subject for ref in refs}))} if merged else set()
    )
    believed = {(row.ref, row.normal) for row in rows if row.live or row.merged_into in heirs}
    return frozenset(place for place, each in states.items() if not believed.issuperset(each))


def _nearest(finding: Finding, kind: DocumentKind) -> dict[UUID, float]:
    """The documents of the kind that are near, with how near they are, nearest first; of equals the newest first.

    Near is what holds a word of the question, or two of several, and answers it at least half as well as the nearest;
    and what is related in meaning, which for all models is half of the way to the same.
    """
    words, indexed = finding.found.words, finding.indexed(kind)
    held, enough = matches(words, indexed), 1 if len(words) < SEVERAL_WORDS else 2
    lexical = {each: share for each, share in finding.lexical(kind).items() if held[each] >= enough}
    least = max(lexical.values(), default=0.0) / 2
    related = {each for each, nearness in finding.vector(kind).items() if nearness >= RELATED}
    close = {each for each, share in lexical.items() if share >= least} | related
    why = finding.why(kind)
    return {
        each: why[each].relevance for each in sorted(close, key=lambda one: (why[one].relevance, one), reverse=True)
    }


async def _elsewhere(uow: View, ids: Sequence[UUID], conversation_id: str | None) -> list[Message]:
    """The first of these messages that were said in other conversations."""
    said: list[Message] = []
    for start in range(0, min(len(ids), MESSAGES_LOOKED_AT), MESSAGES_AT_A_TIME):
        batch = ids[start : start + MESSAGES_AT_A_TIME]
        read = {message.id: message for message in await uow.messages.get(batch)}
        there = (read[each] for each in batch if each in read)
        said += [message for message in there if message.conversation_id != conversation_id]
        if len(said) >= ENOUGH_MESSAGES:
            break
    return said[:MESSAGES_AT_A_TIME]


def _past(
    message: Message, score: float, states: Mapping[UUID, Iterable[Stated]], scope: TenantScope, turn: Turn
) -> PastMessage:
    author = None if message.user_id == scope.person else message.user_id
    day = message.local_time(*turn.zones).date()
    return PastMessage(message, score, day, tuple(states.get(message.id, ())), author)
