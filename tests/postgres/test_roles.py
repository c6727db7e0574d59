"""The embedded database and its two roles: what each may do, and what the serving one may not."""

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import make_url

from app.adapters.embedded.accounts import server_account
from app.adapters.embedded.homes import postgres_programs
from app.adapters.embedded.postgres import EmbeddedPostgres
from app.adapters.embedded.roles import DATABASE, OWNER, SERVING, provide_database

SCRIPT = Path(__file__).parents[2] / "scripts" / "postgres-roles.sh"
RIGHTS = """
select rolname::text, rolsuper, rolcanlogin, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolconfig,
       pg_get_userbyid(datdba)::text as owner, has_database_privilege(rolname, datname, 'create, temp') as makes
from pg_roles, pg_database where rolname = any($1) and datname = $2 order by rolname
"""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path)


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[EmbeddedPostgres]:
    server = EmbeddedPostgres(folder / "postgres", {"fsync": "off"})
    server.start()
    yield server
    server.stop()


@pytest.fixture
async def serving(server: EmbeddedPostgres, folder: Path) -> AsyncIterator[asyncpg.Connection]:
    urls = await provide_database(server, folder)
    connection = await asyncpg.connect(urls.serving.replace("+asyncpg", ""))
    yield connection
    await connection.close()


async def test_may_be_provided_by_two_at_once_and_again(server: EmbeddedPostgres, folder: Path) -> None:
    first, second = await asyncio.gather(*(provide_database(server, folder, "twice") for _ in range(2)))
    assert first == second == await provide_database(server, folder, "twice")
    connection = await asyncpg.connect(first.owner.replace("+asyncpg", ""))
    await connection.execute("create table things (id int)")
    assert await connection.fetchval("select '[1,2]'::vector::text") == "[1,2]"
    await connection.close()


async def test_neither_role_has_a_power_over_others(serving: asyncpg.Connection) -> None:
    roles = await serving.fetch(
        "select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as power, rolcanlogin"
        " from pg_roles where rolname = any($1)",
        [OWNER, SERVING],
    )
    assert [tuple(role) for role in roles] == [(False, True), (False, True)]


@pytest.mark.parametrize(
    "statement", ["create table mine (id int)", "create temp table mine (id int)", f"set role {OWNER}"]
)
async def test_the_serving_role_makes_nothing_and_becomes_nobody(serving: asyncpg.Connection, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await serving.execute(statement)


async def test_the_serving_role_cannot_hold_the_database(serving: asyncpg.Connection) -> None:
    limits = "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"
    assert [await serving.fetchval(f"show {limit}") for limit in limits] == ["3s", "500ms", "5s"]


async def test_the_script_for_a_server_of_ones_own_makes_the_same(server: EmbeddedPostgres, folder: Path) -> None:
    """The script starts where nothing is, and finds its own work the second time."""
    await provide_database(server, folder)
    superuser = await asyncpg.connect(server.url())
    wanted = await superuser.fetch(RIGHTS, [OWNER, SERVING], DATABASE)
    for database in (DATABASE, "twice"):
        await superuser.execute(f"drop database if exists {database} with (force)")
    for role in (OWNER, SERVING):
        await superuser.execute(f"drop role {role}")

    for _ in range(2):
        subprocess.run([SCRIPT], env=script_environment(server, folder), check=True)

    assert await superuser.fetch(RIGHTS, [OWNER, SERVING], DATABASE) == wanted
    await superuser.close()
    serving = await asyncpg.connect(server.url(user=SERVING, password="it's", database=DATABASE))
    assert await serving.fetchval("select '[1,2]'::vector::text") == "[1,2]"
    await serving.close()


def script_environment(server: EmbeddedPostgres, folder: Path) -> dict[str, str]:
    url = make_url(server.url())
    programs = postgres_programs(folder / "postgres", server_account())
    assert isinstance(url.password, str)
    return {
        "PATH": f"{programs}:/usr/bin:/bin",
        "PGHOST": str(url.query["host"]),
        "PGPASSWORD": url.password,
        "OWNER_PASSWORD": "owner",
        "SERVING_PASSWORD": "it's",
    }
