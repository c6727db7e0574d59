"""The memory block: the text that goes into a prompt, chosen tier by tier within its budget."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar

from app.domain.archive import Archive, PastMessage, near_facts, quotable
from app.domain.block_wording import WORDINGS, Group, Wording
from app.domain.budget import Budgets
from app.domain.decay import Tier
from app.domain.facts import Fact
from app.domain.observations import FactCategory
from app.domain.organisations import Language
from app.domain.precedence import EVERYTHING, Wanted, is_watch, prevailing
from app.domain.quoting import one_line, quoted
from app.domain.subjects import Scope
from app.domain.tenancy import TenantScope
from app.domain.tokens import estimate


class BlockTier(StrEnum):
    """Which budget pays for a line."""

    CORE = "core"
    WORKING = "working"
    ARCHIVAL = "archival"


T = TypeVar("T")
NOTHING_NEAR = Archive()
_ENOUGH_MISSES = 50
"""After so many things in a row for which there is no room, a tier is taken for full."""
_GROUPS = {Scope.USER: Group.PERSON, Scope.STORE: Group.STORE, Scope.ORG: Group.ORGANISATION}
_HABITS = {
    FactCategory.TOOL_AFFINITY: Group.TOOLS,
    FactCategory.ENTITY_FREQUENCY: Group.ENTITIES,
    FactCategory.DOMAIN_PREFERENCE: Group.DOMAINS,
    FactCategory.TOOL_AVOIDANCE: Group.ISSUES,
    FactCategory.FAILURE_PATTERN: Group.ISSUES,
}
"""Where what sessions show is told, by the kind of its key."""


@dataclass(frozen=True, slots=True)
class TierTokens:
    """What each tier costs in the text as sent. The frame and a heading are paid by the first line that needs them."""

    core: int = 0
    working: int = 0
    archival: int = 0

    @property
    def total(self) -> int:
        """The estimate for the whole text."""
        return self.core + self.working + self.archival


@dataclass(frozen=True, slots=True)
class Served:
    """A fact that stands in the block, with the tier that paid for it and what it weighed at the time."""

    fact: Fact
    tier: BlockTier
    score: float


@dataclass(frozen=True, slots=True)
class Block:
    """The text for the prompt, empty where there is nothing to say, the facts in it, most important first, and the
    messages that it quotes, nearest first.
    """

    text: str
    tokens: TierTokens
    served: tuple[Served, ...]
    quoted: tuple[PastMessage, ...] = ()


def compose(
    candidates: Iterable[Fact],
    *,
    reader: TenantScope,
    agent_id: str,
    language: Language,
    now: datetime,
    budget: Budgets,
    wanted: Wanted = EVERYTHING,
    archive: Archive = NOTHING_NEAR,
) -> Block:
    """The block for one reader out of the facts within reach of their request, and what was found near their turn.

    Never over budget, in any tier; what is too large for what is left is passed over whole. The same memory in any
    order gives the same text, and so does another instant, as long as all that is served still fits. What sessions show
    of the reader stands in sections of its own, within its share of the working tier, the strongest × most often first.
    """
    known = {fact.id: fact for fact in (*candidates, *archive.rows)}.values()
    standing = prevailing(known, reader=reader, agent_id=agent_id, now=now)
    standing.sort(key=lambda fact: (not fact.pinned, -fact.weight(now), fact.ref.key, fact.id))
    shown, stated = _parted(fact for fact in standing if wanted.admits(fact, now))
    page = _Page(WORDINGS[language])
    core = page.fill(filter(_is_core, stated), budget.core)
    core_tokens = estimate(page.text())
    in_core = {fact.id for fact in core}
    whole = budget.core + budget.working
    habits = page.fill(shown, min(budget.behaviour, whole - page.spent))
    working = page.fill((fact for fact in stated if fact.id not in in_core), whole - page.spent)
    tokens = estimate(page.text())
    near = page.fill(near_facts(archive, stated, core + working), budget.total - page.spent)
    past = page.quote(quotable(archive, standing, core + working + near), budget.total - page.spent)
    text = page.text()
    tiers = {BlockTier.CORE: core, BlockTier.WORKING: working + habits, BlockTier.ARCHIVAL: near}
    served = tuple(Served(fact, tier, fact.weight(now)) for tier, facts in tiers.items() for fact in facts)
    return Block(text, TierTokens(core_tokens, tokens - core_tokens, estimate(text) - tokens), served, tuple(past))


def _parted(facts: Iterable[Fact]) -> tuple[list[Fact], list[Fact]]:
    """What sessions show, and what was stated, each in the order given."""
    shown, stated = list[Fact](), list[Fact]()
    for fact in facts:
        (shown if fact.behaviour else stated).append(fact)
    return shown, stated


def _is_core(fact: Fact) -> bool:
    return fact.pinned or fact.traits.tier is Tier.IDENTITY or fact.corrected


def _group(fact: Fact) -> Group:
    if fact.behaviour is not None:
        return _HABITS[FactCategory(fact.ref.key.partition(":")[0])]
    return Group.WATCH if is_watch(fact) else _GROUPS[fact.ref.subject.scope]


def _entry(fact: Fact) -> "_Entry":
    key = "" if fact.behaviour is not None else f"{one_line(fact.ref.key)}: "
    told = fact.summary or fact.content if fact.behaviour is not None else fact.content
    return _Entry(_group(fact), (fact.ref.key, str(fact.id)), f"- {key}{quoted(told)}\n")


def _quotation(past: PastMessage) -> "_Entry":
    said = f"{past.day.isoformat()}, {one_line(past.author)}" if past.author else past.day.isoformat()
    place = (past.message.sent_at.astimezone(UTC).isoformat(), str(past.message.id))
    return _Entry(Group.MESSAGES, place, f"- {said}: {quoted(past.excerpt)}\n")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line, the group in which it stands, and where in it."""

    group: Group
    place: tuple[str, str]
    line: str


