"""How far each person is consolidated."""

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, TenantOwned
from app.adapters.postgres.models.organisations import PERSON


class CheckpointRow(TenantOwned, Base):
    """A person's last consolidation, for information."""

    __tablename__ = "checkpoints"

    user_id: Mapped[str] = mapped_column(primary_key=True)
    consolidated_at: Mapped[datetime]
    latest_at: Mapped[datetime | None]
    session_id: Mapped[str | None]

    __table_args__ = (ForeignKeyConstraint(("org_id", "user_id"), PERSON, ondelete="CASCADE"),)
