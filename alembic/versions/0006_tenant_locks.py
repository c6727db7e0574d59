"""Row-level security on every tenant's table, what the serving role may do, and what is read before a scope is known.

The policies compare with `nullif(…, '')` because a local setting reads as '' for the rest of a connection. The owner
needs policies of its own: its functions run under FORCE too.
"""

from alembic import context, op

revision = "0006"
down_revision = "0005"

TENANT_TABLES = (
    *("organisations", "api_keys", "people", "stores", "channel_links"),
    *("org_facts", "store_facts", "user_facts", "fact_sources", "fact_decisions"),
    *("messages", "jobs", "receipts", "events", "event_values"),
)
APPENDED_ONLY = ("events",)
OURS = "org_id = nullif(current_setting('app.org_id', true), '')"

FIND_API_KEY = """
create function find_api_key(wanted bytea, person text, at timestamptz)
returns table (org_id text, key_id uuid, role text, act_for_people boolean, store_ids text[], agent_ids text[],
               person_role text)
language sql stable security definer set search_path = pg_catalog, public as $$
    select k.org_id, k.id, k.role, k.act_for_people, k.store_ids, k.agent_ids, p.role
    from api_keys k left join people p on p.org_id = k.org_id and p.user_id = person
    where k.digest = wanted and k.revoked_at is null and (k.expires_at is null or k.expires_at > at)
$$
"""
FIND_PLATFORM_KEY = """
create function find_platform_key(wanted bytea) returns boolean
language sql stable security definer set search_path = pg_catalog, public as $$
    select exists (select from platform_keys where digest = wanted and revoked_at is null)
$$
"""
FIND_MEMBERSHIP = """
create function find_membership(organisation text, person text) returns table (role text)
language sql stable security definer set search_path = pg_catalog, public as $$
    select role from people where org_id = organisation and user_id = person
$$
"""
# Organisations take turns, so that one with a long queue does not hold up the others; in a lane the oldest job goes
# first, and the next one waits until it is done or given up. One that was given up and is queued again waits for the
# one that runs.
CLAIM_JOBS = """
create function claim_jobs(at_most integer, at timestamptz, lease interval)
returns table (org_id text, job_id uuid, attempt integer)
language sql volatile security definer set search_path = pg_catalog, public as $$
    with recursive waiting(org_id) as (
        (select j.org_id from jobs j where j.status in ('queued', 'running', 'failed') order by j.org_id limit 1)
        union all
        select (select j.org_id from jobs j
                where j.status in ('queued', 'running', 'failed') and j.org_id > w.org_id order by j.org_id limit 1)
        from waiting w where w.org_id is not null
    ), due as (
        select head.org_id, head.id from waiting w cross join lateral (
            select j.org_id, j.id, row_number() over (order by j.seq) as turn from jobs j
            where j.org_id = w.org_id and j.status in ('queued', 'running', 'failed')
              and (j.status = 'running' and j.lease_until < at or j.status <> 'running' and j.run_at <= at)
              and not exists (select from jobs e where e.org_id = j.org_id and e.lane = j.lane and e.id <> j.id
                              and e.status in ('queued', 'running', 'failed')
                              and (e.seq < j.seq or e.status = 'running' and e.lease_until >= at))
            order by j.seq limit at_most
        ) head
        order by head.turn, random() limit at_most
    ), taken as (
        select j.org_id, j.id from jobs j join due using (org_id, id)
        where j.status in ('queued', 'running', 'failed')
          and (j.status = 'running' and j.lease_until < at or j.status <> 'running' and j.run_at <= at)
        for update of j skip locked
    )
    update jobs j set status = 'running', attempts = j.attempts + 1, lease_until = at + lease
    from taken t where j.org_id = t.org_id and j.id = t.id
    returning j.org_id, j.id, j.attempts
$$
"""
FUNCTIONS = {
    "find_api_key(bytea, text, timestamptz)": FIND_API_KEY,
    "find_platform_key(bytea)": FIND_PLATFORM_KEY,
    "find_membership(text, text)": FIND_MEMBERSHIP,
    "claim_jobs(integer, timestamptz, interval)": CLAIM_JOBS,
}


def upgrade() -> None:
    serving = serving_role()
    op.execute(f"grant usage on schema public to {serving}")
    op.execute(f"grant select on alembic_version to {serving}")
    for table in TENANT_TABLES:
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy tenant on {table} to {serving} using ({OURS}) with check ({OURS})")
        verbs = "select, insert" if table in APPENDED_ONLY else "select, insert, update, delete"
        op.execute(f"grant {verbs} on {table} to {serving}")
    for table in ("api_keys", "people"):
        op.execute(f"create policy directory on {table} for select to current_user using (true)")
    op.execute("create policy directory on jobs to current_user using (true) with check (true)")
    for signature, definition in FUNCTIONS.items():
        op.execute(definition)
        op.execute(f"revoke all on function {signature} from public")
        op.execute(f"grant execute on function {signature} to {serving}")


def downgrade() -> None:
    serving = serving_role()
    for signature in FUNCTIONS:
        op.execute(f"drop function {signature}")
    for table in ("api_keys", "people", "jobs"):
        op.execute(f"drop policy directory on {table}")
    for table in TENANT_TABLES:
        op.execute(f"drop policy tenant on {table}")
        op.execute(f"alter table {table} no force row level security")
        op.execute(f"alter table {table} disable row level security")
        op.execute(f"revoke all on {table} from {serving}")
    op.execute(f"revoke all on alembic_version from {serving}")
    op.execute(f"revoke usage on schema public from {serving}")


def serving_role() -> str:
    """The role of RETENIR_DATABASE_URL, quoted."""
    name = str(context.config.attributes.get("serving_role", "retenir_app"))
    return '"' + name.replace('"', '""') + '"'
