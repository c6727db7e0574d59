"""The sources and decisions that facts are folded from: two tables that share where an entry belongs."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    _make("fact_sources", *_source_columns())
    op.create_index("ix_fact_sources_message", "fact_sources", ["org_id", "conversation_id", "message_id"])
    op.create_index(
        "uq_fact_sources_statement",
        "fact_sources",
        ["org_id", "conversation_id", "message_id", "agent_id", "key", "store_id", "user_id", "slot"],
        unique=True,
        postgresql_nulls_not_distinct=True,
        postgresql_where=sa.text("message_id is not null"),
    )
    _make(
        "fact_decisions",
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("fact_id", sa.Uuid(), nullable=False),
        sa.Column("changes", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("fact_decisions")
    op.drop_table("fact_sources")


def _make(table: str, *columns: sa.Column) -> None:  # type: ignore[type-arg]
    """One table, with its own columns between the organisation and where an entry belongs."""
    first = sa.Column("org_id", sa.Text(), nullable=False)
    op.create_table(table, first, *columns, *_place_columns(), *_constraints(table))
    op.create_index(f"ix_{table}_key", table, ["org_id", "agent_id", "key", "store_id", "user_id"])
    op.create_index(f"ix_{table}_author", table, ["org_id", "author_id"])
    op.create_index(f"ix_{table}_store", table, ["org_id", "store_id"])
    op.create_index(f"ix_{table}_user", table, ["org_id", "user_id"])


def _source_columns() -> list[sa.Column]:  # type: ignore[type-arg]
    return [
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
    ]


def _place_columns() -> list[sa.Column]:  # type: ignore[type-arg]
    return [
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
    ]


def _constraints(table: str) -> list[sa.Constraint]:
    stores, people = ["stores.org_id", "stores.store_id"], ["people.org_id", "people.user_id"]
    by_store, by_person = op.f(f"fk_{table}_org_id_store_id"), op.f(f"fk_{table}_org_id_user_id")
    by_organisation = op.f(f"fk_{table}_org_id")
    return [
        sa.CheckConstraint("(scope = 'store') = (store_id is not null)", name=op.f(f"ck_{table}_store")),
        sa.CheckConstraint("(scope = 'user') = (user_id is not null)", name=op.f(f"ck_{table}_user")),
        sa.ForeignKeyConstraint(["org_id", "store_id"], stores, name=by_store, ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["org_id", "user_id"], people, name=by_person, ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["org_id"], ["organisations.org_id"], name=by_organisation, ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("org_id", "id", name=op.f(f"pk_{table}")),
    ]
