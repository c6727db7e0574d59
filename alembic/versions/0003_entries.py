"""The sources and decisions that facts are folded from."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "fact_sources",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("relation", sa.Text(), nullable=False),
        sa.Column("trust", sa.Text(), nullable=False),
        sa.Column("value", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("normal", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("traits", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("evidence", sa.Text(), nullable=True),
        sa.Column("reasoning", sa.Text(), nullable=True),
        sa.Column("conversation_id", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("channel", sa.Text(), nullable=True),
        sa.Column("replaces", sa.Uuid(), nullable=True),
        sa.Column("slot", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("store_id", sa.Text(), nullable=True),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("agent_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("author_type", sa.Text(), nullable=False),
        sa.Column("author_id", sa.Text(), nullable=False),
        sa.CheckConstraint("(scope = 'store') = (store_id is not null)", name=op.f("ck_fact_sources_store")),
        sa.CheckConstraint("(scope = 'user') = (user_id is not null)", name=op.f("ck_fact_sources_user")),
        sa.ForeignKeyConstraint(
            ["org_id", "store_id"],
            ["stores.org_id", "stores.store_id"],
            name=op.f("fk_fact_sources_org_id_store_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id", "user_id"],
            ["people.org_id", "people.user_id"],
            name=op.f("fk_fact_sources_org_id_user_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_fact_sources_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "id", name=op.f("pk_fact_sources")),
    )
    op.create_index(
        "ix_fact_sources_key", "fact_sources", ["org_id", "agent_id", "key", "store_id", "user_id"], unique=False
    )
    op.create_index(
        "ix_fact_sources_message", "fact_sources", ["org_id", "conversation_id", "message_id"], unique=False
    )
    op.create_index("ix_fact_sources_author", "fact_sources", ["org_id", "author_id"], unique=False)
    op.create_index("ix_fact_sources_store", "fact_sources", ["org_id", "store_id"], unique=False)
    op.create_index("ix_fact_sources_user", "fact_sources", ["org_id", "user_id"], unique=False)
    op.create_index(
        "uq_fact_sources_statement",
        "fact_sources",
        ["org_id", "conversation_id", "message_id", "agent_id", "key", "store_id", "user_id", "slot"],
        unique=True,
        postgresql_nulls_not_distinct=True,
        postgresql_where=sa.text("message_id is not null"),
    )
    op.create_table(
        "fact_decisions",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("fact_id", sa.Uuid(), nullable=False),
        sa.Column("changes", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("store_id", sa.Text(), nullable=True),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("agent_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("author_type", sa.Text(), nullable=False),
        sa.Column("author_id", sa.Text(), nullable=False),
        sa.CheckConstraint("(scope = 'store') = (store_id is not null)", name=op.f("ck_fact_decisions_store")),
        sa.CheckConstraint("(scope = 'user') = (user_id is not null)", name=op.f("ck_fact_decisions_user")),
        sa.ForeignKeyConstraint(
            ["org_id", "store_id"],
            ["stores.org_id", "stores.store_id"],
            name=op.f("fk_fact_decisions_org_id_store_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id", "user_id"],
            ["people.org_id", "people.user_id"],
            name=op.f("fk_fact_decisions_org_id_user_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_fact_decisions_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "id", name=op.f("pk_fact_decisions")),
    )
    op.create_index(
        "ix_fact_decisions_key", "fact_decisions", ["org_id", "agent_id", "key", "store_id", "user_id"], unique=False
    )
    op.create_index("ix_fact_decisions_author", "fact_decisions", ["org_id", "author_id"], unique=False)
    op.create_index("ix_fact_decisions_store", "fact_decisions", ["org_id", "store_id"], unique=False)
    op.create_index("ix_fact_decisions_user", "fact_decisions", ["org_id", "user_id"], unique=False)


def downgrade() -> None:
    op.drop_table("fact_decisions")
    op.drop_table("fact_sources")
