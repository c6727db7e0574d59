"""What a key's fold is made of: sources that state a value, and decisions of people about its rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from app.domain.behaviour import Observed, joined
from app.domain.decay import Tier
from app.domain.tenancy import Actor, Rank
from app.domain.values import JsonValue


class Relation(StrEnum):
    """How a statement stands to what was believed before."""

    STATEMENT = "statement"
    UPDATE = "update"
    CORRECTION = "correction"


class Origin(StrEnum):
    """Where a source comes from. What a person wrote by hand outranks what was said in a chat."""

    MESSAGE = "message"
    HAND = "hand"
    OBSERVATION = "observation"


class Trust(StrEnum):
    """How far the author of a source is trusted: their standing when they said it."""

    CONTACT = "contact"
    MEMBER = "member"
    ADMIN = "admin"

    @classmethod
    def of(cls, rank: Rank) -> "Trust":
        """The trust that goes with a rank; owners count as admins."""
        return cls.CONTACT if rank <= Rank.CONTACT else cls.MEMBER if rank == Rank.MEMBER else cls.ADMIN


class Audience(StrEnum):
    """Who is served a store's or an organisation's fact: its team, or its customers too."""

    TEAM = "team"
    EVERYONE = "everyone"


class Reason(StrEnum):
    """Why a source was made, where that is more than having been said."""

    CORRECTION = "user-correction"
    EDITED = "edited"


@dataclass(frozen=True, slots=True)
class MessageRef:
    """One stored message, by the caller's ids."""

    conversation_id: str
    message_id: str
    channel: str


@dataclass(frozen=True, slots=True)
class Traits:
    """What a fact says of itself beyond its value; a person may change each of these in place."""

    category: str = "general"
    tags: tuple[str, ...] = ()
    tier: Tier = Tier.STANDARD
    half_life_days: float | None = None
    """Days; None takes the tier's own."""
    confidence: float = 0.8
    many: bool = False
    """Whether the key holds several values at once (suppliers, partners)."""
    audience: Audience = Audience.TEAM


def amended(traits: Traits, changes: Mapping[str, Any]) -> Traits:
    """`traits` with the named fields set; enumerations and lists may come as plain JSON.

    Raises ValueError for an unknown tier or audience, TypeError for an unknown field.
    """
    typed = dict(changes)
    if "tier" in typed:
        typed["tier"] = Tier(typed["tier"])
    if "audience" in typed:
        typed["audience"] = Audience(typed["audience"])
    if "tags" in typed:
        typed["tags"] = tuple(typed["tags"])
    return replace(traits, **typed)


@dataclass(frozen=True, slots=True)
class Source:
    """One message, one act by hand, or what one session's observations show, that states a value for a key.

    `at` is the source's own time and orders the fold; `recorded_at` is when the service learnt of it. `replaces`
    names the row that an edit or a correction puts out. `normal` is the value's comparison form. `observed` is there
    for a session's observations alone.
    """

    id: UUID
    at: datetime
    recorded_at: datetime
    origin: Origin
    relation: Relation
    author: Actor
    trust: Trust
    value: JsonValue
    normal: str
    content: str
    language: str
    valid_from: datetime
    traits: Traits = field(default_factory=Traits)
    reason: Reason | None = None
    evidence: str | None = None
    reasoning: str | None = None
    message: MessageRef | None = None
    replaces: UUID | None = None
    observed: Observed | None = None

    @property
    def by_hand(self) -> bool:
        """Whether a person wrote it into the memory directly."""
        return self.origin is Origin.HAND


def extended(known: Source, more: Source) -> Source:
    """One session's source, known from some of its observations, once it has heard more: the latest of both tells.

    It does not matter in which order, or how often, they are heard.
    """
    if known.observed is None or more.observed is None:
        raise ValueError("only what a session's observations show is extended")

    def place(source: Source) -> tuple[datetime, float, str]:
        return source.at, source.observed.quality if source.observed else 0.0, source.content

    ids = joined(known.observed.ids, more.observed.ids)
    told = more if place(more) > place(known) else known
    return replace(
        told,
        id=known.id,
        recorded_at=known.recorded_at,
        valid_from=min(known.valid_from, more.valid_from),
        observed=replace(told.observed or known.observed, ids=ids),
    )


class Verdict(StrEnum):
    """What was decided about one row.

    `end` closes what a deleted row had replaced, so that it stays closed. `fade` is the worker's: it archives a row
    that is under its line at that time, and says nothing of one that a late source has strengthened meanwhile.
    """

    PIN = "pin"
    UNPIN = "unpin"
    ARCHIVE = "archive"
    RESTORE = "restore"
    AMEND = "amend"
    END = "end"
    FADE = "fade"
    SETTLE = "settle"
    MERGE = "merge"
    UNMERGE = "unmerge"
    OVERTAKE = "overtake"
    OPPOSE = "oppose"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision about one row; stands in the same fold as the sources, at its own time.

    `changes` holds what the verdict is made of: the traits that an amendment sets, by field name; the two rows that may
    `both` hold, where a settlement keeps more than the row itself; the row (`into`) and `key` that a merger counts for;
    the mergers that an `unmerge` `undoes`, by id; the row of another key (`other`, `key`) that overtook this one from
    its `valid_from` on, or opposes it, and whether that is the `newer` one. Ids are text.
    """

    id: UUID
    at: datetime
    recorded_at: datetime
    verdict: Verdict
    fact_id: UUID
    author: Actor
    changes: Mapping[str, Any] = field(default_factory=dict)


Entry = Source | Decision


def in_force(entries: Iterable[Entry]) -> list[Entry]:
    """The entries without those that were undone, and without their undoing."""
    known = list(entries)
    undoing = [entry for entry in known if isinstance(entry, Decision) and entry.verdict is Verdict.UNMERGE]
    undone = {UUID(name) for entry in undoing for name in entry.changes.get("undoes", ())}
    undone |= {entry.id for entry in undoing}
    return [entry for entry in known if entry.id not in undone]


def in_time_order(entries: list[Entry]) -> list[Entry]:
    """By time. Of one instant, messages and sessions come before what people did by hand, which keeps the order in
    which it was done; arrival plays no part between two messages, nor between two sessions.
    """

    def place(entry: Entry) -> tuple[datetime, bool, datetime, tuple[str, ...]]:
        if isinstance(entry, Source) and entry.observed is not None:
            return entry.at, False, entry.at, (entry.observed.session, str(entry.id))
        if isinstance(entry, Source) and (message := entry.message) is not None:
            names = (message.conversation_id, message.message_id, entry.normal, str(entry.id))
            return entry.at, False, entry.at, names
        return entry.at, True, entry.recorded_at, (str(entry.id),)

    return sorted(entries, key=place)


def says_many(entry: Entry) -> bool:
    """Whether the entry says that the key holds several values at once; once one does, it holds."""
    return entry.traits.many if isinstance(entry, Source) else bool(entry.changes.get("many"))
