"""What organisations used."""

from datetime import date

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, TenantOwned


class UsageRow(TenantOwned, Base):
    """One day of UTC. Every use adds to its row."""

    __tablename__ = "usage_days"

    day: Mapped[date] = mapped_column(primary_key=True)
    turns: Mapped[int] = mapped_column(BigInteger)
    model_calls: Mapped[int] = mapped_column(BigInteger)
    input_tokens: Mapped[int] = mapped_column(BigInteger)
    output_tokens: Mapped[int] = mapped_column(BigInteger)
    embeddings: Mapped[int] = mapped_column(BigInteger, server_default="0")
    embedding_tokens: Mapped[int] = mapped_column(BigInteger, server_default="0")
