"""Messages, jobs and receipts."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    _make_messages()
    _index_messages()
    _make_jobs()
    _index_jobs()
    _make_receipts()


def downgrade() -> None:
    op.drop_table("receipts")
    op.drop_table("jobs")
    op.drop_table("messages")


def _make_messages() -> None:
    op.create_table(
        "messages",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("speaker", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("utc_offset", sa.Integer(), nullable=True),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("store_id", sa.Text(), nullable=True),
        sa.Column("agent_id", sa.Text(), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["org_id", "store_id"],
            ["stores.org_id", "stores.store_id"],
            name=op.f("fk_messages_org_id_store_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id", "user_id"],
            ["people.org_id", "people.user_id"],
            name=op.f("fk_messages_org_id_user_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_messages_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "id", name=op.f("pk_messages")),
        sa.UniqueConstraint(
            "org_id", "conversation_id", "message_id", name=op.f("uq_messages_org_id_conversation_id_message_id")
        ),
    )


def _index_messages() -> None:
    op.create_index("ix_messages_conversation", "messages", ["org_id", "conversation_id", "user_id", "sent_at"])
    op.create_index("ix_messages_store", "messages", ["org_id", "store_id"])
    op.create_index("ix_messages_user", "messages", ["org_id", "user_id"])


def _make_jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("lane", sa.Text(), nullable=False),
        sa.Column("payload", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("run_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("result", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("maker_type", sa.Text(), nullable=False),
        sa.Column("maker_id", sa.Text(), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=True),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status in ('queued', 'running', 'done', 'failed', 'dead', 'cancelled')", name=op.f("ck_jobs_status")
        ),
        sa.ForeignKeyConstraint(
            ["org_id", "user_id"],
            ["people.org_id", "people.user_id"],
            name=op.f("fk_jobs_org_id_user_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["org_id"], ["organisations.org_id"], name=op.f("fk_jobs_org_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("org_id", "id", name=op.f("pk_jobs")),
    )


def _index_jobs() -> None:
    op.create_index(
        "ix_jobs_open",
        "jobs",
        ["org_id", "lane", "seq"],
        postgresql_where="status in ('queued', 'running', 'failed')",
    )
    op.create_index(
        "ix_jobs_open_seq",
        "jobs",
        ["org_id", "seq"],
        postgresql_where="status in ('queued', 'running', 'failed')",
    )
    op.create_index("ix_jobs_key", "jobs", ["org_id", "key_id", "id"])
    op.create_index("ix_jobs_maker", "jobs", ["org_id", "maker_id", "id"])
    op.create_index("ix_jobs_status", "jobs", ["org_id", "status", "id"])
    op.create_index("ix_jobs_user", "jobs", ["org_id", "user_id"])


def _make_receipts() -> None:
    op.create_table(
        "receipts",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("receipt_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("store_id", sa.Text(), nullable=True),
        sa.Column("agent_id", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=True),
        sa.Column("fact_ids", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_receipts_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "receipt_id", name=op.f("pk_receipts")),
    )
    op.create_index("ix_receipts_age", "receipts", ["org_id", "created_at"])
    op.create_index("ix_receipts_conversation", "receipts", ["org_id", "user_id", "conversation_id", "created_at"])
