"""The entries of folds as rows, and back."""

from dataclasses import asdict
from hashlib import sha256
from typing import Any

from app.adapters.postgres.models import ContradictionRow, DecisionRow, SourceRow
from app.domain.behaviour import Observed
from app.domain.decay import Policy
from app.domain.sources import Decision, MessageRef, Origin, Reason, Relation, Source, Traits, Trust, Verdict, amended
from app.domain.subjects import KeyRef, OrgSubject, StoreSubject, Subject, UserSubject, store_of, user_of
from app.domain.tenancy import Actor, ActorType

_NO_MESSAGE = {"conversation_id": None, "message_id": None, "channel": None}
_NOT_OBSERVED = {"session": None, "quality": None, "policy": None, "observation_ids": None}


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


def ref_of(row: SourceRow | DecisionRow | ContradictionRow) -> KeyRef:
    """Where an entry or a contradiction belongs."""
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


def _observed(row: SourceRow) -> Observed | None:
    if row.session is None or row.quality is None or row.policy is None:
        return None
    return Observed(row.session, row.quality, Policy(row.policy), tuple(row.observation_ids or ()))


def _author_values(author: dict[str, Any]) -> dict[str, Any]:
    return {"author_type": author["type"], "author_id": author["id"]}
