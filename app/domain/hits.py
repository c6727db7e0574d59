"""What a search answers: hits, their scores, and their order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

from app.domain.facts import Fact
from app.domain.messages import Message
from app.domain.observations import Observation
from app.domain.search import SPOKEN, DocumentKind, told_by
from app.domain.subjects import KeyRef


class HitKind(StrEnum):
    """What callers search for, and are told of what they find."""

    FACT = "fact"
    MESSAGE = "message"
    OBSERVATION = "observation"


DOCUMENTS: Final = {
    HitKind.FACT: (DocumentKind.FACT,),
    HitKind.MESSAGE: SPOKEN,
    HitKind.OBSERVATION: (DocumentKind.OBSERVATION,),
}
"""The kinds of documents behind each kind of hit."""


@dataclass(frozen=True, slots=True)
class Why:
    """What a hit's score is made of, each in [0, 1]: its words, what it means, a fact's score (its strength, and its
    rivals). `vector` is None where that was not compared.
    """

    lexical: float
    vector: float | None = None
    strength: float | None = None

    @property
    def relevance(self) -> float:
        """How well it answers: by its words, by its meaning half as much, by both more than by either."""
        return 1 - (1 - self.lexical) * (1 - (self.vector or 0.0) / 2)


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found. `id` is the service's own for facts, the caller's for messages; `score` lies in [0, 1].

    `superseded` tells that it is believed no more, or, of a message, that something which it states is not.
    """

    kind: HitKind
    id: str
    content: str
    score: float
    superseded: bool
    why: Why
    sent_at: datetime | None = None
    conversation_id: str | None = None


def fact_hits(facts: Iterable[Fact], why: Mapping[UUID, Why], now: datetime) -> list[Hit]:
    """A hit for each of the facts. No superseded row of a key ranks above the best one that is believed."""
    hits = [(fact, _fact_hit(fact, why[fact.id], now)) for fact in facts]
    best: dict[KeyRef, float] = {}
    for fact, hit in hits:
        if fact.live:
            best[fact.ref] = max(hit.score, best.get(fact.ref, 0.0))
    return [
        hit if fact.live or fact.ref not in best else replace(hit, score=min(hit.score, best[fact.ref]))
        for fact, hit in hits
    ]


def message_hit(message: Message, score: float, why: Why, *, superseded: bool) -> Hit:
    """A message weighs as it answers."""
    return Hit(
        kind=HitKind.MESSAGE,
        id=message.message_id,
        content=message.content,
        score=score,
        superseded=superseded,
        why=why,
        sent_at=message.sent_at,
        conversation_id=message.conversation_id,
    )


def observation_hit(observation: Observation, why: Why) -> Hit:
    """An observation weighs as its words and its meaning fit."""
    return Hit(
        kind=HitKind.OBSERVATION,
        id=str(observation.id),
        content=told_by(observation),
        score=why.relevance,
        superseded=False,
        why=why,
        sent_at=observation.occurred_at,
        conversation_id=observation.message.conversation_id if observation.message else None,
    )


def ranked(hits: Iterable[Hit]) -> list[Hit]:
    """Best first. Of equals what is believed, then facts, then the newest; the same hits always in the same order."""

    def place(hit: Hit) -> tuple[float, bool, int, float, str]:
        age = -hit.sent_at.timestamp() if hit.sent_at else 0.0
        return -hit.score, hit.superseded, list(HitKind).index(hit.kind), age, f"{hit.conversation_id} {hit.id}"

    return sorted(hits, key=place)


def _fact_hit(fact: Fact, why: Why, now: datetime) -> Hit:
    """A fact weighs as its words and its meaning fit, half of that only where it has faded."""
    strength = fact.score(now)
    score = why.relevance * (1 + strength) / 2
    return Hit(HitKind.FACT, str(fact.id), fact.content, score, not fact.live, replace(why, strength=strength))
