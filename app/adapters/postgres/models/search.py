"""The search index: documents, and which terms they hold where."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, SmallInteger
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, Scoped, TenantOwned
from app.adapters.postgres.models.organisations import PERSON, STORE


class DocumentRow(TenantOwned, Base):
    """One document of `length` terms, and what decides who finds it. `shelf` names whom it is about.

    `embedded` names the space of its vectors: '' for none, '!' where that failed for the time being. `writer` is the
    transaction that wrote the row as it is.
    """

    __tablename__ = "documents"

    kind: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    shelf: Mapped[str]
    user_id: Mapped[str | None]
    store_id: Mapped[str | None]
    agent_id: Mapped[str]
    label: Mapped[str]
    public: Mapped[bool]
    disowned: Mapped[bool]
    length: Mapped[int]
    at: Mapped[datetime | None]
    recorded_at: Mapped[datetime | None]
    embedded: Mapped[str] = mapped_column(server_default="")
    conversation_id: Mapped[str | None]
    marks: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    writer: Mapped[str] = mapped_column("xmin", system=True, deferred=True)

    __table_args__ = (
        CheckConstraint("kind in ('fact', 'message', 'reply', 'observation')", name="kind"),
        ForeignKeyConstraint(("org_id", "user_id"), PERSON, ondelete="CASCADE"),
        ForeignKeyConstraint(("org_id", "store_id"), STORE, ondelete="CASCADE"),
        Index("ix_documents_shelf", "org_id", "shelf", "kind"),
        Index("ix_documents_user", "org_id", "user_id"),
        Index("ix_documents_store", "org_id", "store_id"),
        Index("ix_documents_lacking", "org_id", "id", postgresql_where="embedded = ''"),
        Index("ix_documents_embedded", "org_id", "embedded", "id", postgresql_where="embedded <> ''"),
        Index(
            "ix_documents_conversation",
            *("org_id", "conversation_id", "at", "id"),
            postgresql_where="conversation_id is not null",
        ),
    )


class PostingRow(Scoped, Base):
    """That a document holds a term, and at which places; the shelf leads, so that a search reads no other's."""

    __tablename__ = "postings"

    shelf: Mapped[str] = mapped_column(primary_key=True)
    term: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    document: Mapped[UUID] = mapped_column(primary_key=True)
    places: Mapped[list[int]] = mapped_column(ARRAY(SmallInteger))

    __table_args__ = (
        ForeignKeyConstraint(
            ("org_id", "kind", "document"),
            ("documents.org_id", "documents.kind", "documents.id"),
            ondelete="CASCADE",
        ),
        Index("ix_postings_document", "org_id", "kind", "document"),
    )
