"""Behavioural facts, the sessions they rest on, and how far each person is consolidated."""

import sqlalchemy as sa
from alembic import context, op

revision = "0008"
down_revision = "0007"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
SUBJECTS = {"org_facts": [], "store_facts": ["store_id"], "user_facts": ["user_id"]}
POLICY = "policy in ('exponential', 'adaptive')"


def upgrade() -> None:
    for table, subject in SUBJECTS.items():
        op.add_column(table, sa.Column("policy", sa.Text(), nullable=True))
        op.add_column(table, sa.Column("ease", sa.Double(), nullable=True))
        op.add_column(table, sa.Column("reinforcement_count", sa.Integer(), nullable=False, server_default="0"))
        op.create_check_constraint(op.f(f"ck_{table}_policy"), table, POLICY)
        _index_ranks(table, subject, "archived_at is null and policy is null")
    behaviour = ["org_id", "user_id", "agent_id", "category", "rank"]
    shown = sa.text("archived_at is null and policy is not null")
    op.create_index("ix_user_facts_behaviour", "user_facts", behaviour, postgresql_where=shown)
    fading = sa.text("policy is not null")
    op.create_index("ix_user_facts_fading", "user_facts", ["org_id", "user_id", "fades_at"], postgresql_where=fading)
    _add_sessions()
    _make_checkpoints()


def downgrade() -> None:
    op.drop_table("checkpoints")
    op.execute("delete from fact_sources where session is not null")
    op.drop_index("uq_fact_sources_session", "fact_sources")
    for column in ("observation_ids", "policy", "quality", "session"):
        op.drop_column("fact_sources", column)
    op.execute("delete from user_facts where policy is not null")
    op.drop_index("ix_user_facts_fading", "user_facts")
    op.drop_index("ix_user_facts_behaviour", "user_facts")
    for table, subject in SUBJECTS.items():
        _index_ranks(table, subject, "archived_at is null")
        for column in ("reinforcement_count", "ease", "policy"):
            op.drop_column(table, column)


def _index_ranks(table: str, subject: list[str], where: str) -> None:
    """Ranks are compared among what is stated: what sessions show is read by an index of its own."""
    op.drop_index(f"ix_{table}_rank", table)
    columns = ["org_id", *subject, "agent_id", "tier", "rank"]
    op.create_index(f"ix_{table}_rank", table, columns, postgresql_where=sa.text(where))


def _add_sessions() -> None:
    """The partial index is what keeps a session from counting twice, whoever consolidates."""
    op.add_column("fact_sources", sa.Column("session", sa.Text(), nullable=True))
    op.add_column("fact_sources", sa.Column("quality", sa.Double(), nullable=True))
    op.add_column("fact_sources", sa.Column("policy", sa.Text(), nullable=True))
    op.add_column("fact_sources", sa.Column("observation_ids", sa.ARRAY(sa.Uuid()), nullable=True))
    op.create_check_constraint(op.f("ck_fact_sources_policy"), "fact_sources", POLICY)
    op.create_index(
        "uq_fact_sources_session",
        "fact_sources",
        ["org_id", "agent_id", "key", "user_id", "session"],
        unique=True,
        postgresql_where=sa.text("session is not null"),
    )


def _make_checkpoints() -> None:
    op.create_table(
        "checkpoints",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("consolidated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("latest_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["org_id", "user_id"],
            ["people.org_id", "people.user_id"],
            name=op.f("fk_checkpoints_org_id_user_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_checkpoints_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "user_id", name=op.f("pk_checkpoints")),
    )
    serving = serving_role()
    op.execute("alter table checkpoints enable row level security")
    op.execute("alter table checkpoints force row level security")
    op.execute(f"create policy tenant on checkpoints to {serving} using ({OURS}) with check ({OURS})")
    op.execute(f"grant select, insert, update, delete on checkpoints to {serving}")


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
