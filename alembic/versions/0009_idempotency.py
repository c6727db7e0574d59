"""Idempotency keys: digests, and how their requests were answered."""

import sqlalchemy as sa
from alembic import context, op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
FORGET_IDEMPOTENCY = """
create function forget_idempotency(before timestamptz, at_most integer) returns bigint
language sql volatile security definer set search_path = pg_catalog, public as $$
    with gone as (
        delete from idempotency where (org_id, key) in (
            select i.org_id, i.key from idempotency i where i.claimed_at < before
            order by i.claimed_at limit at_most for update skip locked
        ) returning 1
    ) select count(*) from gone
$$
"""
SIGNATURE = "forget_idempotency(timestamptz, integer)"


def upgrade() -> None:
    op.create_table(
        "idempotency",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("request", sa.LargeBinary(), nullable=False),
        sa.Column("attempt", sa.Uuid(), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("answer", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.PrimaryKeyConstraint("org_id", "key", name=op.f("pk_idempotency")),
    )
    op.create_index("ix_idempotency_age", "idempotency", ["claimed_at"])
    serving = serving_role()
    op.execute("alter table idempotency enable row level security")
    op.execute("alter table idempotency force row level security")
    op.execute(f"create policy tenant on idempotency to {serving} using ({OURS}) with check ({OURS})")
    op.execute(f"grant select, insert, update, delete on idempotency to {serving}")
    op.execute("create policy directory on idempotency to current_user using (true)")
    op.execute(FORGET_IDEMPOTENCY)
    op.execute(f"revoke all on function {SIGNATURE} from public")
    op.execute(f"grant execute on function {SIGNATURE} to {serving}")


def downgrade() -> None:
    op.execute(f"drop function {SIGNATURE}")
    op.drop_table("idempotency")


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
