"""A fact: a belief with a key, a value, a confidence and a past. `app.domain.fold` makes them from their sources."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.domain import decay
from app.domain.behaviour import Behaviour
from app.domain.notes import CATEGORY, summary
from app.domain.sources import MessageRef, Reason, Relation, Traits, Trust
from app.domain.subjects import KeyRef
from app.domain.tenancy import Actor
from app.domain.tiers import TIERS, Fading
from app.domain.values import JsonValue


@dataclass(frozen=True, slots=True)
class Provenance:
    """The source that opened a row, as callers are told of it."""

    author: Actor
    relation: Relation
    reason: Reason | None
    message: MessageRef | None


@dataclass(frozen=True, slots=True)
class Fact:
    """One row of a key's fold. Times are the sources' own; confidences in (0, 1]; half-lives in days.

    `newer_rivals` counts the live rows of the same key with another value that were said later; `contradicted` is
    true while any live rival stands, older ones too. `by_hand` shields the row from what is said in a chat. `behaviour`
    is there for what observations show; such a fact fades by its policy, not by its tier. `merged_into` names the row
    of the same meaning that counts for this one too. `own_fading` is there where the organisation's numbers for the
    tier were not the usual ones when the row was last written. `opposed` names the believed rows of other keys that it
    cannot hold with; they count among its rivals.
    """

    id: UUID
    ref: KeyRef
    value: JsonValue
    normal: str
    content: str
    language: str
    traits: Traits
    trust: Trust
    by_hand: bool
    confirmation_count: int
    source: Provenance
    created_at: datetime
    last_reinforced_at: datetime
    valid_from: datetime
    valid_to: datetime | None = None
    pinned: bool = False
    archived_at: datetime | None = None
    superseded_by: UUID | None = None
    newer_rivals: int = 0
    contradicted: bool = False
    behaviour: Behaviour | None = None
    merged_into: UUID | None = None
    own_fading: Fading | None = None
    opposed: tuple[UUID, ...] = ()

    @property
    def live(self) -> bool:
        """Whether the row is believed: neither archived nor superseded nor merged away."""
        return self.archived_at is None

    @property
    def half_life_days(self) -> float | None:
        """The row's own half-life, else its policy's or its tier's; None does not decay."""
        named = self.behaviour.half_life_days if self.behaviour else self.fading.half_life_days
        return self.traits.half_life_days or named

    @property
    def fading(self) -> Fading:
        """How a fact of its tier fades in this organisation."""
        return self.own_fading or TIERS[self.traits.tier].fading

    @property
    def policy(self) -> str:
        """The name of the decay policy in force."""
        if self.behaviour is not None:
            return self.behaviour.policy
        return "none" if self.half_life_days is None else "tier"

    @property
    def ease(self) -> float | None:
        """How much slower than usual the row fades; None where its policy knows no ease."""
        known = self.behaviour
        return known.ease if known is not None and known.policy is decay.Policy.ADAPTIVE else None

    @property
    def reinforcement_count(self) -> int:
        """How many sessions show it; 0 for what was stated."""
        return self.behaviour.reinforcement_count if self.behaviour else 0

    @property
    def rank(self) -> float:
        """See `decay.rank`; of behaviour, strength counts as often as it was reinforced."""
        times = self.behaviour.weight if self.behaviour else 0.0
        return times + decay.rank(
            self.traits.confidence, self.half_life_days, self.last_reinforced_at, self.newer_rivals
        )

    @property
    def fades_at(self) -> datetime | None:
        """When the score falls under the archiving line, or behaviour's strength under the expiry line.

        A pinned row never does.
        """
        if self.pinned:
            return None
        rivals, line = (0, decay.EXPIRE_BELOW) if self.behaviour else (self.newer_rivals, self.fading.archive_below)
        return decay.fades_at(self.traits.confidence, self.half_life_days, self.last_reinforced_at, rivals, line)

    def strength(self, now: datetime) -> float:
        """See `decay.strength`."""
        return decay.strength(self.traits.confidence, self.half_life_days, self.last_reinforced_at, now)

    def score(self, now: datetime) -> float:
        """See `decay.score`."""
        return decay.score(self.strength(now), self.newer_rivals)

    def weight(self, now: datetime) -> float:
        """What orders the block: the score, or of behaviour strength × reinforcement count."""
        return self.strength(now) * self.reinforcement_count if self.behaviour else self.score(now)

    @property
    def summary(self) -> str | None:
        """Of a note: what it says in one line, which is what a block quotes of it."""
        return summary(self.content) if self.traits.category == CATEGORY else None

    @property
    def corrected(self) -> bool:
        """Whether the row stands on a person's putting the assistant right."""
        return self.source.reason is Reason.CORRECTION
