"""The planner keeps no list of organisations: it takes each for the same share of a table, one new to it too.

Events are struck without a list.
"""

from alembic import op

revision = "0021"
down_revision = "0020"

# A target of -1 is the server's default. What was known is forgotten where the server can be told to (PostgreSQL 18).
ORGANISATION_STATISTICS = """
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

# Up to a border, not by a list of so many, which a planner that thinks it short reads anew for each row.
STRIKE_EVENTS = """
create or replace function strike_events(organisation text, at_most integer) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, public as $$
declare
    struck integer;
begin
    if organisation <> nullif(current_setting('app.org_id', true), '') or not exists (
        select from erasures e where e.org_id = organisation and e.completed_at is null and e.extent = 'organisation'
    ) then
        return 0;
    end if;
    {strike}
    get diagnostics struck = row_count;
    return struck;
end
$$
"""
BY_BORDER = """delete from events e where e.org_id = organisation and e.id <= coalesce((
        select b.id from events b where b.org_id = organisation order by b.id offset at_most - 1 limit 1
    ), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid);"""
BY_LIST = """with gone as (select id from events where org_id = organisation limit at_most)
    delete from events e using gone where e.org_id = organisation and e.id = gone.id;"""


def upgrade() -> None:
    op.execute(ORGANISATION_STATISTICS.format(target=0))
    op.execute(STRIKE_EVENTS.format(strike=BY_BORDER))


def downgrade() -> None:
    op.execute(STRIKE_EVENTS.format(strike=BY_LIST))
    op.execute(ORGANISATION_STATISTICS.format(target=-1))
