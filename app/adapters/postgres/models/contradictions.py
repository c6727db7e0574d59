"""Contradictions, as the folds left them. They name rows of the three fact tables, and hold no words."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, TenantOwned
from app.adapters.postgres.models.organisations import PERSON, STORE


class ContradictionRow(TenantOwned, Base):
    """Two rows of one key that stood against each other; open while `settled_at` is null."""

    __tablename__ = "contradictions"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    scope: Mapped[str]
    store_id: Mapped[str | None]
    user_id: Mapped[str | None]
    agent_id: Mapped[str]
    key: Mapped[str]
    older: Mapped[UUID]
    newer: Mapped[UUID]
    opened_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]

    __table_args__ = (
        CheckConstraint("(scope = 'store') = (store_id is not null)", name="store"),
        CheckConstraint("(scope = 'user') = (user_id is not null)", name="user"),
        ForeignKeyConstraint(("org_id", "store_id"), STORE, ondelete="CASCADE"),
        ForeignKeyConstraint(("org_id", "user_id"), PERSON, ondelete="CASCADE"),
        Index("ix_contradictions_key", "org_id", "agent_id", "key", "store_id", "user_id"),
        Index("ix_contradictions_opened_at", "org_id", "opened_at", "id"),
        Index("ix_contradictions_open", "org_id", postgresql_where="settled_at is null"),
        Index("ix_contradictions_store", "org_id", "store_id"),
        Index("ix_contradictions_user", "org_id", "user_id"),
    )
