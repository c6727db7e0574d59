"""Organisations and what belongs to them; the platform's own keys, which belong to none."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKeyConstraint, Index, LargeBinary
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.adapters.postgres.base import Base, Scoped, TenantOwned

PERSON = ("people.org_id", "people.user_id")
STORE = ("stores.org_id", "stores.store_id")


class OrganisationRow(Scoped, Base):
    """A tenant. Its own row is scoped like the rest, by its primary key. `seals` counts those on its audit trail."""

    __tablename__ = "organisations"

    name: Mapped[str]
    settings: Mapped[dict[str, Any]] = mapped_column(JSONB)
    version: Mapped[int]
    quotas: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}")
    seals: Mapped[int] = mapped_column(BigInteger, server_default="0")
    created_at: Mapped[datetime]


class StoreRow(TenantOwned, Base):
    """`ref` stands for the store in the audit trail, which must not hold the caller's ids."""

    __tablename__ = "stores"

    store_id: Mapped[str] = mapped_column(primary_key=True)
    ref: Mapped[UUID]
    name: Mapped[str]
    time_zone: Mapped[str | None]
    created_at: Mapped[datetime]

    __table_args__ = (Index("ix_stores_ref", "org_id", "ref"),)


class PersonRow(TenantOwned, Base):
    """An operator (with a role) or a contact (without); `ref` as for stores."""

    __tablename__ = "people"

    user_id: Mapped[str] = mapped_column(primary_key=True)
    ref: Mapped[UUID]
    role: Mapped[str | None]
    display_name: Mapped[str | None]
    remember: Mapped[bool]
    time_zone: Mapped[str | None]
    created_at: Mapped[datetime]

    __table_args__ = (
        CheckConstraint("role in ('member', 'admin', 'owner')", name="role"),
        Index("ix_people_ref", "org_id", "ref"),
    )


class ChannelLinkRow(TenantOwned, Base):
    """An address of a channel as an alias of a person and a store."""

    __tablename__ = "channel_links"

    channel: Mapped[str] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    store_id: Mapped[str | None]
    created_at: Mapped[datetime]

    __table_args__ = (
        ForeignKeyConstraint(("org_id", "user_id"), PERSON, ondelete="CASCADE"),
        ForeignKeyConstraint(("org_id", "store_id"), STORE, ondelete="SET NULL (store_id)"),
        Index("ix_channel_links_person", "org_id", "user_id"),
        Index("ix_channel_links_store", "org_id", "store_id"),
    )


class ApiKeyRow(TenantOwned, Base):
    """A key, as its HMAC. Looked up by digest before any scope is known, hence the one index that leads otherwise."""

    __tablename__ = "api_keys"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    name: Mapped[str]
    role: Mapped[str]
    act_for_people: Mapped[bool]
    store_ids: Mapped[list[str] | None]
    agent_ids: Mapped[list[str] | None]
    created_by: Mapped[str]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]

    __table_args__ = (
        CheckConstraint("role in ('member', 'admin', 'owner')", name="role"),
        Index("ix_api_keys_digest", "digest"),
    )


class PlatformKeyRow(Base):
    """A key of the platform; made by the command line as the owner role, read through a function alone."""

    __tablename__ = "platform_keys"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    name: Mapped[str]
    created_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
