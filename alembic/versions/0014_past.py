"""Reading as of another time: when documents were recorded, and what finds the entries of the organisation itself."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

ENTRIES = ("fact_sources", "fact_decisions")


def upgrade() -> None:
    op.add_column("documents", sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=True))
    for table in ENTRIES:
        shared = sa.text("store_id is null and user_id is null")
        op.create_index(f"ix_{table}_org", table, ["org_id", "id"], postgresql_where=shared)
    mergers = sa.text("verdict = 'merge'")
    op.create_index("ix_fact_decisions_mergers", "fact_decisions", ["org_id", "agent_id"], postgresql_where=mergers)


def downgrade() -> None:
    op.drop_index("ix_fact_decisions_mergers", "fact_decisions")
    for table in ENTRIES:
        op.drop_index(f"ix_{table}_org", table)
    op.drop_column("documents", "recorded_at")
