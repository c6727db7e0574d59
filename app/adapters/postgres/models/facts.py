"""Facts in three tables of one shape, and the entries they are folded from."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.schema import SchemaItem

from app.adapters.postgres.base import Base, TenantOwned
from app.adapters.postgres.models.organisations import PERSON, STORE


class FactColumns(TenantOwned):
    """The columns of a fact, whatever it is about. `rank` and `fades_at` are stored so that indexes can serve them.

    `policy` and `ease` are null but for what sessions show, `tier_half_life_days` and `archive_below` but where the
    organisation's numbers for the tier are not the usual ones. `last_seen_at` is no part of the fold, and moves
    nothing else.
    """

    id: Mapped[UUID] = mapped_column(primary_key=True)
    agent_id: Mapped[str]
    key: Mapped[str]
    value: Mapped[Any] = mapped_column(JSONB)
    normal: Mapped[str]
    content: Mapped[str]
    language: Mapped[str]
    category: Mapped[str]
    tags: Mapped[list[str]]
    tier: Mapped[str]
    half_life_days: Mapped[float | None]
    confidence: Mapped[float]
    many: Mapped[bool]
    audience: Mapped[str]
    trust: Mapped[str]
    by_hand: Mapped[bool]
    confirmation_count: Mapped[int]
    source: Mapped[dict[str, Any]] = mapped_column(JSONB)
    pinned: Mapped[bool]
    contradicted: Mapped[bool]
    newer_rivals: Mapped[int]
    rank: Mapped[float]
    fades_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    last_reinforced_at: Mapped[datetime]
    valid_from: Mapped[datetime]
    valid_to: Mapped[datetime | None]
    archived_at: Mapped[datetime | None]
    superseded_by: Mapped[UUID | None]
    version: Mapped[int]
    policy: Mapped[str | None]
    ease: Mapped[float | None]
    reinforcement_count: Mapped[int] = mapped_column(server_default="0")
    merged_into: Mapped[UUID | None]
    last_seen_at: Mapped[datetime | None]
    tier_half_life_days: Mapped[float | None]
    archive_below: Mapped[float | None]
    opposed: Mapped[list[UUID] | None]
    compared_at: Mapped[datetime | None]


def _fact_table(table: str, *subject: str) -> tuple[SchemaItem, ...]:
    """Keys and indexes of one fact table; a successor may be written after what it supersedes."""
    stated = "archived_at is null and policy is null"
    own = "half_life_days is not null and archived_at is null"
    return (
        CheckConstraint("confidence > 0 and confidence <= 1", name="confidence"),
        CheckConstraint("half_life_days > 0 and half_life_days <= 36500", name="half_life"),
        ForeignKeyConstraint(
            ("org_id", "superseded_by"),
            (f"{table}.org_id", f"{table}.id"),
            ondelete="SET NULL (superseded_by)",
            deferrable=True,
            initially="DEFERRED",
        ),
        Index(f"ix_{table}_key", "org_id", *subject, "agent_id", "key"),
        CheckConstraint("policy in ('exponential', 'adaptive')", name="policy"),
        Index(f"ix_{table}_rank", "org_id", *subject, "agent_id", "tier", "rank", postgresql_where=stated),
        Index(f"ix_{table}_fades_at", "org_id", *subject, "agent_id", "fades_at", postgresql_where=own),
        Index(f"ix_{table}_pinned", "org_id", *subject, "agent_id", postgresql_where="pinned and archived_at is null"),
        Index(f"ix_{table}_superseded_by", "org_id", "superseded_by"),
        ForeignKeyConstraint(
            ("org_id", "merged_into"),
            (f"{table}.org_id", f"{table}.id"),
            ondelete="SET NULL (merged_into)",
            deferrable=True,
            initially="DEFERRED",
        ),
        Index(f"ix_{table}_merged_into", "org_id", "merged_into"),
        Index(f"ix_{table}_faded", "org_id", "fades_at", postgresql_where=stated),
        Index(f"ix_{table}_uncompared", "org_id", "id", postgresql_where=f"compared_at is null and {stated}"),
        Index(f"ix_{table}_shelved", "org_id", "id", postgresql_where="archived_at is not null"),
    )


class OrgFactRow(FactColumns, Base):
    __tablename__ = "org_facts"
    __table_args__ = _fact_table("org_facts")


class StoreFactRow(FactColumns, Base):
    __tablename__ = "store_facts"
    store_id: Mapped[str]
    __table_args__ = (
        *_fact_table("store_facts", "store_id"),
        ForeignKeyConstraint(("org_id", "store_id"), STORE, ondelete="CASCADE"),
    )


class UserFactRow(FactColumns, Base):
    __tablename__ = "user_facts"
    user_id: Mapped[str]
    __table_args__ = (
        *_fact_table("user_facts", "user_id"),
        Index(
            "ix_user_facts_behaviour",
            *("org_id", "user_id", "agent_id", "category", "rank"),
            postgresql_where="archived_at is null and policy is not null",
        ),
        Index("ix_user_facts_fading", "org_id", "user_id", "fades_at", postgresql_where="policy is not null"),
        ForeignKeyConstraint(("org_id", "user_id"), PERSON, ondelete="CASCADE"),
    )


class EntryColumns(TenantOwned):
    """Where an entry of a fold belongs: a key in one pocket of one subject."""

    id: Mapped[UUID] = mapped_column(primary_key=True)
    scope: Mapped[str]
    store_id: Mapped[str | None]
    user_id: Mapped[str | None]
    agent_id: Mapped[str]
    key: Mapped[str]
    at: Mapped[datetime]
    recorded_at: Mapped[datetime]
    author_type: Mapped[str]
    author_id: Mapped[str]


def _entry_table(table: str) -> tuple[SchemaItem, ...]:
    return (
        CheckConstraint("(scope = 'store') = (store_id is not null)", name="store"),
        CheckConstraint("(scope = 'user') = (user_id is not null)", name="user"),
        ForeignKeyConstraint(("org_id", "store_id"), STORE, ondelete="CASCADE"),
        ForeignKeyConstraint(("org_id", "user_id"), PERSON, ondelete="CASCADE"),
        Index(f"ix_{table}_key", "org_id", "agent_id", "key", "store_id", "user_id"),
        Index(f"ix_{table}_author", "org_id", "author_id"),
        Index(f"ix_{table}_store", "org_id", "store_id"),
        Index(f"ix_{table}_user", "org_id", "user_id"),
        Index(f"ix_{table}_org", "org_id", "id", postgresql_where="store_id is null and user_id is null"),
    )


class SourceRow(EntryColumns, Base):
    """A source. `slot` is empty where the key holds one value, else the value's digest: what a message may say once.

    `session`, `quality`, `policy` and `observation_ids` are null but for what a session shows, of a key once.
    """

    __tablename__ = "fact_sources"

    origin: Mapped[str]
    relation: Mapped[str]
    trust: Mapped[str]
    value: Mapped[Any] = mapped_column(JSONB)
    normal: Mapped[str]
    content: Mapped[str]
    language: Mapped[str]
    valid_from: Mapped[datetime]
    traits: Mapped[dict[str, Any]] = mapped_column(JSONB)
    reason: Mapped[str | None]
    evidence: Mapped[str | None]
    reasoning: Mapped[str | None]
    conversation_id: Mapped[str | None]
    message_id: Mapped[str | None]
    channel: Mapped[str | None]
    replaces: Mapped[UUID | None]
    slot: Mapped[str]
    session: Mapped[str | None]
    quality: Mapped[float | None]
    policy: Mapped[str | None]
    observation_ids: Mapped[list[UUID] | None]

    __table_args__ = (
        *_entry_table("fact_sources"),
        CheckConstraint("policy in ('exponential', 'adaptive')", name="policy"),
        Index(
            "uq_fact_sources_session",
            *("org_id", "agent_id", "key", "user_id", "session"),
            unique=True,
            postgresql_where="session is not null",
        ),
        Index("ix_fact_sources_message", "org_id", "conversation_id", "message_id"),
        Index(
            "uq_fact_sources_statement",
            *("org_id", "conversation_id", "message_id", "agent_id", "key", "store_id", "user_id", "slot"),
            unique=True,
            postgresql_nulls_not_distinct=True,
            postgresql_where="message_id is not null",
        ),
    )


class DecisionRow(EntryColumns, Base):
    """A person's decision about the row that `fact_id` names."""

    __tablename__ = "fact_decisions"

    verdict: Mapped[str]
    fact_id: Mapped[UUID]
    changes: Mapped[dict[str, Any]] = mapped_column(JSONB)

    __table_args__ = (
        *_entry_table("fact_decisions"),
        Index("ix_fact_decisions_mergers", "org_id", "agent_id", postgresql_where="verdict = 'merge'"),
        Index("ix_fact_decisions_crossing", "org_id", "agent_id", postgresql_where="verdict in ('overtake', 'oppose')"),
    )
