"""Several who migrate at once, as the containers of a deploy do."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import click
import pytest

from app.adapters.embedded.postgres import EmbeddedPostgres
from app.adapters.embedded.roles import DatabaseUrls, provide_database
from app.cli.migrate import bring_up_to_date, upgrade


@pytest.fixture
async def urls() -> AsyncIterator[DatabaseUrls]:
    """An empty database on a server of its own."""
    folder = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))
    folder.chmod(0o711)
    server = EmbeddedPostgres(folder / "postgres", {"fsync": "off"})
    server.start()
    try:
        yield await provide_database(server, folder)
    finally:
        server.stop()
        shutil.rmtree(folder)


async def test_take_turns_and_all_find_the_schema_done(urls: DatabaseUrls) -> None:
    await asyncio.gather(*(upgrade(urls.owner) for _ in range(4)))
    connection = await asyncpg.connect(urls.owner.replace("+asyncpg", ""))
    assert await connection.fetchval("select count(*) from alembic_version") == 1
    assert await connection.fetchval("select count(*) from pg_tables where schemaname = 'public'") > 1
    await connection.close()


async def test_wait_for_one_who_is_slow(urls: DatabaseUrls) -> None:
    """Longer than a migration would wait for a table: the turn has no such limit."""
    slow = await asyncpg.connect(urls.owner.replace("+asyncpg", ""))
    async with slow.transaction():
        await slow.execute("select pg_advisory_xact_lock($1)", 0x4D494752)
        waiting = asyncio.create_task(upgrade(urls.owner))
        while not await slow.fetchval(
            "select exists(select from pg_locks where locktype = 'advisory' and not granted)"
        ):
            await asyncio.sleep(0)
        assert not waiting.done()
        assert await slow.fetchval("select to_regclass('alembic_version')") is None
    await waiting
    assert await slow.fetchval("select to_regclass('alembic_version')") is not None
    await slow.close()


def test_say_why_when_there_is_no_database() -> None:
    with pytest.raises(click.ClickException, match="does not answer"):
        bring_up_to_date("postgresql+asyncpg://owner:secret@127.0.0.1:9/retenir")
