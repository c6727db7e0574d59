"""Idempotency keys and how their requests were answered."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, LargeBinary
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, Scoped


class IdempotencyRow(Scoped, Base):
    """A claimed key: digests, and, once it is finished, a status with ids.

    No foreign key: the request may make its organisation, or remove it and still have to be answered once more.
    """

    __tablename__ = "idempotency"

    key: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    request: Mapped[bytes] = mapped_column(LargeBinary)
    attempt: Mapped[UUID]
    claimed_at: Mapped[datetime]
    lease_until: Mapped[datetime]
    status: Mapped[int | None]
    answer: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))

    __table_args__ = (Index("ix_idempotency_age", "claimed_at"),)
