"""The planner keeps no list of organisations: it takes each for the same share of a table, one new to it too."""

from alembic import op

revision = "0021"
down_revision = "0020"

# A default of -1 is the server's own. What was known is forgotten where the server can be told to (PostgreSQL 18).
LOOK_AT_ORGANISATIONS = """
do $$
declare
    kept record;
begin
    for kept in
        select c.relname, c.relkind = 'p' as parent from pg_class c join pg_attribute a on a.attrelid = c.oid
        where a.attname = 'org_id' and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    loop
        execute format('alter table public.%I alter column org_id set statistics {target}', kept.relname);
        if {target} = 0 and to_regproc('pg_clear_attribute_stats') is not null then
            perform pg_clear_attribute_stats('public', kept.relname, 'org_id', kept.parent);
        end if;
    end loop;
end
$$
"""


def upgrade() -> None:
    op.execute(LOOK_AT_ORGANISATIONS.format(target=0))


def downgrade() -> None:
    op.execute(LOOK_AT_ORGANISATIONS.format(target=-1))
