"""What waits to be imported: the records of a file, until the job that brings them in has; they go with it."""

import sqlalchemy as sa
from alembic import context, op

revision = "0020"
down_revision = "0019"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
INDEXES = {"next": ("job_id", "step", "place", "seq"), "user": ("user_id",), "author": ("author_id",)}


def upgrade() -> None:
    op.create_table(
        "import_records",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("step", sa.SmallInteger(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("place", "section", "record")),
        sa.Column("id", sa.Uuid()),
        *(sa.Column(name, sa.Text()) for name in ("user_id", "author_id", "store_id")),
        sa.Column("fact_id", sa.Uuid()),
        *(sa.Column(name, sa.Text()) for name in ("conversation_id", "message_id")),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_import_records_org_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["org_id", "job_id"],
            ["jobs.org_id", "jobs.id"],
            name=op.f("fk_import_records_org_id_job_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("org_id", "job_id", "seq", name=op.f("pk_import_records")),
    )
    for name, columns in INDEXES.items():
        op.create_index(f"ix_import_records_{name}", "import_records", ["org_id", *columns])
    serving = serving_role()
    op.execute("alter table import_records enable row level security")
    op.execute("alter table import_records force row level security")
    op.execute(f"create policy tenant on import_records to {serving} using ({OURS}) with check ({OURS})")
    op.execute(f"grant select, insert, update, delete on import_records to {serving}")


def downgrade() -> None:
    op.drop_table("import_records")


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
