"""What waits to be imported."""

from uuid import UUID

from sqlalchemy import BigInteger, ForeignKeyConstraint, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, TenantOwned


class ImportRecordRow(TenantOwned, Base):
    """One record of a file, as JSON text, until the job has brought it in; it goes with the job.

    The other columns say in which order records come, and name what it is about, so that it can be found to be erased.
    No foreign keys: what they name may not be there yet.
    """

    __tablename__ = "import_records"

    job_id: Mapped[UUID] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    step: Mapped[int] = mapped_column(SmallInteger)
    place: Mapped[str]
    section: Mapped[str]
    record: Mapped[str]
    id: Mapped[UUID | None]
    user_id: Mapped[str | None]
    author_id: Mapped[str | None]
    store_id: Mapped[str | None]
    fact_id: Mapped[UUID | None]
    conversation_id: Mapped[str | None]
    message_id: Mapped[str | None]

    __table_args__ = (
        ForeignKeyConstraint(("org_id", "job_id"), ("jobs.org_id", "jobs.id"), ondelete="CASCADE"),
        Index("ix_import_records_next", "org_id", "job_id", "step", "place", "seq"),
        Index("ix_import_records_user", "org_id", "user_id"),
        Index("ix_import_records_author", "org_id", "author_id"),
    )
