"""The audit trail: lines that stay, and their words, which can be erased."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKeyConstraint, Identity, Index, LargeBinary
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, TenantOwned


class EventRow(TenantOwned, Base):
    """One line. People and stores stand as their `ref`, so that a line says nothing once they are gone. The database
    draws `place` for each in turn, which orders what is sealed.
    """

    __tablename__ = "events"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    scope: Mapped[str | None]
    subject_ref: Mapped[UUID | None]
    fact_id: Mapped[UUID | None]
    actor_type: Mapped[str]
    actor_ref: Mapped[UUID | None]
    digest: Mapped[str]
    created_at: Mapped[datetime]
    place: Mapped[int] = mapped_column(BigInteger, Identity(always=True))

    __table_args__ = (
        Index("ix_events_place", "org_id", "place", unique=True),
        Index("ix_events_subject", "org_id", "subject_ref", "id"),
        Index("ix_events_fact", "org_id", "fact_id", "id"),
        Index("ix_events_kind", "org_id", "kind", "id"),
    )


class EventValuesRow(TenantOwned, Base):
    """The words of a line."""

    __tablename__ = "event_values"

    event_id: Mapped[UUID] = mapped_column(primary_key=True)
    old: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    new: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    reason: Mapped[str | None]
    salt: Mapped[str]

    __table_args__ = (ForeignKeyConstraint(("org_id", "event_id"), ("events.org_id", "events.id"), ondelete="CASCADE"),)


class SealRow(TenantOwned, Base):
    """A seal over the lines behind the one before it. `seq` counts them from 1 on, in each organisation."""

    __tablename__ = "event_seals"

    seq: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    first_place: Mapped[int] = mapped_column(BigInteger)
    last_place: Mapped[int] = mapped_column(BigInteger)
    count: Mapped[int]
    previous: Mapped[str]
    digest: Mapped[str]
    leaves: Mapped[bytes] = mapped_column(LargeBinary)
    sealed_at: Mapped[datetime]
