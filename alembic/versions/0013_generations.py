"""Generations: what a cached answer was made from, raised by whatever changes it.

A number is the microsecond of the database's clock, and always more than before: it does not come back, not even for
an organisation, a store or a person who was removed and returns.
"""

import sqlalchemy as sa
from alembic import context, op

revision = "0013"
down_revision = "0012"

OURS = "org_id = nullif(current_setting('app.org_id', true), '')"
# Who is not there any more has no generation. All writers take the rows in one order, so that none waits in a ring.
RAISE = """
create function raise_generations(organisation text, itself boolean, stores text[], people text[]) returns void
language plpgsql volatile set search_path = pg_catalog, public as $$
begin
    insert into generations as g (org_id, shelf, store_id, user_id, number)
    select organisation, raised.shelf, raised.store_id, raised.user_id,
           (extract(epoch from clock_timestamp()) * 1000000)::bigint
    from (
        select 1 as place, 'org' as shelf, null as store_id, null as user_id
        from organisations o where itself and o.org_id = organisation
        union all
        select 2, 'store ' || s.store_id, s.store_id, null
        from stores s where s.org_id = organisation and s.store_id = any(stores)
        union all
        select 3, 'user ' || p.user_id, null, p.user_id
        from people p where p.org_id = organisation and p.user_id = any(people)
    ) raised
    order by raised.place, raised.shelf
    on conflict (org_id, shelf) do update set number = greatest(excluded.number, g.number + 1);
end
$$
"""
FIND = """
create function find_generations(organisation text, store text, person text)
returns table (of_organisation bigint, of_store bigint, of_person bigint)
language sql stable security definer set search_path = pg_catalog, public as $$
    select coalesce(max(number) filter (where shelf = 'org'), 0),
           coalesce(max(number) filter (where shelf = 'store ' || store), 0),
           coalesce(max(number) filter (where shelf = 'user ' || person), 0)
    from generations where org_id = organisation and shelf in ('org', 'store ' || store, 'user ' || person)
$$
"""
FUNCTIONS = {
    "raise_generations(text, boolean, text[], text[])": RAISE,
    "find_generations(text, text, text)": FIND,
}


def upgrade() -> None:
    op.create_table(
        "generations",
        sa.Column("org_id", sa.Text(), nullable=False),
        sa.Column("shelf", sa.Text(), nullable=False),
        sa.Column("store_id", sa.Text(), nullable=True),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("number", sa.BigInteger(), nullable=False),
        _parent(["org_id"], ["organisations.org_id"]),
        _parent(["org_id", "store_id"], ["stores.org_id", "stores.store_id"]),
        _parent(["org_id", "user_id"], ["people.org_id", "people.user_id"]),
        sa.PrimaryKeyConstraint("org_id", "shelf", name=op.f("pk_generations")),
    )
    op.create_index("ix_generations_store", "generations", ["org_id", "store_id"])
    op.create_index("ix_generations_user", "generations", ["org_id", "user_id"])
    serving = serving_role()
    op.execute("alter table generations enable row level security")
    op.execute("alter table generations force row level security")
    op.execute(f"create policy tenant on generations to {serving} using ({OURS}) with check ({OURS})")
    op.execute(f"grant select, insert, update, delete on generations to {serving}")
    op.execute("create policy directory on generations for select to current_user using (true)")
    for signature, definition in FUNCTIONS.items():
        op.execute(definition)
        op.execute(f"revoke all on function {signature} from public")
        op.execute(f"grant execute on function {signature} to {serving}")


def downgrade() -> None:
    for signature in FUNCTIONS:
        op.execute(f"drop function {signature}")
    op.drop_table("generations")


def _parent(columns: list[str], parents: list[str]) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_generations_{'_'.join(columns)}")
    return sa.ForeignKeyConstraint(columns, parents, name=name, ondelete="CASCADE")


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
