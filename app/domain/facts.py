"""A fact: a belief with a key, a value, a confidence and a past. `app.domain.fold` makes them from their sources."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.domain import decay
from app.domain.sources import MessageRef, Reason, Relation, Traits, Trust
from app.domain.subjects import KeyRef
from app.domain.tenancy import Actor
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
    true while any live rival stands, older ones too. `by_hand` shields the row from what is said in a chat.
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

    @property
    def live(self) -> bool:
        """Whether the row is believed: neither archived nor superseded."""
        return self.archived_at is None

    @property
    def half_life_days(self) -> float | None:
        """The row's own half-life, else its tier's; None does not decay."""
        return self.traits.half_life_days or decay.HALF_LIFE_DAYS[self.traits.tier]

    @property
    def policy(self) -> str:
        """The name of the decay policy in force."""
        return "none" if self.half_life_days is None else "tier"

    @property
    def rank(self) -> float:
        """See `decay.rank`."""
        return decay.rank(self.traits.confidence, self.half_life_days, self.last_reinforced_at, self.newer_rivals)

    @property
    def fades_at(self) -> datetime | None:
        """When the row's score falls under the archiving line; a pinned row never does."""
        if self.pinned:
            return None
        return decay.fades_at(self.traits.confidence, self.half_life_days, self.last_reinforced_at, self.newer_rivals)

    def strength(self, now: datetime) -> float:
        """See `decay.strength`."""
        return decay.strength(self.traits.confidence, self.half_life_days, self.last_reinforced_at, now)

    def score(self, now: datetime) -> float:
        """See `decay.score`."""
        return decay.score(self.strength(now), self.newer_rivals)

    @property
    def corrected(self) -> bool:
        """Whether the row stands on a person's putting the assistant right."""
        return self.source.reason is Reason.CORRECTION
