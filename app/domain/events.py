"""The audit trail: one event for each change of state, told from the rows before and after."""

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.sources import Reason, Relation
from app.domain.subjects import Scope, Subject
from app.domain.tenancy import Actor
from app.domain.values import JsonValue


class EventKind(StrEnum):
    """What changed. The names are a promise to callers."""

    CREATED = "created"
    CONFIRMED = "confirmed"
    REINFORCED = "reinforced"
    CONTRADICTED = "contradicted"
    CORRECTED = "corrected"
    UPDATED = "updated"
    SUPERSEDED = "superseded"
    EDITED = "edited"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    ARCHIVED = "archived"
    RESTORED = "restored"
    MERGED = "merged"
    UNMERGED = "unmerged"
    SETTLED = "settled"
    OPPOSED = "opposed"
    EXPIRED = "expired"
    DELETED = "deleted"
    ERASED = "erased"
    EXPORTED = "exported"
    IMPORTED = "imported"
    RULES_CHANGED = "rules_changed"
    SETTINGS_CHANGED = "settings_changed"
    ROLE_CHANGED = "role_changed"
    READ = "read"
    KEY_MADE = "key_made"
    KEY_REVOKED = "key_revoked"
    TURN_SKIPPED = "turn_skipped"


WRITTEN_OUT = 1e16
"""From here on a float is written with an exponent."""


@dataclass(frozen=True, slots=True)
class EventValues:
    """The words of an event; they can be erased while the event stays. `salt` keeps the digest unguessable."""

    old: JsonValue
    new: JsonValue
    reason: str | None
    salt: str

    def digest(self) -> str:
        """SHA-256 over the salt and the canonical values, in hex: what the event itself keeps.

        A number is written as it comes back from a store that keeps what it is worth, and not how it was written.
        """
        told = [_settled(self.old), _settled(self.new), self.reason]
        body = json.dumps(told, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(f"{self.salt}{body}".encode()).hexdigest()


def _settled(value: JsonValue) -> JsonValue:
    """Postgres writes a whole number out in digits, and knows no negative zero."""
    match value:
        case dict():
            return {name: _settled(item) for name, item in value.items()}
        case list():
            return [_settled(item) for item in value]
        case float() if value == 0:
            return 0.0
        case float() if value.is_integer() and WRITTEN_OUT <= abs(value) < 2**63:
            return int(value)
        case _:
            return value


@dataclass(frozen=True, slots=True)
class MemoryEvent:
    """One line of the audit trail, as far as its reader may know it.

    `scope` is None for what is about no fact. `subject` and `actor` None: nothing of the kind, or a store or person
    that is gone or may not be named. `values` is None once erased, and for those who may not read them; `digest`, over
    the words as they were, stays.
    """

    id: UUID
    kind: EventKind
    actor: Actor | None
    created_at: datetime
    subject: Subject | None = None
    fact_id: UUID | None = None
    values: EventValues | None = None
    scope: Scope | None = None
    digest: str = ""


def event(
    kind: EventKind,
    actor: Actor,
    now: datetime,
    *,
    subject: Subject | None = None,
    fact_id: UUID | None = None,
    old: JsonValue = None,
    new: JsonValue = None,
    reason: str | None = None,
) -> MemoryEvent:
    """A new event with a fresh id and salt."""
    values = EventValues(old, new, reason, secrets.token_hex(16))
    about = subject.scope if subject else None
    return MemoryEvent(uuid7(), kind, actor, now, subject, fact_id, values, about, values.digest())


@dataclass(frozen=True, slots=True)
class Change:
    """One row before and after; None where it was not there."""

    before: Fact | None
    after: Fact | None

    @property
    def row(self) -> Fact:
        """The row as it stands, or as it last stood."""
        row = self.after or self.before
        if row is None:
            raise ValueError("a change has a row before it or after it")
        return row


def changes(before: list[Fact], after: list[Fact]) -> list[Change]:
    """The rows that differ, gone ones first, then in the order of `after`."""
    old: Mapping[UUID, Fact] = {fact.id: fact for fact in before}
    new: Mapping[UUID, Fact] = {fact.id: fact for fact in after}
    gone = [Change(fact, None) for fact in before if fact.id not in new]
    moved = [Change(old.get(fact.id), fact) for fact in after if old.get(fact.id) != fact]
    return gone + moved


def events_of(
    changed: list[Change],
    actor: Actor,
    now: datetime,
    reason: str | None = None,
    gone: EventKind = EventKind.DELETED,
) -> Iterator[MemoryEvent]:
    """One event for each change that a person would call one; a rival's mere count moving is none.

    `gone` is what befell the rows that are no longer there.
    """
    for change in changed:
        kind = _kind(change.before, change.after) if change.after else gone
        if kind is not None:
            old, new = _seen(change.before), _seen(change.after)
            fact = change.row
            yield event(kind, actor, now, subject=fact.ref.subject, fact_id=fact.id, old=old, new=new, reason=reason)


BIRTHS = frozenset({EventKind.CREATED, EventKind.CONTRADICTED, EventKind.CORRECTED, EventKind.UPDATED})
"""The kinds of event with which a new row comes, but for the successor of an edit."""


def _kind(before: Fact | None, after: Fact) -> EventKind | None:
    if before is None:
        return _birth(after)
    if before.merged_into != after.merged_into:
        return EventKind.MERGED if after.merged_into else EventKind.UNMERGED
    if before.live and not after.live:
        return EventKind.SUPERSEDED if after.superseded_by else EventKind.ARCHIVED
    if before.pinned != after.pinned:
        return EventKind.PINNED if after.pinned else EventKind.UNPINNED
    if after.live and not before.live:
        return EventKind.RESTORED
    if before.reinforcement_count < after.reinforcement_count:
        return EventKind.REINFORCED
    if before.confirmation_count < after.confirmation_count:
        return EventKind.CONFIRMED
    if _told(before) != _told(after):
        return EventKind.EDITED
    return EventKind.OPPOSED if set(after.opposed) - set(before.opposed) else None


def _told(fact: Fact) -> tuple[object, ...]:
    """What a person would call another fact. Times of its sources, and what rivals and merged rows do, are not."""
    counts = (fact.confirmation_count, fact.reinforcement_count)
    period = (fact.valid_from, fact.valid_to, fact.superseded_by)
    return (fact.value, fact.content, fact.language, fact.traits, fact.trust, counts, period)


def _birth(fact: Fact) -> EventKind:
    if fact.source.reason is Reason.EDITED:
        return EventKind.EDITED
    if fact.corrected:
        return EventKind.CORRECTED
    if fact.source.relation is Relation.UPDATE:
        return EventKind.UPDATED
    return EventKind.CONTRADICTED if fact.contradicted else EventKind.CREATED


def _seen(fact: Fact | None) -> JsonValue:
    """What an event keeps of a row."""
    if fact is None:
        return None
    return {
        "key": fact.ref.key,
        "value": fact.value,
        "content": fact.content,
        "confidence": fact.traits.confidence,
        "confirmation_count": fact.confirmation_count,
        "tags": list(fact.traits.tags),
        "tier": fact.traits.tier.value,
        "audience": fact.traits.audience.value,
    }
