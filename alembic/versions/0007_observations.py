"""Observations, partitioned by the day of their UUIDv7 id, and the list of organisations for the worker.

Partitions are made and dropped by the worker's maintenance and by `retenir migrate`; what falls outside of them lies in
`observations_rest`. They inherit no policy, so nobody but the owner has any right to one.
"""

import sqlalchemy as sa
from alembic import context, op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
LIST_ORGANISATIONS = """
create function list_organisations(behind text, at_most integer) returns table (org_id text)
language sql stable security definer set search_path = pg_catalog, public as $$
    select o.org_id from organisations o where o.org_id > behind order by o.org_id limit at_most
$$
"""
SIGNATURE = "list_organisations(text, integer)"


def upgrade() -> None:
    _create_table()
    op.execute("create table observations_rest partition of observations default")
    serving = serving_role()
    op.execute("alter table observations enable row level security")
    op.execute("alter table observations force row level security")
    op.execute(f"create policy tenant on observations to {serving} using ({OURS}) with check ({OURS})")
    op.execute(f"grant select, insert, update, delete on observations to {serving}")
    op.execute("create policy directory on organisations for select to current_user using (true)")
    op.execute(LIST_ORGANISATIONS)
    op.execute(f"revoke all on function {SIGNATURE} from public")
    op.execute(f"grant execute on function {SIGNATURE} to {serving}")


def _create_table() -> None:
    op.create_table(
        "observations",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("store_id", sa.Text(), nullable=True),
        sa.Column("agent_id", sa.Text(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=True),
        sa.Column("metadata", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("tags", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("error_family", sa.Text(), nullable=True),
        sa.Column("conversation_id", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("channel", sa.Text(), nullable=True),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("consolidated_at", sa.DateTime(timezone=True), nullable=True),
        *_constraints(),
        postgresql_partition_by="RANGE (id)",
    )
    for name, columns, where in (
        ("user", ["org_id", "user_id", "id"], None),
        ("store", ["org_id", "store_id"], None),
        ("open", ["org_id", "user_id", "id"], "consolidated_at is null"),
        ("failures", ["org_id", "user_id"], "type = 'tool_failure'"),
        ("message", ["org_id", "conversation_id", "message_id"], "message_id is not null"),
    ):
        op.create_index(f"ix_observations_{name}", "observations", columns, postgresql_where=where)


def _constraints() -> tuple[sa.Constraint, ...]:
    return (
        sa.CheckConstraint(
            "(type = 'tool_failure') = (error_family is not null)", name=op.f("ck_observations_error_family")
        ),
        sa.ForeignKeyConstraint(
            ["org_id", "store_id"],
            ["stores.org_id", "stores.store_id"],
            name=op.f("fk_observations_org_id_store_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id", "user_id"],
            ["people.org_id", "people.user_id"],
            name=op.f("fk_observations_org_id_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("org_id", "id", name=op.f("pk_observations")),
    )


def downgrade() -> None:
    op.execute(f"drop function {SIGNATURE}")
    op.execute("drop policy directory on organisations")
    op.drop_table("observations")


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
