"""Contradictions as rows, mergers, when facts were last seen, and what finds those that have had their time."""

import sqlalchemy as sa
from alembic import context, op

revision = "0011"
down_revision = "0010"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
FACTS = ("org_facts", "store_facts", "user_facts")


def upgrade() -> None:
    for table in FACTS:
        op.add_column(table, sa.Column("merged_into", sa.Uuid(), nullable=True))
        op.add_column(table, sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=True))
        op.create_foreign_key(
            op.f(f"fk_{table}_org_id_merged_into"),
            table,
            table,
            ["org_id", "merged_into"],
            ["org_id", "id"],
            ondelete="SET NULL (merged_into)",
            deferrable=True,
            initially="DEFERRED",
        )
        op.create_index(f"ix_{table}_merged_into", table, ["org_id", "merged_into"])
        _index(table, "faded", ["fades_at"], "archived_at is null and policy is null")
        _index(table, "shelved", ["id"], "archived_at is not null")
    _make_contradictions()


def downgrade() -> None:
    op.drop_table("contradictions")
    op.execute("delete from fact_decisions where verdict in ('fade', 'settle', 'merge', 'unmerge')")
    for table in FACTS:
        for index in ("shelved", "faded", "merged_into"):
            op.drop_index(f"ix_{table}_{index}", table)
        op.drop_constraint(op.f(f"fk_{table}_org_id_merged_into"), table)
        op.drop_column(table, "last_seen_at")
        op.drop_column(table, "merged_into")


def _index(table: str, name: str, columns: list[str], where: str) -> None:
    op.create_index(f"ix_{table}_{name}", table, ["org_id", *columns], postgresql_where=sa.text(where))


def _make_contradictions() -> None:
    op.create_table(
        "contradictions",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("store_id", sa.Text(), nullable=True),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("agent_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("older", sa.Uuid(), nullable=False),
        sa.Column("newer", sa.Uuid(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(scope = 'store') = (store_id is not null)", name=op.f("ck_contradictions_store")),
        sa.CheckConstraint("(scope = 'user') = (user_id is not null)", name=op.f("ck_contradictions_user")),
        _parent(["org_id"], ["organisations.org_id"]),
        _parent(["org_id", "store_id"], ["stores.org_id", "stores.store_id"]),
        _parent(["org_id", "user_id"], ["people.org_id", "people.user_id"]),
        sa.PrimaryKeyConstraint("org_id", "id", name=op.f("pk_contradictions")),
    )
    key = ["org_id", "agent_id", "key", "store_id", "user_id"]
    op.create_index("ix_contradictions_key", "contradictions", key)
    op.create_index("ix_contradictions_opened_at", "contradictions", ["org_id", "opened_at", "id"])
    _index("contradictions", "open", [], "settled_at is null")
    op.create_index("ix_contradictions_store", "contradictions", ["org_id", "store_id"])
    op.create_index("ix_contradictions_user", "contradictions", ["org_id", "user_id"])
    serving = serving_role()
    op.execute("alter table contradictions enable row level security")
    op.execute("alter table contradictions force row level security")
    op.execute(f"create policy tenant on contradictions to {serving} using ({OURS}) with check ({OURS})")
    op.execute(f"grant select, insert, update, delete on contradictions to {serving}")


def _parent(columns: list[str], parents: list[str]) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_contradictions_{'_'.join(columns)}")
    return sa.ForeignKeyConstraint(columns, parents, name=name, ondelete="CASCADE")


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
