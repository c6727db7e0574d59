"""An import: what is kept of each record of an export, to bring it in; and what the file says of itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256
from typing import Any
from uuid import UUID

from app.domain.decay import Tier
from app.domain.entry_records import decision_of, source_of, stamp_of
from app.domain.export import SCHEMA_VERSION, Extent, Section
from app.domain.fields import Fields, Unfit, instant, mapping, name, one_of, whole
from app.domain.organisations import OrgSettings, settings_of
from app.domain.records import (
    channel_of,
    event_of,
    message_of,
    observation_of,
    organisation_of,
    person_of,
    rules_of,
    store_of,
)
from app.domain.subjects import KeyRef, Scope, user_of
from app.domain.subjects import store_of as store_of_subject
from app.domain.tenancy import ActorType
from app.domain.tiers import TIERS
from app.domain.values import JsonValue

_COUNT = whole(0, 2**62)


class Step(IntEnum):
    """In which order things are brought in: each rests on those before it."""

    ORGANISATION = 0
    STORES = 1
    PEOPLE = 2
    CHANNELS = 3
    RULES = 4
    MESSAGES = 5
    OBSERVATIONS = 6
    BELIEFS = 7
    EVENTS = 8


@dataclass(frozen=True, slots=True)
class Staged:
    """A record that waits to be brought in. Of one step, those of a `place` come together.

    The names in it are those by which it can be found again to be erased; `seq` is its number in the file.
    """

    step: Step
    section: Section
    seq: int = 0
    record: JsonValue = None
    place: str = ""
    id: UUID | None = None
    user_id: str | None = None
    author_id: str | None = None
    store_id: str | None = None
    fact_id: UUID | None = None
    conversation_id: str | None = None
    message_id: str | None = None
    rests: bool = False
    """Of a fact: whether its sources are in the file too."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a file says of itself: how many records it holds of each list, how much of each scope, and its checksum."""

    counts: Mapping[str, int]
    holds: Mapping[Scope, Extent]
    checksum: str


def manifest_of(told: object) -> Manifest:
    """The manifest. Raises Unfit for one of another version."""
    at = Fields(told)
    if at.of("schema_version", whole(0)) != SCHEMA_VERSION:
        raise Unfit("unknown_version", "/schema_version")
    at.of("exported_at", instant)
    counts, holds = at.of("counts", mapping), at.of("holds", mapping)
    manifest = Manifest(
        {name: Fields(counts).of(name, _COUNT) for name in counts},
        {one_of(Scope)(kind): Fields(holds).of(kind, one_of(Extent)) for kind in holds},
        at.of("checksum", name),
    )
    at.end()
    return manifest


def read_settings(told: object) -> OrgSettings:
    """The settings. Raises Unfit where they are none."""
    try:
        settings = settings_of(mapping(told))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Unfit("unfit_settings") from None
    if settings.tiers.keys() != TIERS.keys() or settings.tiers[Tier.IDENTITY] != TIERS[Tier.IDENTITY]:
        raise Unfit("unfit_settings", "/tiers")
    if settings.language not in settings.languages:
        raise Unfit("not_among_languages", "/language")
    return settings


def place_of(ref: KeyRef) -> str:
    """Where a key stands among the others: those of one subject stand together."""
    subject = repr(ref.subject).encode()
    return sha256(subject).hexdigest()[:16] + sha256(repr(ref).encode()).hexdigest()[:32]


def _about(ref: KeyRef, section: Section, **names: Any) -> Staged:
    about = {"store_id": store_of_subject(ref.subject), "user_id": user_of(ref.subject)}
    return Staged(Step.BELIEFS, section, place=place_of(ref), **{**about, **names})


def _fact(told: object) -> Staged:
    stamp = stamp_of(told)
    return _about(stamp.ref, Section.FACTS, id=stamp.id, fact_id=stamp.id, rests=stamp.rests)


def _source(told: object) -> Staged:
    ref, source = source_of(told)
    said = source.message
    return _about(
        ref,
        Section.SOURCES,
        id=source.id,
        author_id=source.author.id if source.author.type is ActorType.PERSON else None,
        conversation_id=said.conversation_id if said else None,
        message_id=said.message_id if said else None,
    )


def _decision(told: object) -> Staged:
    ref, decision = decision_of(told)
    author = decision.author
    author_id = author.id if author.type is ActorType.PERSON else None
    named = {"id": decision.id, "fact_id": decision.fact_id, "author_id": author_id}
    return _about(ref, Section.DECISIONS, **named)


def _message(told: object) -> Staged:
    message, _ = message_of(told)
    return Staged(
        Step.MESSAGES,
        Section.MESSAGES,
        id=message.id,
        user_id=message.user_id,
        store_id=message.store_id,
        conversation_id=message.conversation_id,
        message_id=message.message_id,
    )


def _observation(told: object) -> Staged:
    seen = observation_of(told)
    found_in = seen.message
    return Staged(
        Step.OBSERVATIONS,
        Section.OBSERVATIONS,
        id=seen.id,
        user_id=seen.user_id,
        store_id=seen.store_id,
        conversation_id=found_in.conversation_id if found_in else None,
        message_id=found_in.message_id if found_in else None,
    )


def _event(told: object) -> Staged:
    event = event_of(told)
    actor, subject = event.actor, event.subject
    return Staged(
        Step.EVENTS,
        Section.EVENTS,
        id=event.id,
        user_id=user_of(subject) if subject else None,
        store_id=store_of_subject(subject) if subject else None,
        author_id=actor.id if actor and actor.type is ActorType.PERSON else None,
        fact_id=event.fact_id,
    )


def _channel(told: object) -> Staged:
    link = channel_of(told)
    return Staged(Step.CHANNELS, Section.CHANNELS, user_id=link.user_id, store_id=link.store_id)


def _rules(told: object) -> Staged:
    author = rules_of(told).author
    return Staged(Step.RULES, Section.RULES, author_id=author.id if author else None)


def _organisation(told: object) -> Staged:
    organisation_of(told)
    return Staged(Step.ORGANISATION, Section.ORGANISATION)


STAGED: Mapping[Section, Callable[[object], Staged]] = {
    Section.ORGANISATION: _organisation,
    Section.STORES: lambda told: Staged(Step.STORES, Section.STORES, store_id=store_of(told).store_id),
    Section.PEOPLE: lambda told: Staged(Step.PEOPLE, Section.PEOPLE, user_id=person_of(told).user_id),
    Section.CHANNELS: _channel,
    Section.FACTS: _fact,
    Section.SOURCES: _source,
    Section.DECISIONS: _decision,
    Section.MESSAGES: _message,
    Section.OBSERVATIONS: _observation,
    Section.EVENTS: _event,
    Section.RULES: _rules,
}
