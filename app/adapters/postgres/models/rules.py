"""Rules, version by version."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, TenantOwned


class RulesRow(TenantOwned, Base):
    """One version. Whoever wrote it stands as in the audit trail: a person by their `ref`, until they are gone."""

    __tablename__ = "rules"

    version: Mapped[int] = mapped_column(primary_key=True)
    markdown: Mapped[str]
    actor_type: Mapped[str]
    actor_ref: Mapped[UUID | None]
    created_at: Mapped[datetime]

    __table_args__ = (CheckConstraint("version > 0", name="version"),)
