"""Vectors of documents."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, ForeignKeyConstraint, Index, SmallInteger, Text, cast, type_coerce
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import UserDefinedType

from app.adapters.postgres.base import Base, Scoped


class HalfVec(UserDefinedType[str]):
    """pgvector's vectors of 16-bit numbers, of any dimension. They travel as text, and are cast where they arrive."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "halfvec"

    def bind_expression(self, bindvalue: Any) -> ColumnElement[str]:
        return cast(type_coerce(bindvalue, Text), self)

    def bind_processor(self, dialect: Any) -> Callable[[Any], Any] | None:
        return None


ischema_names["halfvec"] = HalfVec
"""So that the schema is read back as it was written."""


class VectorRow(Scoped, Base):
    """The vector of one part of a document, by `model`; the shelf is the document's.

    `beside` is the message before it, where its words were read along.
    """

    __tablename__ = "vectors"

    kind: Mapped[str] = mapped_column(primary_key=True)
    document: Mapped[UUID] = mapped_column(primary_key=True)
    part: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    shelf: Mapped[str]
    model: Mapped[str]
    beside_kind: Mapped[str | None]
    beside: Mapped[UUID | None]
    embedding: Mapped[str] = mapped_column(HalfVec)

    __table_args__ = (
        ForeignKeyConstraint(
            ("org_id", "kind", "document"),
            ("documents.org_id", "documents.kind", "documents.id"),
            ondelete="CASCADE",
        ),
        Index("ix_vectors_shelf", "org_id", "shelf", "kind"),
        ForeignKeyConstraint(
            ("org_id", "beside_kind", "beside"),
            ("documents.org_id", "documents.kind", "documents.id"),
            ondelete="CASCADE",
        ),
        Index("ix_vectors_beside", "org_id", "beside_kind", "beside"),
    )
