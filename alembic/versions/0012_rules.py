"""Rules in all their versions, and facts of tiers whose numbers an organisation has changed."""

import sqlalchemy as sa
from alembic import context, op

revision = "0012"
down_revision = "0011"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
FACTS = ("org_facts", "store_facts", "user_facts")
FADING = ("tier_half_life_days", "archive_below")


def upgrade() -> None:
    for table in FACTS:
        for column in FADING:
            op.add_column(table, sa.Column(column, sa.Float(), nullable=True))
    op.create_table(
        "rules",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("markdown", sa.Text(), nullable=False),
        sa.Column("actor_type", sa.Text(), nullable=False),
        sa.Column("actor_ref", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("version > 0", name=op.f("ck_rules_version")),
        sa.ForeignKeyConstraint(["org_id"], ["organisations.org_id"], name=op.f("fk_rules_org_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("org_id", "version", name=op.f("pk_rules")),
    )
    serving = serving_role()
    op.execute("alter table rules enable row level security")
    op.execute("alter table rules force row level security")
    op.execute(f"create policy tenant on rules to {serving} using ({OURS}) with check ({OURS})")
    op.execute(f"grant select, insert, update, delete on rules to {serving}")


def downgrade() -> None:
    op.drop_table("rules")
    for table in FACTS:
        for column in FADING:
            op.drop_column(table, column)


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
