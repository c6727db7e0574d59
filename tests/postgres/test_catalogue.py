"""Locks 5, 6 and 7, and what the planner may know, in the database's own catalogue: no table may be added without."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.embedded.roles import OWNER, SERVING

TABLES_OF_NOBODY = {
    "platform_keys": "the platform's own, of no organisation; the serving role has no right to it",
    "platform_erasures": "receipts that outlive their organisation; the serving role reaches them by functions alone",
    "alembic_version": "the schema's revision; the serving role reads it to know whether it may serve",
}
KEYS_LED_BY_SOMETHING_ELSE = {
    "ix_api_keys_digest": "a key is looked up by its digest before any organisation is known; not unique",
    "ix_idempotency_age": "what is over age is removed for all organisations at once; not unique",
}
BEFORE_A_SCOPE = {
    "find_api_key(bytea,text,timestamp with time zone)",
    "find_platform_key(bytea)",
    "find_membership(text,text)",
    "find_generations(text,text,text)",
    "claim_jobs(integer,timestamp with time zone,interval)",
    "list_organisations(text,integer)",
    "forget_idempotency(timestamp with time zone,integer)",
    "mark_events()",
    "unsealed_organisations(text,bigint,integer)",
    "queue_embedding(uuid[],timestamp with time zone)",
    "embedded_elsewhere(text)",
    "closings(text)",
    "find_memberships(text)",
    "find_platform_erasure(uuid)",
    "list_platform_erasures(uuid,integer)",
    "keep_platform_erasure(uuid,text,bytea,integer,jsonb,integer,timestamp with time zone)",
    "strike_events(text,integer)",
}
WITHIN_A_SCOPE = {"raise_generations(text,boolean,text[],text[])"}
"""With the caller's own rights, so that row-level security holds in it."""
RIGHTS = {"SELECT", "INSERT", "UPDATE", "DELETE"}
OURS = "(org_id = NULLIF(current_setting('app.org_id'::text, true), ''::text))"
IN_PUBLIC = "relnamespace = 'public'::regnamespace and not relispartition"
"""Partitions have no policies; that nobody has any right to them is what the test of rights sees."""


