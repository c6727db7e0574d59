"""A service of a benchmark's own: Postgres, Valkey, `retenir serve`, each a process, in a folder that goes again."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import click

from app.adapters.embedded.postgres import EmbeddedPostgres
from app.adapters.embedded.roles import DATABASE, DRIVER, DatabaseUrls, provide_database
from app.adapters.embedded.valkey import EmbeddedValkey
from app.cli.keys import make_platform_key
from app.cli.migrate import upgrade
from app.settings import Settings

SECRET = "Yb4nWq8LzR2wKj6HsTv9Cd5Gm3FpEa7U"  # noqa: S105 a service that lives as long as the benchmark
START_SECONDS = 120
PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Stand:
    """Servers that answer, with the schema and a key of the platform."""

    folder: Path
    postgres: EmbeddedPostgres
    valkey: EmbeddedValkey
    urls: DatabaseUrls
    platform_key: str

    @contextmanager
    def service(self, *, worker: bool = False) -> Iterator[str]:
        """The address of a service that runs for the block, alone or with a worker's process beside it."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with ExitStack() as running:
            running.enter_context(self._program("serve", port))
            if worker:
                running.enter_context(self._program("worker", port))
            self._wait_for(port)
            yield f"http://127.0.0.1:{port}"

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        """The process of a worker, for the block unless it is killed before."""
        with self._program("worker", 0) as process:
            yield process

    async def superuser(self) -> asyncpg.Connection:
        """A connection of one whom nothing holds back: what is filled and counted is nobody's in particular."""
        return await asyncpg.connect(self.postgres.url(database=DATABASE), command_timeout=3600)

    @contextmanager
    def _program(self, command: str, port: int) -> Iterator[subprocess.Popen[bytes]]:
        theirs = {name: value for name, value in os.environ.items() if not name.startswith("RETENIR_")}
        ours = {
            "RETENIR_DATABASE_URL": self.urls.serving.replace(f"+{DRIVER}", ""),
            "RETENIR_REDIS_URL": self.valkey.url(),
            "RETENIR_SECRET": SECRET,
            "RETENIR_PORT": str(port or 8000),
            "RETENIR_WORKER_IN_PROCESS": "false",
            "RETENIR_REQUESTS_PER_MINUTE": "100000000",
            "RETENIR_LOG_LEVEL": "warning",
            "PYTHONPATH": str(PROJECT),
        }
        program = [sys.executable, "-c", "from app.cli import main; main()", command]
        with (self.folder / f"{command}.log").open("ab") as log:
            process = subprocess.Popen(program, cwd=self.folder, env=theirs | ours, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.terminate()
            process.wait()

    def _wait_for(self, port: int) -> None:
        """Raises ClickException when nobody listens in time."""
        patience = time.monotonic() + START_SECONDS
        while time.monotonic() < patience:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise click.ClickException(f"the service did not start: {(self.folder / 'serve.log').read_text()[-2000:]}")


@contextmanager
def stand() -> Iterator[Stand]:
    """Servers of the benchmark's own for the block."""
    folder = Path(tempfile.mkdtemp(prefix="rb-", dir="/tmp"))
    folder.chmod(0o711)
    postgres, valkey = EmbeddedPostgres(folder / "postgres"), EmbeddedValkey(folder / "valkey")
    with ExitStack() as running:
        running.callback(shutil.rmtree, folder, ignore_errors=True)
        for server in (postgres, valkey):
            server.start()
            running.callback(server.stop)
        urls = asyncio.run(_schema(postgres, folder))
        known = {"database_url": urls.serving, "owner_database_url": urls.owner, "secret": SECRET}
        key = asyncio.run(make_platform_key(Settings.model_validate(known), "bench"))
        yield Stand(folder, postgres, valkey, urls, key)


def running_service(command: Callable[..., None]) -> Callable[..., None]:
    """The options that name a service which runs already."""
    url = click.option("--url", envvar="RETENIR_URL", help="A service that runs. Default: one of the benchmark's own.")
    return url(
        click.option("--platform-key", envvar="RETENIR_PLATFORM_KEY", help="A key of that one's platform.")(command)
    )


@contextmanager
def service_or_own(url: str | None, platform_key: str | None) -> Iterator[tuple[str, str]]:
    """The address of a service and a key of its platform: those given, or for the block a service of one's own."""
    if url is not None:
        if platform_key is None:
            raise click.UsageError("--url needs --platform-key")
        yield url, platform_key
        return
    with stand() as own, own.service(worker=True) as address:
        yield address, own.platform_key


async def _schema(postgres: EmbeddedPostgres, folder: Path) -> DatabaseUrls:
    urls = await provide_database(postgres, folder)
    await upgrade(urls.owner)
    return urls
