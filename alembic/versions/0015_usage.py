"""What organisations use by day, and how much of it they may."""

import sqlalchemy as sa
from alembic import context, op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0015"
down_revision = "0014"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
AMOUNTS = ("turns", "model_calls", "input_tokens", "output_tokens")


def upgrade() -> None:
    op.add_column("organisations", sa.Column("quotas", JSONB(), nullable=False, server_default="{}"))
    op.create_table(
        "usage_days",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        *(sa.Column(amount, sa.BigInteger(), nullable=False) for amount in AMOUNTS),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_usage_days_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "day", name=op.f("pk_usage_days")),
    )
    serving = serving_role()
    op.execute("alter table usage_days enable row level security")
    op.execute("alter table usage_days force row level security")
    op.execute(f"create policy tenant on usage_days to {serving} using ({OURS}) with check ({OURS})")
    op.execute(f"grant select, insert, update, delete on usage_days to {serving}")


def downgrade() -> None:
    op.drop_table("usage_days")
    op.drop_column("organisations", "quotas")


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
