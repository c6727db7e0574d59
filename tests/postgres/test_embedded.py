"""The embedded servers, really started: shared by processes, taken over after a kill, ended by the last user."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest
import redis.asyncio as redis

from app.adapters.embedded import processes
from app.adapters.embedded.accounts import server_account
from app.adapters.embedded.postgres import EmbeddedPostgres
from app.adapters.embedded.valkey import EmbeddedValkey

Server = EmbeddedPostgres | EmbeddedValkey
FAST = {"fsync": "off"}
USER_PROCESS = """
import sys
from pathlib import Path
from app.adapters.embedded.{module} import {name}
server = {name}(Path(sys.argv[1]))
server.start()
print("ready", flush=True)
sys.stdin.readline()
print(server.stop(), flush=True)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path that others may pass through, as a home for sockets and for a server that is not ours."""
    path = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))
    path.chmod(0o711)
    yield path
    for line in Path("/proc").glob("[0-9]*/cmdline"):  # what a failed test left running
        with suppress(OSError):
            if os.fsencode(path) in line.read_bytes():
                os.kill(int(line.parent.name), signal.SIGKILL)
    shutil.rmtree(path)


@pytest.fixture(params=[EmbeddedPostgres, EmbeddedValkey])
def kind(request: pytest.FixtureRequest) -> type[Server]:
    chosen: type[Server] = request.param
    return chosen


async def process_id(server: Server) -> int:
    """Asked of the server itself, so an answer also shows that it serves."""
    if isinstance(server, EmbeddedPostgres):
        connection = await asyncpg.connect(server.url())
        lines = await connection.fetchval("select pg_read_file('postmaster.pid')")
        await connection.close()
        return int(lines.split()[0])
    async with redis.Redis.from_url(server.url()) as client:
        return int((await client.info("server"))["process_id"])


async def answers(server: Server) -> bool:
    try:
        return await process_id(server) > 0
    except (OSError, redis.ConnectionError):
        return False


def kill(pid: int) -> None:
    """The process is gone, or a zombie, when this returns: the signal alone takes a moment."""

    def gone() -> bool:
        try:
            return Path(f"/proc/{pid}/cmdline").read_bytes() == b""
        except OSError:
            return True

    os.kill(pid, signal.SIGKILL)
    assert processes.wait_until(gone, seconds=10)


def another_process(kind: type[Server], root: Path) -> subprocess.Popen[str]:
    """A process that uses the server below `root` until a line is written to it."""
    code = USER_PROCESS.format(module=kind.__module__.rpartition(".")[2], name=kind.__name__)
    command = [sys.executable, "-c", code, str(root)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


async def test_is_shared_and_ended_by_its_last_user(kind: type[Server], folder: Path) -> None:
    with another_process(kind, folder / "server") as first:
        server = kind(folder / "server")
        server.start()
        theirs = await process_id(server)
        assert first.communicate("done\n")[0] == "False\n"
    assert await process_id(server) == theirs
    assert server.stop() is True
    assert not await answers(server)
    assert server.stop() is False


async def test_outlives_a_killed_user_and_is_taken_over(kind: type[Server], folder: Path) -> None:
    with another_process(kind, folder / "server") as first:
        server = kind(folder / "server")
        orphan = await process_id(server)
        first.kill()
    server.start()
    assert await process_id(server) == orphan
    assert server.stop() is True


async def test_starts_again_after_its_own_kill(kind: type[Server], folder: Path) -> None:
    server = kind(folder / "server")
    server.start()
    if isinstance(server, EmbeddedPostgres):
        connection = await asyncpg.connect(server.url())
        await connection.execute("create table kept as select 42 as number")
    kill(killed := await process_id(server))
    server.start()
    assert await process_id(server) != killed
    if isinstance(server, EmbeddedPostgres):
        await connection.close()
        connection = await asyncpg.connect(server.url())
        assert await connection.fetchval("select number from kept") == 42
        await connection.close()
    assert server.stop() is True


async def test_ctrl_c_in_the_terminal_does_not_reach_it(kind: type[Server], folder: Path) -> None:
    server = kind(folder / "server")
    server.start()
    assert os.getsid(await process_id(server)) != os.getsid(0)
    server.stop()


@pytest.mark.parametrize("name", ['l\'été à Lyon $HOME "5"', "deep" * 30])
async def test_any_folder_will_do(kind: type[Server], folder: Path, name: str) -> None:
    server = kind(folder / name)
    server.start()
    assert await answers(server)
    assert server.stop() is True


def test_two_first_starts_at_once_make_one_server(folder: Path) -> None:
    code = USER_PROCESS.format(module="postgres", name="EmbeddedPostgres")
    command = [sys.executable, "-c", code, str(folder / "server")]
    both = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    printed = [process.communicate("done\n")[0].split() for process in both]
    assert [lines[0] for lines in printed] == ["ready", "ready"]
    assert "True" in {lines[1] for lines in printed}


async def test_a_pid_that_is_another_programs_by_now_does_not_stop_it(folder: Path) -> None:
    server = EmbeddedPostgres(folder / "server", FAST)
    server.start()
    kill(killed := await process_id(server))
    sleeper = processes.launch(["/bin/sleep", "60"], Path("/dev/null"), server_account())
    left_behind = folder / "server" / "data" / "postmaster.pid"
    left_behind.write_text(left_behind.read_text().replace(str(killed), str(sleeper), 1))
    server.start()
    assert await answers(server)
    server.stop()
    kill(sleeper)


async def test_asks_for_a_password_and_listens_on_no_network(folder: Path) -> None:
    server = EmbeddedPostgres(folder / "server", FAST)
    server.start()
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(server.url(password="wrong"))
    connection = await asyncpg.connect(server.url())
    assert await connection.fetchval("show listen_addresses") == ""
    assert await connection.fetchval("show fsync") == "off"
    await connection.close()
    assert stat.S_IMODE((folder / "server" / "password").stat().st_mode) == 0o600
    server.stop()


async def test_its_log_holds_nothing_a_client_sent(folder: Path) -> None:
    server = EmbeddedPostgres(folder / "server", FAST)
    server.start()
    connection = await asyncpg.connect(server.url())
    await connection.execute("create table notes (id int primary key, note varchar(30))")
    attempts: list[Callable[[], Awaitable[object]]] = [
        lambda: connection.execute("select 'canary'::int"),
        lambda: connection.execute("select $1::text::int", "canary"),
        lambda: connection.execute("insert into notes values (1, 'canary'), (1, 'canary')"),
        lambda: connection.execute("do $$ begin raise warning 'canary'; end $$; select canary from canary"),
        lambda: connection.execute("insert into notes values (2, $1)", "canary" * 30),
    ]
    for attempt in attempts:
        with pytest.raises(asyncpg.PostgresError):
            await attempt()
    await connection.close()
    server.stop()
    log = (folder / "server" / "server.log").read_text()
    assert "ready to accept connections" in log
    assert "canary" not in log


@pytest.mark.skipif(os.geteuid() != 0, reason="only root lends its server another account")
async def test_as_root_a_private_folder_is_replaced_by_a_link(folder: Path) -> None:
    folder.chmod(0o700)
    server = EmbeddedPostgres(folder / "server", FAST)
    server.start()
    home = (folder / "server").resolve()
    try:
        assert (folder / "server").is_symlink()
        assert not home.is_relative_to(folder)
        assert await answers(server)
        assert server.stop() is True
    finally:
        shutil.rmtree(home)
