"""Facts and fold entries as rows, and back."""

from dataclasses import asdict
from datetime import datetime
from hashlib import sha256
from typing import Any

from app.adapters.postgres.models import DecisionRow, FactColumns, OrgFactRow, SourceRow, StoreFactRow, UserFactRow
from app.domain.behaviour import Behaviour, Observed
from app.domain.decay import Policy, Tier
from app.domain.facts import Fact, Provenance
from app.domain.sources import (
    Audience,
    Decision,
    MessageRef,
    Origin,
    Reason,
    Relation,
    Source,
    Traits,
    Trust,
    Verdict,
    amended,
)
from app.domain.subjects import KeyRef, OrgSubject, Scope, StoreSubject, Subject, UserSubject, store_of, user_of
from app.domain.tenancy import Actor, ActorType

_NO_MESSAGE = {"conversation_id": None, "message_id": None, "channel": None}
_NOT_OBSERVED = {"session": None, "quality": None, "policy": None, "observation_ids": None}
TABLES: dict[Scope, type[OrgFactRow] | type[StoreFactRow] | type[UserFactRow]] = {
    Scope.ORG: OrgFactRow,
    Scope.STORE: StoreFactRow,
    Scope.USER: UserFactRow,
}


def subject_values(subject: Subject) -> dict[str, str]:
    """The subject columns of a fact's own table."""
    match subject:
        case OrgSubject():
            return {}
        case StoreSubject(store_id):
            return {"store_id": store_id}
        case UserSubject(user_id):
            return {"user_id": user_id}


def fact_values(fact: Fact, now: datetime) -> dict[str, Any]:
    """The columns that a fold decides."""
    return {
        "value": fact.value,
        "normal": fact.normal,
        "content": fact.content,
        "language": fact.language,
        **_trait_values(fact.traits),
        "trust": fact.trust.value,
        "by_hand": fact.by_hand,
        "confirmation_count": fact.confirmation_count,
        "source": asdict(fact.source),
        "pinned": fact.pinned,
        "contradicted": fact.contradicted,
        "newer_rivals": fact.newer_rivals,
        "rank": fact.rank,
        "fades_at": fact.fades_at,
        "created_at": fact.created_at,
        "updated_at": now,
        "last_reinforced_at": fact.last_reinforced_at,
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "archived_at": fact.archived_at,
        "superseded_by": fact.superseded_by,
        "policy": fact.behaviour.policy.value if fact.behaviour else None,
        "ease": fact.behaviour.ease if fact.behaviour else None,
        "reinforcement_count": fact.behaviour.reinforcement_count if fact.behaviour else 0,
    }


def fact_of(row: FactColumns) -> Fact:
    """The fact that a row holds."""
    return Fact(
        id=row.id,
        ref=KeyRef(_subject_of(row), row.agent_id, row.key),
        value=row.value,
        normal=row.normal,
        content=row.content,
        language=row.language,
        traits=_traits(row),
        trust=Trust(row.trust),
        by_hand=row.by_hand,
        confirmation_count=row.confirmation_count,
        source=_provenance(row.source),
        created_at=row.created_at,
        last_reinforced_at=row.last_reinforced_at,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        pinned=row.pinned,
        archived_at=row.archived_at,
        superseded_by=row.superseded_by,
        newer_rivals=row.newer_rivals,
        contradicted=row.contradicted,
        behaviour=_behaviour(row),
    )


def place_values(ref: KeyRef) -> dict[str, Any]:
    """The columns that say where an entry belongs."""
    subject = ref.subject
    return {
        "scope": subject.scope.value,
        "store_id": store_of(subject),
        "user_id": user_of(subject),
        "agent_id": ref.agent_id,
        "key": ref.key,
    }


