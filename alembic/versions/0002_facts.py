"""Facts in three tables of one shape."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _make("org_facts")
    _make("store_facts", "store_id", "stores")
    _make("user_facts", "user_id", "people")


def downgrade() -> None:
    op.drop_table("user_facts")
    op.drop_table("store_facts")
    op.drop_table("org_facts")


def _make(table: str, subject: str | None = None, parent: str | None = None) -> None:
    """One table; `subject` is the column that says whom its facts are about, `parent` the table that keeps them."""
    op.create_table(table, *_columns(), *_constraints(table))
    about = [subject] if subject else []
    if subject and parent:
        op.add_column(table, sa.Column(subject, sa.Text(), nullable=False))
        name = op.f(f"fk_{table}_org_id_{subject}")
        op.create_foreign_key(name, table, parent, ["org_id", subject], ["org_id", subject], ondelete="CASCADE")
    op.create_index(f"ix_{table}_key", table, ["org_id", *about, "agent_id", "key"])
    live = sa.text("archived_at is null")
    op.create_index(f"ix_{table}_rank", table, ["org_id", *about, "agent_id", "tier", "rank"], postgresql_where=live)
    own = sa.text("half_life_days is not null and archived_at is null")
    op.create_index(f"ix_{table}_fades_at", table, ["org_id", *about, "agent_id", "fades_at"], postgresql_where=own)
    pinned = sa.text("pinned and archived_at is null")
    op.create_index(f"ix_{table}_pinned", table, ["org_id", *about, "agent_id"], postgresql_where=pinned)
    op.create_index(f"ix_{table}_superseded_by", table, ["org_id", "superseded_by"])


def _columns() -> list[sa.Column]:  # type: ignore[type-arg]
    return [
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("agent_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("normal", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("tags", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("tier", sa.Text(), nullable=False),
        sa.Column("half_life_days", sa.Double(), nullable=True),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("many", sa.Boolean(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("trust", sa.Text(), nullable=False),
        sa.Column("by_hand", sa.Boolean(), nullable=False),
        sa.Column("confirmation_count", sa.Integer(), nullable=False),
        sa.Column("source", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("contradicted", sa.Boolean(), nullable=False),
        sa.Column("newer_rivals", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Double(), nullable=False),
        sa.Column("fades_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_reinforced_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("valid_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("valid_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("superseded_by", sa.Uuid(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
    ]


def _constraints(table: str) -> list[sa.Constraint]:
    return [
        sa.PrimaryKeyConstraint("org_id", "id", name=op.f(f"pk_{table}")),
        sa.CheckConstraint("confidence > 0 and confidence <= 1", name=op.f(f"ck_{table}_confidence")),
        sa.CheckConstraint("half_life_days > 0 and half_life_days <= 36500", name=op.f(f"ck_{table}_half_life")),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f(f"fk_{table}_org_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["org_id", "superseded_by"],
            [f"{table}.org_id", f"{table}.id"],
            name=op.f(f"fk_{table}_org_id_superseded_by"),
            ondelete="SET NULL (superseded_by)",
            initially="DEFERRED",
            deferrable=True,
        ),
    ]