@dataclass(slots=True)
class _Page:
    """A block in the making; `spent` counts line by line, so that it is never less than the text costs."""

    wording: Wording
    groups: dict[Group, list[tuple[tuple[str, str], str]]] = field(default_factory=dict)
    spent: int = 0

    def fill(self, facts: Iterable[Fact], budget: int) -> list[Fact]:
        """Take the facts that still fit into `budget` more tokens; the ones taken, in the order given."""
        return self._take(facts, _entry, budget)

    def quote(self, messages: Iterable[PastMessage], budget: int) -> list[PastMessage]:
        """As `fill`, for messages."""
        return self._take(messages, _quotation, budget)

    def _take(self, things: Iterable[T], show: Callable[[T], _Entry], budget: int) -> list[T]:
        limit, misses = self.spent + budget, 0
        taken = []
        for thing in things:
            entry = show(thing)
            cost = estimate(entry.line) + self._opened(entry.group)
            if self.spent + cost > limit:
                misses += 1
                if misses == _ENOUGH_MISSES:
                    break
                continue
            misses = 0
            self.spent += cost
            self.groups.setdefault(entry.group, []).append((entry.place, entry.line))
            taken.append(thing)
        return taken

    def _opened(self, group: Group) -> int:
        """What it costs to have the group on the page."""
        frame = 0 if self.groups else estimate(self.wording.opening) + estimate(self.wording.closing)
        return frame + (0 if group in self.groups else estimate(self.wording.titles[group]))

    def text(self) -> str:
        """The page as sent: groups in their order, facts by key, messages by time; empty without a line."""
        return "".join(self._lines()) if self.groups else ""

    def _lines(self) -> Iterator[str]:
        yield self.wording.opening
        for group in Group:
            if group in self.groups:
                yield self.wording.titles[group]
                yield from (line for _, line in sorted(self.groups[group]))
        yield self.wording.closing
