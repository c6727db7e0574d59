"""What stands between rows of two keys: rivals elsewhere, decisions about them, and what is still to be compared."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

TABLES = ("org_facts", "store_facts", "user_facts")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("opposed", sa.ARRAY(sa.Uuid()), nullable=True))
        op.add_column(table, sa.Column("compared_at", sa.DateTime(timezone=True), nullable=True))
        new = sa.text("compared_at is null and archived_at is null and policy is null")
        op.create_index(f"ix_{table}_uncompared", table, ["org_id", "id"], postgresql_where=new)
    crossing = sa.text("verdict in ('overtake', 'oppose')")
    op.create_index("ix_fact_decisions_crossing", "fact_decisions", ["org_id", "agent_id"], postgresql_where=crossing)


def downgrade() -> None:
    op.drop_index("ix_fact_decisions_crossing", "fact_decisions")
    op.execute("delete from fact_decisions where verdict in ('overtake', 'oppose')")
    for table in TABLES:
        op.drop_index(f"ix_{table}_uncompared", table)
        op.drop_column(table, "compared_at")
        op.drop_column(table, "opposed")
