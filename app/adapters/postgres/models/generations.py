"""Generations: numbers that stand for the state of what a reader is served."""

from sqlalchemy import BigInteger, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, TenantOwned
from app.adapters.postgres.models.organisations import PERSON, STORE


class GenerationRow(TenantOwned, Base):
    """The number of one shelf: the organisation's, a store's or a person's. Whoever has none yet is at 0."""

    __tablename__ = "generations"

    shelf: Mapped[str] = mapped_column(primary_key=True)
    store_id: Mapped[str | None]
    user_id: Mapped[str | None]
    number: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (
        ForeignKeyConstraint(("org_id", "user_id"), PERSON, ondelete="CASCADE"),
        ForeignKeyConstraint(("org_id", "store_id"), STORE, ondelete="CASCADE"),
        Index("ix_generations_user", "org_id", "user_id"),
        Index("ix_generations_store", "org_id", "store_id"),
    )
