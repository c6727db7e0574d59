"""A fact's past."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import ConfigDict, Field, JsonValue

from app.api.examples import example_of
from app.api.schemas.common import Answer
from app.api.schemas.events import EventOut
from app.api.schemas.fact_answers import FactOut
from app.domain.sources import Decision, Source
from app.services.history import History, Told


class EntryOut(Answer):
    """One thing that the fact rests on: a `message`, something written by `hand`, what one session's observations show
    (`observation`), or a `decision`. `key` is the fact's own, or that of one that was merged into it.

    `at` is when it was said, written or seen. `evidence` is in the speaker's own words, and is shown to them, and to
    colleagues with whom they share their messages; others are told who said it, and where. `author_name` is shown to
    the team.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a001",
                "kind": "message",
                "key": "shipping.free_threshold",
                "at": "2026-11-30T09:00:00Z",
                "recorded_at": "2026-11-30T09:00:01Z",
                "author": "alice",
                "author_name": "Alice",
                "value": "80 €",
                "content": "Livraison offerte dès 80 €.",
                "evidence": "en fait, c'est 80 €",
                "relation": "correction",
                "reason": "user-correction",
                "trust": "admin",
                "message_id": "m3",
                "conversation_id": "c1",
                "channel": "web",
                "session_id": None,
                "observation_ids": [],
                "verdict": None,
            }
        }
    )

    id: UUID
    kind: str
    key: str
    at: datetime
    recorded_at: datetime
    author: str
    author_name: str | None = None
    value: JsonValue = None
    content: str | None = None
    evidence: str | None = None
    relation: str | None = None
    reason: str | None = None
    trust: str | None = None
    message_id: str | None = None
    conversation_id: str | None = None
    channel: str | None = None
    session_id: str | None = None
    observation_ids: list[UUID] = Field(default_factory=list)
    verdict: str | None = None


class HistoryOut(Answer):
    """`predecessors`: what the fact superseded, latest first; `rivals`: the key's rows with another value."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "fact": example_of(FactOut),
                "rivals": [],
                "predecessors": [],
                "sources": [example_of(EntryOut)],
                "events": [example_of(EventOut)],
            }
        }
    )

    fact: FactOut
    rivals: list[FactOut]
    predecessors: list[FactOut]
    sources: list[EntryOut]
    events: list[EventOut]

    @classmethod
    def at(cls, history: History, now: datetime) -> "HistoryOut":
        """A fact's past as it stands at `now`."""
        return cls(
            fact=FactOut.at(history.record, now),
            rivals=[FactOut.at(row, now) for row in history.rivals],
            predecessors=[FactOut.at(row, now) for row in history.predecessors],
            sources=[_entry(told) for told in history.entries],
            events=[EventOut.of(event) for event in history.events],
        )


def _entry(told: Told) -> EntryOut:
    entry = told.entry
    if isinstance(entry, Decision):
        return EntryOut(**_known(told), kind="decision", verdict=entry.verdict)
    return _source(told, entry)


def _known(told: Told) -> dict[str, Any]:
    """What is told of every entry."""
    entry = told.entry
    return {
        "id": entry.id,
        "key": told.key,
        "at": entry.at,
        "recorded_at": entry.recorded_at,
        "author": entry.author.id,
        "author_name": told.author_name,
    }


def _source(told: Told, source: Source) -> EntryOut:
    message, seen = source.message, source.observed
    return EntryOut(
        **_known(told),
        kind=source.origin,
        value=source.value,
        content=source.content,
        evidence=source.evidence if told.quoted else None,
        relation=source.relation,
        reason=source.reason,
        trust=source.trust,
        message_id=message.message_id if message else None,
        conversation_id=message.conversation_id if message else None,
        channel=message.channel if message else None,
        session_id=seen.session if seen else None,
        observation_ids=list(seen.ids) if seen else [],
    )
