"""Real servers for tests: embedded and shared by all workers of one run, or containers; gone with the last of them."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.adapters.embedded.locks import exclusive
from app.adapters.embedded.postgres import EmbeddedPostgres
from app.adapters.embedded.roles import DRIVER, OWNER, DatabaseUrls, provide_database
from app.adapters.embedded.valkey import EmbeddedValkey
from app.cli.migrate import upgrade
from tests.support.containers import ContainerPostgres, ContainerValkey

RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))[:12]
ROOT = Path("/tmp") / f"retenir-test-{os.getuid()}-{RUN}"  # short: sockets lie in it
TEMPLATE = "template_retenir"
FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "200",
}


@dataclass(frozen=True)
class Servers:
    """A Postgres and a Valkey that answer."""

    postgres: EmbeddedPostgres | ContainerPostgres
    valkey: EmbeddedValkey | ContainerValkey
    root: Path

    async def database(self, name: str) -> DatabaseUrls:
        """A new database of that name with our schema: a copy of one that was migrated once for the whole run."""
        with exclusive(self.root / "template.lock"):
            if not await self._exists(TEMPLATE):
                await upgrade((await provide_database(self.postgres, self.root, TEMPLATE)).owner)
            await self.drop(name)
            await self._run(f'create database "{name}" template {TEMPLATE} owner {OWNER}')
        return await provide_database(self.postgres, self.root, name)

    async def empty_database(self, name: str) -> DatabaseUrls:
        """A new database of that name without any schema."""
        await self.drop(name)
        return await provide_database(self.postgres, self.root, name)

    async def drop(self, name: str) -> None:
        """The database is gone, whoever was connected."""
        await self._run(f'drop database if exists "{name}" with (force)')

    async def _exists(self, name: str) -> bool:
        found = await self._run("select count(*) from pg_database where datname = :name", name=name)
        return found == 1

    async def _run(self, statement: str, **values: str) -> object:
        engine = create_async_engine(self.postgres.url(driver=DRIVER), isolation_level="AUTOCOMMIT", poolclass=NullPool)
        async with engine.connect() as connection:
            result = await connection.execute(text(statement), values)
            return result.scalar() if result.returns_rows else None


@contextmanager
def running_servers() -> Iterator[Servers]:
    """Servers for the block; the first of several workers starts them, the last ends them and removes their files."""
    servers = _containers() if os.environ.get("RETENIR_TEST_SERVERS") == "containers" else _embedded()
    servers.postgres.start()
    servers.valkey.start()
    try:
        yield servers
    finally:
        servers.valkey.stop()
        if servers.postgres.stop():
            shutil.rmtree(servers.root, ignore_errors=True)


def _embedded() -> Servers:
    ROOT.mkdir(mode=0o711, exist_ok=True)
    return Servers(EmbeddedPostgres(ROOT / "postgres", FAST), EmbeddedValkey(ROOT / "valkey"), ROOT)


def _containers() -> Servers:
    root = Path(mkdtemp(prefix="retenir-test-"))
    return Servers(ContainerPostgres(root, FAST), ContainerValkey(), root)
