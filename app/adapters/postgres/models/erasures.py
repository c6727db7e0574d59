"""Receipts of erasures, the ledger of what was erased, and what is kept of them beyond an organisation's end."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, LargeBinary
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, TenantOwned


class ErasureRow(TenantOwned, Base):
    """A receipt. While it is not complete its extent is closed, and named in full; afterwards only its kind is.

    `readers` are keyed hashes of the people who may read it, `kept` internal ids of messages that stayed.
    """

    __tablename__ = "erasures"

    receipt_id: Mapped[UUID] = mapped_column(primary_key=True)
    extent: Mapped[str]
    readers: Mapped[list[bytes]] = mapped_column(ARRAY(LargeBinary))
    erased: Mapped[dict[str, Any]] = mapped_column(JSONB)
    kept: Mapped[list[UUID]]
    facts_kept: Mapped[int]
    remaining: Mapped[int]
    searched: Mapped[list[str]]
    keeps_shared: Mapped[bool]
    began_at: Mapped[datetime]
    completed_at: Mapped[datetime | None]

    __table_args__ = (
        Index("uq_erasures_open", "org_id", "extent", unique=True, postgresql_where="completed_at is null"),
    )


class ErasedRow(TenantOwned, Base):
    """A line of the ledger: a keyed hash, and when what it stands for was erased."""

    __tablename__ = "erased"

    digest: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    kind: Mapped[str]
    at: Mapped[datetime]


class PlatformErasureRow(Base):
    """The receipt of an organisation's erasure, or of a person's everywhere; `parts` are those still under way."""

    __tablename__ = "platform_erasures"

    receipt_id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    parts: Mapped[int]
    erased: Mapped[dict[str, Any]] = mapped_column(JSONB)
    remaining: Mapped[int]
    began_at: Mapped[datetime]
    completed_at: Mapped[datetime | None]
