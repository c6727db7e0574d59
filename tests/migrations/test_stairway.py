"""Each revision goes up, down and up again, and leaves what it should."""

from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, NullPool, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.adapters.embedded.roles import provide_database
from app.adapters.postgres.directory import HEAD, PostgresDirectory
from app.domain.errors import Unavailable
from tests.support.servers import ROOT, Servers

CONFIG = Path(__file__).parents[2] / "alembic.ini"
SCRIPTS = ScriptDirectory.from_config(Config(CONFIG))
REVISIONS = [script.revision for script in reversed(list(SCRIPTS.walk_revisions()))]

# Everything that a revision may make, as the database itself words it.
OURS = "relnamespace = 'public'::regnamespace and relname <> 'alembic_version'"
CATALOGUE = f"""
select 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull::text,
 concat(attidentity, attstattarget)
from pg_attribute join pg_class on pg_class.oid = attrelid
where relkind = 'r' and attnum > 0 and not attisdropped and {OURS}
union all
select 'table', relname, relrowsecurity::text, relforcerowsecurity::text, relowner::regrole::text,
 coalesce(relacl, acldefault('r', relowner))::text from pg_class where relkind = 'r' and {OURS}
union all select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(pg_constraint.oid), '', ''
from pg_constraint join pg_class on pg_class.oid = conrelid where {OURS}
union all select 'index', relname, indexname, indexdef, '', ''
from pg_indexes join pg_class on relname = tablename where {OURS}
union all select 'policy', tablename, policyname, roles::text, cmd, concat(qual, with_check) from pg_policies
union all select 'function', proname, prosrc, proacl::text, prosecdef::text, proconfig::text
from pg_proc where pronamespace = 'public'::regnamespace and proowner = 'retenir_owner'::regrole
union all select 'schema', nspname, nspacl::text, '', '', '' from pg_namespace where nspname = 'public'
"""


@pytest.fixture
async def owner(servers: Servers) -> AsyncIterator[AsyncEngine]:
    """An empty database, as the role that migrates."""
    name = f"t_empty_{uuid4().hex[:8]}"
    engine = create_async_engine((await provide_database(servers.postgres, ROOT, name)).owner, poolclass=NullPool)
    yield engine
    await engine.dispose()
    await servers.drop(name)


async def alembic(owner: AsyncEngine, action: Callable[..., object], *revision: str) -> None:
    def run(connection: Connection) -> None:
        config = Config(CONFIG)
        config.attributes["connection"] = connection
        action(config, *revision)

    async with owner.connect() as connection:
        await connection.run_sync(run)


async def catalogue(owner: AsyncEngine) -> set[tuple[str, ...]]:
    async with owner.connect() as connection:
        return {tuple(row) for row in await connection.execute(text(CATALOGUE))}


def test_the_revisions_stand_in_one_line_and_the_code_needs_the_newest() -> None:
    assert SCRIPTS.get_heads() == [HEAD]
    assert len(REVISIONS) == len(list((CONFIG.parent / "alembic" / "versions").glob("*.py")))


async def test_each_revision_goes_up_down_and_up(owner: AsyncEngine) -> None:
    for below, revision in pairwise(["base", *REVISIONS]):
        before = await catalogue(owner)
        await alembic(owner, command.upgrade, revision)
        after = await catalogue(owner)
        assert after != before
        await alembic(owner, command.downgrade, below)
        assert await catalogue(owner) == before, f"{revision} leaves something behind"
        await alembic(owner, command.upgrade, revision)
        assert await catalogue(owner) == after, f"{revision} differs the second time"


async def test_the_whole_way_down_leaves_nothing(owner: AsyncEngine) -> None:
    before = await catalogue(owner)
    await alembic(owner, command.upgrade, "head")
    await alembic(owner, command.downgrade, "base")
    assert await catalogue(owner) == before


async def test_the_tables_are_those_of_the_code(owner: AsyncEngine) -> None:
    await alembic(owner, command.upgrade, "head")
    await alembic(owner, command.check)


async def test_what_was_known_of_organisations_is_forgotten(servers: Servers) -> None:
    name = f"t_known_{uuid4().hex[:8]}"
    urls = await provide_database(servers.postgres, ROOT, name)
    owner = create_async_engine(urls.owner, poolclass=NullPool)
    superuser = create_async_engine(servers.postgres.url(driver="asyncpg", database=name), poolclass=NullPool)
    known = text("select count(*) from pg_stats where schemaname = 'public' and attname = 'org_id'")
    await alembic(owner, command.upgrade, "0020")
    async with superuser.begin() as connection:
        columns, values = "org_id, name, settings, version, created_at", "'there', 'There', '{}', 1, now()"
        await connection.execute(text(f"insert into organisations ({columns}) values ({values})"))
        await connection.execute(text("analyze"))
        assert (await connection.execute(known)).scalar_one() > 0
    await alembic(owner, command.upgrade, "head")
    async with superuser.begin() as connection:
        await connection.execute(text("analyze"))
        assert (await connection.execute(known)).scalar_one() == 0
    await servers.drop(name)


@pytest.mark.parametrize("revision", ["base", *REVISIONS[:-1]])
async def test_an_older_schema_is_not_served(servers: Servers, revision: str) -> None:
    name = f"t_older_{uuid4().hex[:8]}"
    urls = await provide_database(servers.postgres, ROOT, name)
    owner, serving = (create_async_engine(url, poolclass=NullPool) for url in (urls.owner, urls.serving))
    await alembic(owner, command.upgrade, "head")
    await PostgresDirectory(serving).ready()
    await alembic(owner, command.downgrade, revision)
    with pytest.raises(Unavailable, match="retenir migrate"):
        await PostgresDirectory(serving).ready()
    await servers.drop(name)
