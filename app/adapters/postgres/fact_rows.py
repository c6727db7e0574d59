"""Facts as rows, and back."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Update, column, func, inspect, literal, update
from sqlalchemy.dialects.postgresql import JSONB

from app.adapters.postgres.models import FactColumns, OrgFactRow, StoreFactRow, UserFactRow
from app.domain.behaviour import Behaviour
from app.domain.decay import Policy, Tier
from app.domain.facts import Fact, Provenance
from app.domain.sources import Audience, MessageRef, Reason, Relation, Traits, Trust
from app.domain.subjects import KeyRef, OrgSubject, Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Actor, ActorType
from app.domain.tiers import Fading
from app.ports.facts import FactRecord

TABLES: dict[Scope, type[OrgFactRow] | type[StoreFactRow] | type[UserFactRow]] = {
    Scope.ORG: OrgFactRow,
    Scope.STORE: StoreFactRow,
    Scope.USER: UserFactRow,
}


STAMPED: Final = ("id", "updated_at", "version", "last_seen_at", "compared_at")
"""The columns that only a row knows of its fact, by its id."""


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
        "created_at": fact.created_at,
        "updated_at": now,
        "last_reinforced_at": fact.last_reinforced_at,
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "archived_at": fact.archived_at,
        "superseded_by": fact.superseded_by,
        "merged_into": fact.merged_into,
        "opposed": list(fact.opposed) or None,
        "policy": fact.behaviour.policy.value if fact.behaviour else None,
        "ease": fact.behaviour.ease if fact.behaviour else None,
        "reinforcement_count": fact.behaviour.reinforcement_count if fact.behaviour else 0,
        **fading_values(fact),
    }


def fading_values(fact: Fact) -> dict[str, Any]:
    """The columns that follow the tier's numbers; null where these are the usual ones."""
    own = fact.own_fading
    return {
        "rank": fact.rank,
        "fades_at": fact.fades_at,
        "tier_half_life_days": own.half_life_days if own else None,
        "archive_below": own.archive_below if own else None,
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
        merged_into=row.merged_into,
        newer_rivals=row.newer_rivals,
        contradicted=row.contradicted,
        behaviour=_behaviour(row),
        own_fading=_own_fading(row),
        opposed=tuple(row.opposed or ()),
    )


def record_of(row: FactColumns) -> FactRecord:
    """The fact with what only its row knows."""
    return FactRecord(fact_of(row), row.updated_at, row.version, row.last_seen_at, row.compared_at)


def stamping(table: type[FactColumns], records: Sequence[FactRecord]) -> Update:
    """What makes these rows as old and as often changed, seen and compared as told, in one statement."""
    columns = [kept for kept in inspect(table).local_table.columns if kept.name in STAMPED]
    told = [
        {"id": str(record.fact.id), **{name: _told(getattr(record, name)) for name in STAMPED if name != "id"}}
        for record in records
    ]
    typed = [column(kept.name, kept.type) for kept in columns]
    sent = (
        func.jsonb_to_recordset(literal(told, JSONB)).table_valued(*typed, name="sent").render_derived(with_types=True)
    )
    moved = {name: sent.c[name] for name in STAMPED if name != "id"}
    return update(table).where(table.id == sent.c.id).values(moved).execution_options(synchronize_session=False)


def _told(value: datetime | int | None) -> str | int | None:
    return value.isoformat() if isinstance(value, datetime) else value


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


def _own_fading(row: FactColumns) -> Fading | None:
    return None if row.archive_below is None else Fading(row.tier_half_life_days, row.archive_below)


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


def _actor(kept: dict[str, Any]) -> Actor:
    return Actor(ActorType(kept["type"]), kept["id"])
