"""The records of facts and of what they are folded from, read back. What does not fit raises Unfit, with its place."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from app.domain.behaviour import Observed
from app.domain.decay import Policy, Tier
from app.domain.fields import (
    MAX_NAME,
    Fields,
    Unfit,
    anything,
    flag,
    identifier,
    instant,
    key,
    listed,
    mapping,
    name,
    number,
    one_of,
    text,
    unique,
    whole,
)
from app.domain.records import actor_of, message_ref_of, subject_of
from app.domain.sources import (
    Audience,
    Decision,
    Origin,
    Reason,
    Relation,
    Source,
    Traits,
    Trust,
    Verdict,
    amended,
)
from app.domain.subjects import KeyRef, Scope

MAX_HALF_LIFE = 36_500.0


@dataclass(frozen=True, slots=True)
class Stamp:
    """What only a fact's row knows of it; the fact itself is what its sources and decisions make of it."""

    id: UUID
    ref: KeyRef
    rests: bool
    """Whether its sources were exported too."""
    updated_at: datetime
    version: int
    last_seen_at: datetime | None = None
    compared_at: datetime | None = None


def stamp_of(told: object) -> Stamp:
    """A fact's row. What the fold tells of it is told again by the fold."""
    at = Fields(told)
    stamp = Stamp(
        id=at.of("id", unique),
        ref=_ref(at),
        rests=at.maybe("source", mapping) is not None,
        updated_at=at.of("updated_at", instant),
        version=at.of("version", whole(1)),
        last_seen_at=at.younger("last_seen_at", instant),
        compared_at=at.younger("compared_at", instant),
    )
    at.rest()
    return stamp


def source_of(told: object) -> tuple[KeyRef, Source]:
    """A source, with the key it belongs to."""
    at = Fields(told)
    ref = _ref(at)
    source = Source(
        id=at.of("id", unique),
        at=at.of("at", instant),
        recorded_at=at.of("recorded_at", instant),
        origin=at.of("origin", one_of(Origin)),
        relation=at.of("relation", one_of(Relation)),
        author=at.of("author", actor_of),
        trust=at.of("trust", one_of(Trust)),
        value=at.of("value", anything),
        normal=at.of("normal", text),
        content=at.of("content", text),
        language=at.of("language", name),
        valid_from=at.of("valid_from", instant),
        traits=at.of("traits", _traits),
        reason=at.maybe("reason", one_of(Reason)),
        evidence=at.maybe("evidence", text),
        reasoning=at.maybe("reasoning", text),
        message=at.maybe("message", message_ref_of),
        replaces=at.maybe("replaces", unique),
        observed=at.maybe("observed", _observed),
    )
    at.end()
    return ref, source


def decision_of(told: object) -> tuple[KeyRef, Decision]:
    """A decision, with the key it belongs to."""
    at = Fields(told)
    ref = _ref(at)
    decision = Decision(
        id=at.of("id", unique),
        at=at.of("at", instant),
        recorded_at=at.of("recorded_at", instant),
        verdict=at.of("verdict", one_of(Verdict)),
        fact_id=at.of("fact_id", unique),
        author=at.of("author", actor_of),
        changes=at.of("changes", mapping),
    )
    at.end()
    try:
        _require_changes(decision.verdict, Fields(decision.changes))
    except Unfit as unfit:
        raise Unfit(unfit.kind, f"/changes{unfit.pointer}") from None
    return ref, decision


def _ref(at: Fields) -> KeyRef:
    scope = at.of("scope", one_of(Scope))
    store_id, user_id = at.maybe("store_id", identifier), at.maybe("user_id", identifier)
    subject = subject_of(scope, store_id, user_id, named=True)
    if subject is None:
        raise Unfit("missing", f"/{scope}_id")
    return KeyRef(subject, at.of("agent_id", identifier), at.of("key", key))


def _observed(told: object) -> Observed:
    at = Fields(told)
    observed = Observed(
        at.of("session", name),
        at.of("quality", number(-1e-9, 1)),
        at.of("policy", one_of(Policy)),
        at.of("ids", listed(unique)),
    )
    at.end()
    return observed


def _traits(told: object) -> Traits:
    at = Fields(told)
    traits = Traits(
        category=at.of("category", name),
        tags=at.of("tags", listed(name, MAX_NAME)),
        tier=at.of("tier", one_of(Tier)),
        half_life_days=at.maybe("half_life_days", number(0, MAX_HALF_LIFE)),
        confidence=at.of("confidence", number(0, 1)),
        many=at.of("many", flag),
        audience=at.of("audience", one_of(Audience)),
    )
    at.end()
    return traits


def _require_changes(verdict: Verdict, at: Fields) -> None:
    """That a fold can read what the decision is made of."""
    match verdict:
        case Verdict.AMEND:
            _require_amendment(at.rest())
        case Verdict.MERGE:
            at.of("into", unique)
            at.of("key", key)
        case Verdict.UNMERGE:
            at.of("undoes", listed(unique))
        case Verdict.SETTLE:
            at.younger("both", listed(unique))
        case Verdict.OVERTAKE:
            at.of("other", unique)
            at.of("key", key)
            at.of("valid_from", instant)
        case Verdict.OPPOSE:
            at.of("other", unique)
            at.of("key", key)
            at.of("newer", flag)
        case _:
            pass
    at.end()


def _require_amendment(changes: Mapping[str, Any]) -> None:
    try:
        traits = amended(Traits(), changes)
    except (TypeError, ValueError):
        raise Unfit("unfit_change") from None
    told = {field: getattr(traits, field) for field in Traits.__dataclass_fields__}
    _traits({**told, "tags": list(traits.tags)})
