"""Organisations and what belongs to them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None


def upgrade() -> None:
    _make_organisations()
    _make_platform_keys()
    _make_api_keys()
    _make_people()
    _make_stores()
    _make_channel_links()


def downgrade() -> None:
    op.drop_table("channel_links")
    op.drop_table("stores")
    op.drop_table("people")
    op.drop_table("api_keys")
    op.drop_table("platform_keys")
    op.drop_table("organisations")


def _make_organisations() -> None:
    op.create_table(
        "organisations",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("settings", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("org_id", name=op.f("pk_organisations")),
    )


def _make_platform_keys() -> None:
    op.create_table(
        "platform_keys",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_platform_keys")),
        sa.UniqueConstraint("digest", name=op.f("uq_platform_keys_digest")),
    )


def _make_api_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("act_for_people", sa.Boolean(), nullable=False),
        sa.Column("store_ids", postgresql.ARRAY(sa.Text()), nullable=True),
        sa.Column("agent_ids", postgresql.ARRAY(sa.Text()), nullable=True),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("role in ('member', 'admin', 'owner')", name=op.f("ck_api_keys_role")),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_api_keys_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "id", name=op.f("pk_api_keys")),
    )
    op.create_index("ix_api_keys_digest", "api_keys", ["digest"])


def _make_people() -> None:
    op.create_table(
        "people",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("ref", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("display_name", sa.Text(), nullable=True),
        sa.Column("remember", sa.Boolean(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("role in ('member', 'admin', 'owner')", name=op.f("ck_people_role")),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_people_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "user_id", name=op.f("pk_people")),
    )
    op.create_index("ix_people_ref", "people", ["org_id", "ref"])


def _make_stores() -> None:
    op.create_table(
        "stores",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("store_id", sa.Text(), nullable=False),
        sa.Column("ref", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_stores_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "store_id", name=op.f("pk_stores")),
    )
    op.create_index("ix_stores_ref", "stores", ["org_id", "ref"])


def _make_channel_links() -> None:
    op.create_table(
        "channel_links",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("store_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["org_id", "store_id"],
            ["stores.org_id", "stores.store_id"],
            name=op.f("fk_channel_links_org_id_store_id"),
            ondelete="SET NULL (store_id)",
        ),
        sa.ForeignKeyConstraint(
            ["org_id", "user_id"],
            ["people.org_id", "people.user_id"],
            name=op.f("fk_channel_links_org_id_user_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_channel_links_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "channel", "address", name=op.f("pk_channel_links")),
    )
    op.create_index("ix_channel_links_person", "channel_links", ["org_id", "user_id"])
    op.create_index("ix_channel_links_store", "channel_links", ["org_id", "store_id"])
