"""What every table class stands on: naming, column types, and the mark of a table that belongs to a tenant."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import DateTime, ForeignKey, MetaData, Text, Uuid
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """All tables."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map: ClassVar = {
        str: Text(),
        datetime: DateTime(timezone=True),
        list[str]: ARRAY(Text()),
        list[UUID]: ARRAY(Uuid()),
        dict[str, Any]: JSONB(),
    }


class Scoped:
    """The mark of a table that the session filters, stamps and refuses by organisation."""

    org_id: Mapped[str] = mapped_column(primary_key=True, sort_order=-100)


class TenantOwned(Scoped):
    """A table of which each row belongs to one organisation; `org_id` leads its keys and goes with its parent."""

    org_id: Mapped[str] = mapped_column(
        ForeignKey("organisations.org_id", ondelete="CASCADE"), primary_key=True, sort_order=-100
    )
