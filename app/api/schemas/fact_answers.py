"""Facts, as callers read them."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import ConfigDict, JsonValue

from app.api.schemas.common import Answer
from app.domain.facts import Fact
from app.domain.subjects import store_of, user_of
from app.ports.facts import FactRecord


class SourceOut(Answer):
    """What a fact last rested on. `author` is a person's or a key's id."""

    message_id: str | None
    conversation_id: str | None
    channel: str | None
    reason: str | None
    author: str


class FactOut(Answer):
    """A fact. `strength` and `score` are of this instant, `confidence` is as stored.

    `merged_into` names the fact that counts for this one too. `last_seen_at`, when it was last served or read, is
    written afterwards, at most once a minute, and is no change.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3a001",
                "scope": "store",
                "store_id": "shop1",
                "user_id": None,
                "agent_id": "atlas",
                "key": "shipping.free_threshold",
                "value": "80 €",
                "content": "Livraison offerte dès 80 €.",
                "summary": None,
                "category": "general",
                "tags": [],
                "tier": "stable",
                "policy": "tier",
                "half_life_days": 365.0,
                "ease": None,
                "confidence": 0.95,
                "strength": 0.95,
                "score": 0.95,
                "confirmation_count": 1,
                "reinforcement_count": 0,
                "many": False,
                "audience": "team",
                "trust": "admin",
                "language": "fr",
                "pinned": False,
                "contradicted": False,
                "archived_at": None,
                "superseded_by": None,
                "merged_into": None,
                "valid_from": "2026-11-30T09:00:00Z",
                "valid_to": None,
                "source": {
                    "message_id": "m3",
                    "conversation_id": "c1",
                    "channel": "web",
                    "reason": "user-correction",
                    "author": "alice",
                },
                "created_at": "2026-11-30T09:00:00Z",
                "updated_at": "2026-11-30T09:00:00Z",
                "last_reinforced_at": "2026-11-30T09:00:00Z",
                "last_seen_at": "2026-11-30T09:30:00Z",
            }
        }
    )

    id: UUID
    scope: str
    store_id: str | None
    user_id: str | None
    agent_id: str
    key: str
    value: JsonValue
    content: str
    summary: str | None
    category: str
    tags: list[str]
    tier: str
    policy: str
    half_life_days: float | None
    ease: float | None
    confidence: float
    strength: float
    score: float
    confirmation_count: int
    reinforcement_count: int
    many: bool
    audience: str
    trust: str
    language: str
    pinned: bool
    contradicted: bool
    archived_at: datetime | None
    superseded_by: UUID | None
    merged_into: UUID | None
    valid_from: datetime
    valid_to: datetime | None
    source: SourceOut
    created_at: datetime
    updated_at: datetime
    last_reinforced_at: datetime
    last_seen_at: datetime | None

    @classmethod
    def at(cls, record: FactRecord, now: datetime) -> "FactOut":
        """A fact as it stands at `now`."""
        fact = record.fact
        return cls(
            id=fact.id,
            scope=fact.ref.subject.scope,
            store_id=store_of(fact.ref.subject),
            user_id=user_of(fact.ref.subject),
            agent_id=fact.ref.agent_id,
            key=fact.ref.key,
            value=fact.value,
            content=fact.content,
            summary=fact.summary,
            policy=fact.policy,
            half_life_days=fact.half_life_days,
            ease=fact.ease,
            strength=fact.strength(now),
            score=fact.score(now),
            confirmation_count=fact.confirmation_count,
            reinforcement_count=fact.reinforcement_count,
            trust=fact.trust,
            language=fact.language,
            pinned=fact.pinned,
            contradicted=fact.contradicted,
            archived_at=fact.archived_at,
            superseded_by=fact.superseded_by,
            merged_into=fact.merged_into,
            valid_from=fact.valid_from,
            valid_to=fact.valid_to,
            source=_source(fact),
            created_at=fact.created_at,
            updated_at=record.updated_at,
            last_reinforced_at=fact.last_reinforced_at,
            last_seen_at=record.last_seen_at,
            **_traits(fact),
        )


def _traits(fact: Fact) -> dict[str, Any]:
    """What the fact says of itself. Its half-life is told elsewhere: it may be the tier's."""
    traits = fact.traits
    return {
        "category": traits.category,
        "tags": list(traits.tags),
        "tier": traits.tier,
        "confidence": traits.confidence,
        "many": traits.many,
        "audience": traits.audience,
    }


def _source(fact: Fact) -> SourceOut:
    message = fact.source.message
    return SourceOut(
        message_id=message.message_id if message else None,
        conversation_id=message.conversation_id if message else None,
        channel=message.channel if message else None,
        reason=fact.source.reason,
        author=fact.source.author.id,
    )