@pytest.fixture
async def catalogue(superuser: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    async with superuser.connect() as connection:
        yield connection


async def ask(catalogue: AsyncConnection, query: str, **values: Any) -> list[Any]:
    return list((await catalogue.execute(text(query), values)).all())


async def tenant_tables(catalogue: AsyncConnection) -> set[str]:
    rows = await ask(
        catalogue,
        "select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'"
        f" where c.relkind in ('r', 'p', 'v', 'm') and {IN_PUBLIC}",
    )
    return {row.relname for row in rows}


async def test_every_table_has_an_organisation_but_for_the_named_ones(catalogue: AsyncConnection) -> None:
    rows = await ask(catalogue, f"select relname from pg_class where relkind in ('r', 'p', 'v', 'm') and {IN_PUBLIC}")
    assert {row.relname for row in rows} - await tenant_tables(catalogue) == TABLES_OF_NOBODY.keys()


async def test_every_tenant_table_is_forced_under_one_policy_for_the_serving_role(catalogue: AsyncConnection) -> None:
    forced = await ask(
        catalogue, f"select relname from pg_class where {IN_PUBLIC} and relrowsecurity and relforcerowsecurity"
    )
    assert {row.relname for row in forced} == await tenant_tables(catalogue)
    policies = await ask(catalogue, "select * from pg_policies where not roles = array[:owner]::name[]", owner=OWNER)
    assert {policy.tablename for policy in policies} == await tenant_tables(catalogue)
    for policy in policies:
        assert (policy.roles, policy.cmd, policy.permissive) == ([SERVING], "ALL", "PERMISSIVE")
        assert policy.qual == policy.with_check == OURS


async def test_the_owner_sees_only_what_its_functions_need(catalogue: AsyncConnection) -> None:
    policies = await ask(catalogue, "select tablename, cmd from pg_policies where :owner = any(roles)", owner=OWNER)
    tables = ("api_keys", "people", "organisations", "generations", "documents", "events", "event_seals",
              "erasures", "erased")  # fmt: skip
    wanted = {(table, "SELECT") for table in tables} | {("events", "DELETE")}
    assert {tuple(policy) for policy in policies} == {*wanted, ("jobs", "ALL"), ("idempotency", "ALL")}


async def test_the_organisation_leads_every_index_and_key(catalogue: AsyncConnection) -> None:
    rows = await ask(
        catalogue,
        "select i.relname as name, t.relname as on_table, a.attname as first from pg_index x"
        " join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid"
        " left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]"
        " where t.relnamespace = 'public'::regnamespace",
    )
    tables = await tenant_tables(catalogue)
    assert {row.name for row in rows if row.on_table in tables and row.first != "org_id"} == (
        KEYS_LED_BY_SOMETHING_ELSE.keys()
    )
    assert {row.on_table for row in rows} >= tables


async def test_every_foreign_key_carries_the_organisation_into_another_tenant_table(catalogue: AsyncConnection) -> None:
    rows = await ask(
        catalogue,
        "select conname, confrelid::regclass::text as target,"
        " (select array_agg(attname::text order by place) from unnest(conkey) with ordinality k(number, place)"
        "  join pg_attribute on attrelid = conrelid and attnum = number) as here,"
        " (select attname from pg_attribute where attrelid = confrelid and attnum = confkey[1]) as there_first"
        " from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace",
    )
    assert rows
    tables = await tenant_tables(catalogue)
    assert [row.conname for row in rows if (row.here[0], row.there_first) != ("org_id", "org_id")] == []
    assert {row.target for row in rows} <= tables


async def test_the_planner_takes_every_organisation_alike(catalogue: AsyncConnection) -> None:
    kept = "select a.attrelid from pg_statistic s where s.starelid = a.attrelid and s.staattnum = a.attnum"
    rows = await ask(
        catalogue,
        "select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'"
        " where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace"
        f" and (coalesce(a.attstattarget, -1) <> 0 or exists ({kept}))",
    )
    assert rows == []


async def test_every_foreign_key_is_indexed(catalogue: AsyncConnection) -> None:
    """Else a cascade, or the check of a deletion, reads the whole table."""
    rows = await ask(
        catalogue,
        "select conname from pg_constraint c where contype = 'f' and connamespace = 'public'::regnamespace"
        " and not exists (select from pg_index x where x.indrelid = c.conrelid and x.indpred is null"
        "  and c.conkey @> (x.indkey::int2[])[0:array_length(c.conkey, 1) - 1]"
        "  and c.conkey <@ (x.indkey::int2[])[0:array_length(c.conkey, 1) - 1])",
    )
    assert [row.conname for row in rows] == []


async def test_the_serving_role_owns_nothing_and_has_no_power(catalogue: AsyncConnection) -> None:
    role = (await ask(catalogue, "select * from pg_roles where rolname = :role", role=SERVING))[0]
    assert not any((role.rolsuper, role.rolbypassrls, role.rolcreaterole, role.rolcreatedb, role.rolreplication))
    for kind, owner in (("pg_class", "relowner"), ("pg_proc", "proowner"), ("pg_namespace", "nspowner")):
        owned = await ask(catalogue, f"select 1 from {kind} where {owner} = cast(:role as regrole)", role=SERVING)
        assert owned == []
    member = "select 1 from pg_auth_members where member = cast(:role as regrole)"
    assert await ask(catalogue, member, role=SERVING) == []


async def test_the_serving_role_may_do_what_it_needs_and_no_more(catalogue: AsyncConnection) -> None:
    """The audit trail and its seals are only appended to, its words only removed, receipts of erasures and the ledger
    never; nobody else has any right.
    """
    rows = await ask(
        catalogue,
        "select relname, grantee::regrole::text as role, privilege_type as may from pg_class, aclexplode(relacl)"
        " where relnamespace = 'public'::regnamespace and grantee <> relowner",
    )
    assert {row.role for row in rows} == {SERVING}
    rights: dict[str, set[str]] = {}
    for row in rows:
        rights.setdefault(row.relname, set()).add(row.may)
    wanted = dict.fromkeys(await tenant_tables(catalogue), RIGHTS)
    appended = {table: {"SELECT", "INSERT"} for table in ("events", "event_seals")}
    spoken = {"event_values": RIGHTS - {"UPDATE"}}
    kept = {table: RIGHTS - {"DELETE"} for table in ("erasures", "erased")}
    assert rights == {**wanted, **appended, **spoken, **kept, "alembic_version": {"SELECT"}}
    may_create = await ask(catalogue, "select has_schema_privilege(:role, 'public', 'create') as may", role=SERVING)
    assert not may_create[0].may


async def test_nobody_but_the_owner_has_a_right_to_a_partition(catalogue: AsyncConnection) -> None:
    """They inherit no policy: who may read one reads every organisation."""
    rows = await ask(
        catalogue,
        "select relname, (select count(*) from aclexplode(relacl) where grantee <> relowner) as granted"
        " from pg_class where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace",
    )
    assert len(rows) > 7
    assert {row.granted for row in rows} == {0}


async def test_functions_with_the_owners_rights_are_the_known_ones_and_fenced(catalogue: AsyncConnection) -> None:
    rows = await ask(
        catalogue,
        "select oid::regprocedure::text as name, prosecdef, proconfig, proowner::regrole::text as owner,"
        " (select array_agg(grantee::regrole::text) from aclexplode(proacl) where grantee <> proowner) as callers"
        " from pg_proc where pronamespace = 'public'::regnamespace"
        " and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')",
    )
    assert {row.name for row in rows} == BEFORE_A_SCOPE | WITHIN_A_SCOPE
    for row in rows:
        assert row.prosecdef is (row.name in BEFORE_A_SCOPE)
        assert row.proconfig == ["search_path=pg_catalog, public"]
        assert row.owner == OWNER
        assert row.callers == [SERVING]


@pytest.mark.parametrize(
    ("planted", "test"),
    [
        ("create table things (id int primary key)", test_every_table_has_an_organisation_but_for_the_named_ones),
        ("create table things (org_id text)", test_every_tenant_table_is_forced_under_one_policy_for_the_serving_role),
        ("create index ix on stores (name)", test_the_organisation_leads_every_index_and_key),
        (
            "alter table messages add foreign key (store_id) references organisations (org_id) not valid",
            test_every_foreign_key_carries_the_organisation_into_another_tenant_table,
        ),
        ("create table things (org_id text)", test_the_planner_takes_every_organisation_alike),
        ("drop index ix_jobs_user", test_every_foreign_key_is_indexed),
        (f"grant select on observations_rest to {SERVING}", test_nobody_but_the_owner_has_a_right_to_a_partition),
        (f"grant delete on events to {SERVING}", test_the_serving_role_may_do_what_it_needs_and_no_more),
        (f"grant {OWNER} to {SERVING}", test_the_serving_role_owns_nothing_and_has_no_power),
        (
            "create function all_words() returns text language sql security definer as 'select content from messages'",
            test_functions_with_the_owners_rights_are_the_known_ones_and_fenced,
        ),
    ],
)
async def test_a_planted_fault_is_found(catalogue: AsyncConnection, planted: str, test: Any) -> None:
    """The fault is never committed."""
    await catalogue.execute(text(planted))
    with pytest.raises(AssertionError):
        await test(catalogue)
