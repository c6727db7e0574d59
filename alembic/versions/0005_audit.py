"""The audit trail."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=True),
        sa.Column("subject_ref", sa.Uuid(), nullable=True),
        sa.Column("fact_id", sa.Uuid(), nullable=True),
        sa.Column("actor_type", sa.Text(), nullable=False),
        sa.Column("actor_ref", sa.Uuid(), nullable=True),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_events_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "id", name=op.f("pk_events")),
    )
    op.create_index("ix_events_fact", "events", ["org_id", "fact_id", "id"], unique=False)
    op.create_index("ix_events_kind", "events", ["org_id", "kind", "id"], unique=False)
    op.create_table(
        "event_values",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Uuid(), nullable=False),
        sa.Column("old", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("new", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["org_id", "event_id"],
            ["events.org_id", "events.id"],
            name=op.f("fk_event_values_org_id_event_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_event_values_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "event_id", name=op.f("pk_event_values")),
    )


def downgrade() -> None:
    op.drop_table("event_values")
    op.drop_table("events")
