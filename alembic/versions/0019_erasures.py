"""Erasures: their receipts, which close what is under way; the ledger of what was erased; and what outlives it all.

`closings` is read with the first word of each transaction. `strike_events` is the one way in which lines leave the
audit trail: with an organisation that is being erased.
"""

import sqlalchemy as sa
from alembic import context, op
from sqlalchemy.dialects import postgresql

revision = "0019"
down_revision = "0018"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
# In plpgsql, whose plans last as long as the connection: it runs in every transaction.
CLOSINGS = """
create function closings(organisation text) returns text[]
language plpgsql stable security definer set search_path = pg_catalog, public as $$
begin
    return array(select e.extent from erasures e where e.org_id = organisation and e.completed_at is null)
        || case when exists (select from erased l where l.org_id = organisation) then '{ledger}'::text[] else '{}' end;
end
$$
"""
CLOSED = """exists (
        select from erasures e where e.org_id = {org} and e.completed_at is null and e.extent = {extent})"""
FIND_API_KEY = """
create or replace function find_api_key(wanted bytea, person text, at timestamptz)
returns table (org_id text, key_id uuid, role text, act_for_people boolean, store_ids text[], agent_ids text[],
               person_role text)
language sql stable security definer set search_path = pg_catalog, public as $$
    select k.org_id, k.id, k.role, k.act_for_people, k.store_ids, k.agent_ids, p.role
    from api_keys k left join people p on p.org_id = k.org_id and p.user_id = person{and_person}
    where k.digest = wanted and k.revoked_at is null and (k.expires_at is null or k.expires_at > at){and_key}
$$
"""
FIND_MEMBERSHIP = """
create or replace function find_membership(organisation text, person text) returns table (role text)
language sql stable security definer set search_path = pg_catalog, public as $$
    select role from people where org_id = organisation and user_id = person{and_person}
$$
"""
FIND_MEMBERSHIPS = """
create function find_memberships(person text) returns table (org_id text)
language sql stable security definer set search_path = pg_catalog, public as $$
    select p.org_id from people p where p.user_id = person order by p.org_id
$$
"""
STRIKE_EVENTS = """
create function strike_events(organisation text, at_most integer) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, public as $$
declare
    struck integer;
begin
    if organisation <> nullif(current_setting('app.org_id', true), '') or not exists (
        select from erasures e where e.org_id = organisation and e.completed_at is null and e.extent = 'organisation'
    ) then
        return 0;
    end if;
    with gone as (select id from events where org_id = organisation limit at_most)
    delete from events e using gone where e.org_id = organisation and e.id = gone.id;
    get diagnostics struck = row_count;
    return struck;
end
$$
"""
KEEP_PLATFORM_ERASURE = """
create function keep_platform_erasure(receipt uuid, what text, hash bytea, outstanding integer, counts jsonb,
                                      found integer, at timestamptz) returns void
language sql volatile security definer set search_path = pg_catalog, public as $$
    insert into platform_erasures as kept (receipt_id, kind, digest, parts, erased, remaining, began_at, completed_at)
    values (receipt, what, hash, outstanding, counts, found, at, case when outstanding = 0 then at end)
    on conflict (receipt_id) do update set
        parts = kept.parts + excluded.parts,
        erased = (
            select coalesce(jsonb_object_agg(name, total), '{}') from (
                select name, sum(number::bigint) as total from (
                    select * from jsonb_each_text(kept.erased) union all select * from jsonb_each_text(excluded.erased)
                ) each(name, number) group by name
            ) summed
        ),
        remaining = kept.remaining + excluded.remaining,
        completed_at = case when kept.parts + excluded.parts = 0 then at end
$$
"""
RECEIPT = """
returns table (receipt_id uuid, kind text, digest bytea, erased jsonb, remaining integer, began_at timestamptz,
               completed_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public as $$
    select p.receipt_id, p.kind, p.digest, p.erased, p.remaining, p.began_at, p.completed_at from platform_erasures p
"""
FIND_PLATFORM_ERASURE = f"""
create function find_platform_erasure(receipt uuid) {RECEIPT}
    where p.receipt_id = receipt
$$
"""
LIST_PLATFORM_ERASURES = f"""
create function list_platform_erasures(last uuid, at_most integer) {RECEIPT}
    where p.receipt_id > last order by p.receipt_id limit at_most
$$
"""
FUNCTIONS = {
    "closings(text)": CLOSINGS,
    "find_memberships(text)": FIND_MEMBERSHIPS,
    "strike_events(text, integer)": STRIKE_EVENTS,
    "keep_platform_erasure(uuid, text, bytea, integer, jsonb, integer, timestamptz)": KEEP_PLATFORM_ERASURE,
    "find_platform_erasure(uuid)": FIND_PLATFORM_ERASURE,
    "list_platform_erasures(uuid, integer)": LIST_PLATFORM_ERASURES,
}


