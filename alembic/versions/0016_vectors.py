"""Vectors of documents, by the model that made them, and what tells a message's neighbours.

Vectors have no fixed dimension: that is the model's. They are compared exactly, within a reader's shelves.
"""

import sqlalchemy as sa
from alembic import context, op
from sqlalchemy.types import UserDefinedType

revision = "0016"
down_revision = "0015"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
OLDEST = (0, 8)
AMOUNTS = ("embeddings", "embedding_tokens")
# The organisations that have documents without vectors are skipped to by index, one probe each. Ids of jobs are handed
# in, in the order of time that all ids have. One looks at a time: of two, the second would queue the same again.
QUEUE_EMBEDDING = """
create function queue_embedding(ids uuid[], at timestamptz) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, public as $$
declare
    queued integer;
begin
    if not pg_try_advisory_xact_lock(1163018564) then
        return 0;
    end if;
    with recursive lacking(org_id) as (
        (select d.org_id from documents d where d.embedded = '' order by d.org_id limit 1)
        union all
        select (select d.org_id from documents d
                where d.embedded = '' and d.org_id > l.org_id order by d.org_id limit 1)
        from lacking l where l.org_id is not null
    ), idle as (
        select l.org_id, row_number() over () as place from lacking l
        where l.org_id is not null and not exists (
            select from jobs j where j.org_id = l.org_id and j.lane = 'embedding'
            and j.status in ('queued', 'running', 'failed'))
    )
    insert into jobs (org_id, id, kind, lane, payload, status, attempts, run_at, maker_type, maker_id, created_at)
    select i.org_id, ids[i.place], 'embedding', 'embedding', '{}', 'queued', 0, at, 'worker', 'worker', at
    from idle i where i.place <= cardinality(ids);
    get diagnostics queued = row_count;
    return queued;
end
$$
"""
# Two ranges for each organisation, so that what has the space wanted is not read.
EMBEDDED_ELSEWHERE = """
create function embedded_elsewhere(space text) returns bigint
language sql stable security definer set search_path = pg_catalog, public as $$
    select coalesce(sum(below.n + above.n), 0)::bigint from organisations o
    cross join lateral (select count(*) as n from documents d where d.org_id = o.org_id
                        and d.embedded <> '' and d.embedded < space and d.embedded <> '!') below
    cross join lateral (select count(*) as n from documents d where d.org_id = o.org_id
                        and d.embedded <> '' and d.embedded > space and d.embedded <> '!') above
$$
"""
FUNCTIONS = {"queue_embedding(uuid[], timestamptz)": QUEUE_EMBEDDING, "embedded_elsewhere(text)": EMBEDDED_ELSEWHERE}


class HalfVec(UserDefinedType[str]):
    """pgvector's vectors of 16-bit numbers."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        return "halfvec"


def upgrade() -> None:
    _require_pgvector()
    serving = serving_role()
    _add_columns()
    _create_vectors()
    for amount in AMOUNTS:
        op.add_column("usage_days", sa.Column(amount, sa.BigInteger(), nullable=False, server_default="0"))
    op.execute("alter table vectors enable row level security")
    op.execute("alter table vectors force row level security")
    op.execute(f"create policy tenant on vectors to {serving} using ({OURS}) with check ({OURS})")
    op.execute(f"grant select, insert, update, delete on vectors to {serving}")
    op.execute("create policy directory on documents for select to current_user using (true)")
    for signature, definition in FUNCTIONS.items():
        op.execute(definition)
        op.execute(f"revoke all on function {signature} from public")
        op.execute(f"grant execute on function {signature} to {serving}")


def _require_pgvector() -> None:
    """The extension is trusted: whoever may create in the database may make it, where the server has it at all."""
    connection = op.get_bind()
    found = connection.scalar(sa.text("select extversion from pg_extension where extname = 'vector'"))
    if found is None:
        offered = sa.text("select default_version from pg_available_extensions where name = 'vector'")
        if (found := connection.scalar(offered)) is None:
            raise RuntimeError("this Postgres has no pgvector: install pgvector 0.8 or later on its server")
        op.execute("create extension if not exists vector")
    if tuple(int(part) for part in str(found).split(".")[:2]) < OLDEST:
        raise RuntimeError(f"pgvector is {found}, and 0.8 or later is needed: run `alter extension vector update`")


def _add_columns() -> None:
    op.add_column("documents", sa.Column("embedded", sa.Text(), nullable=False, server_default=""))
    op.add_column("documents", sa.Column("conversation_id", sa.Text(), nullable=True))
    op.add_column("documents", sa.Column("marks", sa.SmallInteger(), nullable=False, server_default="0"))
    _fill_conversations()
    lacking, held = sa.text("embedded = ''"), sa.text("embedded <> ''")
    op.create_index("ix_documents_lacking", "documents", ["org_id", "id"], postgresql_where=lacking)
    op.create_index("ix_documents_embedded", "documents", ["org_id", "embedded", "id"], postgresql_where=held)
    spoken = sa.text("conversation_id is not null")
    place = ["org_id", "conversation_id", "at", "id"]
    op.create_index("ix_documents_conversation", "documents", place, postgresql_where=spoken)


def _fill_conversations() -> None:
    """The owner sees no tenant's rows while row-level security is forced."""
    for table in ("documents", "messages"):
        op.execute(f"alter table {table} no force row level security")
    op.execute(
        "update documents d set conversation_id = m.conversation_id from messages m"
        " where d.kind in ('message', 'reply') and m.org_id = d.org_id and m.id = d.id"
    )
    for table in ("documents", "messages"):
        op.execute(f"alter table {table} force row level security")


def _create_vectors() -> None:
    op.create_table(
        "vectors",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("document", sa.Uuid(), nullable=False),
        sa.Column("part", sa.SmallInteger(), nullable=False),
        sa.Column("shelf", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("beside_kind", sa.Text(), nullable=True),
        sa.Column("beside", sa.Uuid(), nullable=True),
        sa.Column("embedding", HalfVec(), nullable=False),
        sa.ForeignKeyConstraint(
            ["org_id", "kind", "document"],
            ["documents.org_id", "documents.kind", "documents.id"],
            name=op.f("fk_vectors_org_id_kind_document"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["org_id", "beside_kind", "beside"],
            ["documents.org_id", "documents.kind", "documents.id"],
            name=op.f("fk_vectors_org_id_beside_kind_beside"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("org_id", "kind", "document", "part", name=op.f("pk_vectors")),
    )
    op.create_index("ix_vectors_shelf", "vectors", ["org_id", "shelf", "kind"], unique=False)
    op.create_index("ix_vectors_beside", "vectors", ["org_id", "beside_kind", "beside"], unique=False)


def downgrade() -> None:
    for signature in FUNCTIONS:
        op.execute(f"drop function {signature}")
    op.execute("drop policy directory on documents")
    op.drop_table("vectors")
    for amount in AMOUNTS:
        op.drop_column("usage_days", amount)
    for index in ("ix_documents_conversation", "ix_documents_embedded", "ix_documents_lacking"):
        op.drop_index(index, "documents")
    for column in ("marks", "conversation_id", "embedded"):
        op.drop_column("documents", column)


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
