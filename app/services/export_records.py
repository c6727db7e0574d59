"""What is kept, as records of an export: every column that it takes to import them, under the names of the API."""

from dataclasses import fields, replace
from functools import cache
from typing import Any

from app.domain.events import MemoryEvent
from app.domain.facts import Fact
from app.domain.messages import Message
from app.domain.organisations import Organisation
from app.domain.sources import Decision, Source
from app.domain.subjects import KeyRef, Scope, Subject, store_of, user_of
from app.ports.facts import FactRecord

Record = dict[str, Any]


def organisation_record(organisation: Organisation, *, whole: bool) -> Record:
    """Its name alone, or all but the settings, which are a member of their own, and the platform's quotas."""
    named = {"org_id": organisation.org_id, "name": organisation.name}
    return columns(organisation, "settings", "quotas") if whole else named


def fact_record(record: FactRecord, *, with_source: bool) -> Record:
    """A row. Without its source it does not tell who said it where."""
    fact = record.fact
    return {
        "id": fact.id,
        **_place(fact.ref),
        **columns(fact, "id", "ref", "traits", "source", "behaviour", "own_fading"),
        **columns(fact.traits),
        **_behaviour(fact),
        "source": fact.source if with_source else None,
        "updated_at": record.updated_at,
        "version": record.version,
        "last_seen_at": record.last_seen_at,
        "compared_at": record.compared_at,
    }


def message_record(message: Message, *, disowned: bool) -> Record:
    """A message; `disowned` where what it says was deleted as a fact, so that it is quoted no more."""
    return {**columns(message), "disowned": disowned}


def entry_record(ref: KeyRef, entry: Source | Decision) -> Record:
    """A source or a decision, with the key it belongs to."""
    return {"id": entry.id, **_place(ref), **columns(entry, "id")}


def unquoted(source: Source) -> Source:
    """The source without the words of the message that it was read in."""
    return replace(source, evidence=None, reasoning=None)


def event_record(event: MemoryEvent) -> Record:
    """A line of the audit trail; `old`, `new`, `reason` and `salt` are null once its words are erased."""
    values = event.values
    return {
        "id": event.id,
        "kind": event.kind,
        **_about(event.scope, event.subject),
        "fact_id": event.fact_id,
        "actor": event.actor,
        "old": values.old if values else None,
        "new": values.new if values else None,
        "reason": values.reason if values else None,
        "salt": values.salt if values else None,
        "digest": event.digest,
        "created_at": event.created_at,
    }


def _behaviour(fact: Fact) -> Record:
    """Of what was stated, nothing."""
    known = fact.behaviour
    return columns(known) if known else {"policy": None, "ease": None, "reinforcement_count": 0}


def _place(ref: KeyRef) -> Record:
    return {**_about(ref.subject.scope, ref.subject), "agent_id": ref.agent_id, "key": ref.key}


def _about(scope: Scope | None, subject: Subject | None) -> Record:
    return {
        "scope": scope,
        "store_id": store_of(subject) if subject else None,
        "user_id": user_of(subject) if subject else None,
    }


def columns(value: Any, *without: str) -> Record:
    """A dataclass's fields by their names, but for some."""
    return {name: getattr(value, name) for name in _names(value.__class__, without)}


@cache
def _names(kind: Any, without: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name not in without)