def upgrade() -> None:
    serving = serving_role()
    make_receipts()
    make_ledger()
    for table, rights in {"erasures": "select, insert, update", "erased": "select, insert, update"}.items():
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy tenant on {table} to {serving} using ({OURS}) with check ({OURS})")
        op.execute(f"create policy directory on {table} for select to current_user using (true)")
        op.execute(f"grant {rights} on {table} to {serving}")
    op.create_table(
        "platform_erasures",
        sa.Column("receipt_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("parts", sa.Integer(), nullable=False),
        sa.Column("erased", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("remaining", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("receipt_id", name=op.f("pk_platform_erasures")),
    )
    op.execute("create policy striking on events for delete to current_user using (true)")
    for signature, definition in FUNCTIONS.items():
        op.execute(definition)
        op.execute(f"revoke all on function {signature} from public")
        op.execute(f"grant execute on function {signature} to {serving}")
    find_only(open_ones=True)


def make_receipts() -> None:
    op.create_table(
        "erasures",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("receipt_id", sa.Uuid(), nullable=False),
        sa.Column("extent", sa.Text(), nullable=False),
        sa.Column("readers", sa.ARRAY(sa.LargeBinary()), nullable=False),
        sa.Column("erased", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("kept", sa.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("facts_kept", sa.Integer(), nullable=False),
        sa.Column("remaining", sa.Integer(), nullable=False),
        sa.Column("searched", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("keeps_shared", sa.Boolean(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_erasures_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "receipt_id", name=op.f("pk_erasures")),
    )
    under_way = sa.text("completed_at is null")
    op.create_index("uq_erasures_open", "erasures", ["org_id", "extent"], unique=True, postgresql_where=under_way)


def make_ledger() -> None:
    op.create_table(
        "erased",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisations.org_id"], name=op.f("fk_erased_org_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("org_id", "digest", name=op.f("pk_erased")),
    )


def find_only(*, open_ones: bool) -> None:
    """Whoever asks an organisation that is being erased asks one that is not there; so with a person."""
    key = f" and not {CLOSED}".format(org="k.org_id", extent="'organisation'") if open_ones else ""
    spoken_for = f" and not {CLOSED}".format(org="p.org_id", extent="'person ' || p.user_id") if open_ones else ""
    extents = ("'organisation'", "'person ' || person") if open_ones else ()
    member = "".join(f" and not {CLOSED}".format(org="organisation", extent=extent) for extent in extents)
    op.execute(FIND_API_KEY.format(and_key=key, and_person=spoken_for))
    op.execute(FIND_MEMBERSHIP.format(and_person=member))


def downgrade() -> None:
    find_only(open_ones=False)
    for signature in FUNCTIONS:
        op.execute(f"drop function {signature}")
    op.execute("drop policy striking on events")
    for table in ("platform_erasures", "erased", "erasures"):
        op.drop_table(table)


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
