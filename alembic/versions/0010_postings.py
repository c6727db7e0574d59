"""The search index: documents, and the postings of their terms.

Both are read by plain comparisons alone, which alone use an index under row-level security.
"""

import sqlalchemy as sa
from alembic import context, op
from sqlalchemy.dialects import postgresql

revision = "0010"
down_revision = "0009"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
TABLES = ("documents", "postings")


def upgrade() -> None:
    _create_documents()
    _create_postings()
    serving = serving_role()
    for table in TABLES:
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy tenant on {table} to {serving} using ({OURS}) with check ({OURS})")
        op.execute(f"grant select, insert, update, delete on {table} to {serving}")


def _create_documents() -> None:
    op.create_table(
        "documents",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("shelf", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("store_id", sa.Text(), nullable=True),
        sa.Column("agent_id", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("disowned", sa.Boolean(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind in ('fact', 'message', 'reply', 'observation')", name=op.f("ck_documents_kind")),
        sa.ForeignKeyConstraint(
            ["org_id", "store_id"],
            ["stores.org_id", "stores.store_id"],
            name=op.f("fk_documents_org_id_store_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id", "user_id"],
            ["people.org_id", "people.user_id"],
            name=op.f("fk_documents_org_id_user_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_documents_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "kind", "id", name=op.f("pk_documents")),
    )
    op.create_index("ix_documents_shelf", "documents", ["org_id", "shelf", "kind"], unique=False)
    op.create_index("ix_documents_user", "documents", ["org_id", "user_id"], unique=False)
    op.create_index("ix_documents_store", "documents", ["org_id", "store_id"], unique=False)


def _create_postings() -> None:
    op.create_table(
        "postings",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("shelf", sa.Text(), nullable=False),
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("document", sa.Uuid(), nullable=False),
        sa.Column("places", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.ForeignKeyConstraint(
            ["org_id", "kind", "document"],
            ["documents.org_id", "documents.kind", "documents.id"],
            name=op.f("fk_postings_org_id_kind_document"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("org_id", "shelf", "term", "kind", "document", name=op.f("pk_postings")),
    )
    op.create_index("ix_postings_document", "postings", ["org_id", "kind", "document"], unique=False)


def downgrade() -> None:
    op.drop_table("postings")
    op.drop_table("documents")


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