def ref_of(row: SourceRow | DecisionRow) -> KeyRef:
    """Where an entry belongs."""
    subject: Subject = OrgSubject()
    if row.store_id is not None:
        subject = StoreSubject(row.store_id)
    elif row.user_id is not None:
        subject = UserSubject(row.user_id)
    return KeyRef(subject, row.agent_id, row.key)


def source_values(ref: KeyRef, source: Source) -> dict[str, Any]:
    """A source's row."""
    values = asdict(source)
    author, message = values.pop("author"), values.pop("message") or _NO_MESSAGE
    seen = values.pop("observed")
    observed = _NOT_OBSERVED if seen is None else {"observation_ids": list(seen.pop("ids")), **seen}
    slot = sha256(source.normal.encode()).hexdigest() if source.traits.many else ""
    return {**values, **place_values(ref), **_author_values(author), **message, **observed, "slot": slot}


def decision_values(ref: KeyRef, decision: Decision) -> dict[str, Any]:
    """A decision's row."""
    values = asdict(decision)
    author = _author_values(values.pop("author"))
    return {**values, **place_values(ref), **author, "changes": dict(decision.changes)}


def source_of(row: SourceRow) -> Source:
    """The source that a row holds."""
    message = None
    if row.conversation_id is not None and row.message_id is not None:
        message = MessageRef(row.conversation_id, row.message_id, row.channel or "")
    return Source(
        id=row.id,
        at=row.at,
        recorded_at=row.recorded_at,
        origin=Origin(row.origin),
        relation=Relation(row.relation),
        author=Actor(ActorType(row.author_type), row.author_id),
        trust=Trust(row.trust),
        value=row.value,
        normal=row.normal,
        content=row.content,
        language=row.language,
        valid_from=row.valid_from,
        traits=amended(Traits(), row.traits),
        reason=Reason(row.reason) if row.reason else None,
        evidence=row.evidence,
        reasoning=row.reasoning,
        message=message,
        replaces=row.replaces,
        observed=_observed(row),
    )


def decision_of(row: DecisionRow) -> Decision:
    """The decision that a row holds."""
    return Decision(
        id=row.id,
        at=row.at,
        recorded_at=row.recorded_at,
        verdict=Verdict(row.verdict),
        fact_id=row.fact_id,
        author=Actor(ActorType(row.author_type), row.author_id),
        changes=row.changes,
    )


def _subject_of(row: FactColumns) -> Subject:
    match row:
        case StoreFactRow():
            return StoreSubject(row.store_id)
        case UserFactRow():
            return UserSubject(row.user_id)
        case _:
            return OrgSubject()


def _behaviour(row: FactColumns) -> Behaviour | None:
    if row.policy is None or row.ease is None:
        return None
    return Behaviour(Policy(row.policy), row.ease, row.reinforcement_count)


def _observed(row: SourceRow) -> Observed | None:
    if row.session is None or row.quality is None or row.policy is None:
        return None
    return Observed(row.session, row.quality, Policy(row.policy), tuple(row.observation_ids or ()))


def _trait_values(traits: Traits) -> dict[str, Any]:
    return {**asdict(traits), "tags": list(traits.tags)}


def _traits(row: FactColumns) -> Traits:
    return Traits(
        category=row.category,
        tags=tuple(row.tags),
        tier=Tier(row.tier),
        half_life_days=row.half_life_days,
        confidence=row.confidence,
        many=row.many,
        audience=Audience(row.audience),
    )


def _provenance(kept: dict[str, Any]) -> Provenance:
    return Provenance(
        author=_actor(kept["author"]),
        relation=Relation(kept["relation"]),
        reason=Reason(kept["reason"]) if kept["reason"] else None,
        message=MessageRef(**kept["message"]) if kept["message"] else None,
    )


def _author_values(author: dict[str, Any]) -> dict[str, Any]:
    return {"author_type": author["type"], "author_id": author["id"]}


def _actor(kept: dict[str, Any]) -> Actor:
    return Actor(ActorType(kept["type"]), kept["id"])
