"""`retenir serve` as a person runs it: started, stopped, killed, started again."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

RETENIR = Path(sys.executable).with_name("retenir")
SECONDS = 60


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))
    path.chmod(0o711)
    yield path
    for process in running_in(path):  # what a failed test left
        os.kill(process, signal.SIGKILL)
    shutil.rmtree(path)


def running_in(folder: Path) -> list[int]:
    """The processes with that folder on their command line."""
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if os.fsencode(folder) in line.read_bytes():
                found.append(int(line.parent.name))
        except OSError:
            continue  # it has just ended
    return found


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Nothing set but the data folder, a free port and what is given."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("RETENIR_")}
    return ours | {"RETENIR_DATA_DIR": str(folder / "data"), "RETENIR_PORT": "0"} | settings


@contextmanager
def serving(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A service that listens, and its address; killed at the end if it still runs."""
    with subprocess.Popen(
        [RETENIR, "serve"], cwd=folder, env=environment(folder), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            address = next(found[1] for line in process.stdout if (found := re.search(r"listens on (\S+)", line)))
            yield process, address
        finally:
            process.kill()


def refused(folder: Path, **settings: str) -> str:
    done = subprocess.run(
        [RETENIR, "serve"],
        cwd=folder,
        env=environment(folder, **settings),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert running_in(folder) == []
    return done.stderr


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_stops_in_order_however_often_it_is_told_to(folder: Path, signum: signal.Signals) -> None:
    with serving(folder) as (process, address):
        assert httpx.get(f"{address}/readyz").status_code == 200
        assert len(running_in(folder)) >= 2
        for _ in range(3):
            process.send_signal(signum)
        assert process.wait(SECONDS) == 0
    assert running_in(folder) == []


def test_starts_again_on_what_it_left_also_after_a_kill(folder: Path) -> None:
    secret = folder / "data" / "secret"
    with serving(folder) as (process, _):
        made = secret.read_text()
        process.kill()
    with serving(folder) as (process, address):
        assert httpx.get(f"{address}/readyz").status_code == 200
        process.terminate()
        assert process.wait(SECONDS) == 0
    assert secret.read_text() == made
    assert secret.stat().st_mode & 0o077 == 0


def test_refuses_a_port_that_is_taken(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"127.0.0.1:{port} is not to be had" in refused(folder, RETENIR_PORT=port)


def test_refuses_settings_that_cannot_be_right(folder: Path) -> None:
    said = refused(folder, RETENIR_DATABASE_URL="postgresql://app:hidden@127.0.0.1/retenir", RETENIR_SECRET="short")
    assert "RETENIR_SECRET is too short" in said
    assert "hidden" not in said


def test_a_variable_may_also_stand_in_a_file(folder: Path) -> None:
    (folder / ".env").write_text("POSTGRES_PASSWORD=of-compose\nRETENIR_SECRET=short\n")
    assert "RETENIR_SECRET is too short" in refused(folder)
