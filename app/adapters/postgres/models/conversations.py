"""Messages, the jobs that read them, and the receipts of what was served."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKeyConstraint, Identity, Index, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, TenantOwned
from app.adapters.postgres.models.organisations import PERSON, STORE


class MessageRow(TenantOwned, Base):
    """What was said. `utc_offset` in minutes is the sender's zone, null where sent as `Z`."""

    __tablename__ = "messages"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    conversation_id: Mapped[str]
    message_id: Mapped[str]
    channel: Mapped[str]
    speaker: Mapped[str]
    content: Mapped[str]
    sent_at: Mapped[datetime]
    utc_offset: Mapped[int | None]
    user_id: Mapped[str]
    store_id: Mapped[str | None]
    agent_id: Mapped[str]
    recorded_at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint("org_id", "conversation_id", "message_id"),
        ForeignKeyConstraint(("org_id", "user_id"), PERSON, ondelete="CASCADE"),
        ForeignKeyConstraint(("org_id", "store_id"), STORE, ondelete="CASCADE"),
        Index("ix_messages_conversation", "org_id", "conversation_id", "user_id", "sent_at"),
        Index("ix_messages_user", "org_id", "user_id"),
        Index("ix_messages_store", "org_id", "store_id"),
    )


class JobRow(TenantOwned, Base):
    """Durable work; `payload` holds ids only. `seq` orders a lane."""

    __tablename__ = "jobs"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger, Identity(always=True))
    kind: Mapped[str]
    lane: Mapped[str]
    payload: Mapped[dict[str, Any]] = mapped_column(JSONB)
    status: Mapped[str]
    attempts: Mapped[int]
    run_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]
    error: Mapped[str | None]
    result: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    maker_type: Mapped[str]
    maker_id: Mapped[str]
    key_id: Mapped[str | None]
    user_id: Mapped[str | None]
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]

    __table_args__ = (
        CheckConstraint("status in ('queued', 'running', 'done', 'failed', 'dead', 'cancelled')", name="status"),
        ForeignKeyConstraint(("org_id", "user_id"), PERSON, ondelete="CASCADE"),
        Index("ix_jobs_user", "org_id", "user_id"),
        Index("ix_jobs_maker", "org_id", "maker_id", "id"),
        Index("ix_jobs_key", "org_id", "key_id", "id"),
        Index("ix_jobs_status", "org_id", "status", "id"),
        Index(
            "ix_jobs_open",
            *("org_id", "lane", "seq"),
            postgresql_where="status in ('queued', 'running', 'failed')",
        ),
        Index(
            "ix_jobs_open_seq",
            *("org_id", "seq"),
            postgresql_where="status in ('queued', 'running', 'failed')",
        ),
    )


class ReceiptRow(TenantOwned, Base):
    """What a block served. No foreign keys: it may be about somebody who is not there yet."""

    __tablename__ = "receipts"

    receipt_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[str | None]
    store_id: Mapped[str | None]
    agent_id: Mapped[str]
    conversation_id: Mapped[str | None]
    fact_ids: Mapped[list[UUID]]
    created_at: Mapped[datetime]

    __table_args__ = (
        Index("ix_receipts_conversation", "org_id", "user_id", "conversation_id", "created_at"),
        Index("ix_receipts_age", "org_id", "created_at"),
    )
