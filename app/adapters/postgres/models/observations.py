"""Observations, in one partition for each day of receipt."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, Scoped
from app.adapters.postgres.models.organisations import PERSON, STORE


class ObservationRow(Scoped, Base):
    """What happened in a session. It goes with its person, and so with its organisation; nothing points at it.

    `told` is the column `metadata`, a name that the mapping keeps for itself.
    """

    __tablename__ = "observations"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    type: Mapped[str]
    user_id: Mapped[str]
    store_id: Mapped[str | None]
    agent_id: Mapped[str]
    session: Mapped[str]
    content: Mapped[str | None]
    told: Mapped[dict[str, Any]] = mapped_column("metadata", JSONB)
    tags: Mapped[list[str]]
    error_family: Mapped[str | None]
    conversation_id: Mapped[str | None]
    message_id: Mapped[str | None]
    channel: Mapped[str | None]
    occurred_at: Mapped[datetime]
    recorded_at: Mapped[datetime]
    consolidated_at: Mapped[datetime | None]

    __table_args__ = (
        CheckConstraint("(type = 'tool_failure') = (error_family is not null)", name="error_family"),
        ForeignKeyConstraint(("org_id", "user_id"), PERSON, ondelete="CASCADE"),
        ForeignKeyConstraint(("org_id", "store_id"), STORE, ondelete="CASCADE"),
        Index("ix_observations_user", "org_id", "user_id", "id"),
        Index("ix_observations_store", "org_id", "store_id"),
        Index("ix_observations_open", "org_id", "user_id", "id", postgresql_where="consolidated_at is null"),
        Index("ix_observations_failures", "org_id", "user_id", postgresql_where="type = 'tool_failure'"),
        Index(
            "ix_observations_message",
            *("org_id", "conversation_id", "message_id"),
            postgresql_where="message_id is not null",
        ),
        {"postgresql_partition_by": "RANGE (id)"},
    )
