"""`retenir serve` and `retenir worker` as processes, which a test may end in every way there is.

They are forked from a process that has imported the service: importing takes seconds, and these tests start many.
"""

import multiprocessing
import os
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from app.cli import main

PROMISED_SECONDS = 25.0
"""A deploy waits so long for the old process before it kills it."""
_LISTENS = "listens on"
_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["app.cli"])


class Program:
    """One command of `retenir`; started again, it is the same program after a restart.

    What it printed and logged, over all its starts, is in `log`.
    """

    def __init__(self, command: str, folder: Path, settings: Mapping[str, str]) -> None:
        self._command = command
        self._folder = folder
        self._settings = settings
        self._process: ForkServerProcess | None = None
        self.log = folder / f"{command}-{os.urandom(3).hex()}.log"
        self.log.touch()

    @property
    def process(self) -> ForkServerProcess:
        assert self._process is not None, "not started yet"
        return self._process

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def start(self) -> None:
        """It runs, and may not be of use yet."""
        settings = {"RETENIR_DATA_DIR": str(self._folder / "data"), **self._settings}
        self._process = _forks.Process(target=_become, args=(self._command, self._folder, settings, self.log))
        self._process.start()

    def kill(self) -> None:
        """It is gone, and could do nothing about it."""
        if self._process is not None:
            self._process.kill()
            self._process.join()

    def terminate(self) -> float:
        """It has ended by itself on SIGTERM, in order. Answers after how many seconds."""
        asked = time.monotonic()
        self.process.terminate()
        return self.ended(PROMISED_SECONDS) - asked

    def ended(self, seconds: float, code: int = 0) -> float:
        """It ends within so many seconds with that code. Answers when it did."""
        self.process.join(seconds)
        assert self.process.exitcode == code, self.said()
        return time.monotonic()

    def said(self) -> str:
        """Everything it printed and logged."""
        return self.log.read_text(errors="replace")


class Service(Program):
    """`retenir serve`, on the same address after each start."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        port = free_port()
        super().__init__("serve", folder, {**settings, "RETENIR_PORT": str(port)})
        self.address = f"http://127.0.0.1:{port}"

    def start(self) -> None:
        """It listens."""
        before = self.said().count(_LISTENS)
        super().start()
        while self.said().count(_LISTENS) == before:
            assert self.process.exitcode is None, self.said()
            time.sleep(0.01)


@contextmanager
def running(*programs: Program) -> Iterator[None]:
    """The programs run for the block, and are killed at its end."""
    with gone_after(*programs):
        for program in programs:
            program.start()
        yield


@contextmanager
def gone_after(*programs: Program) -> Iterator[None]:
    """Whichever of the programs run at the end of the block are killed."""
    try:
        yield
    finally:
        for program in programs:
            program.kill()


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _become(command: str, folder: Path, settings: Mapping[str, str], log: Path) -> None:
    """From here on this process is `retenir command`, run in the folder with these settings and no others."""
    for name in [name for name in os.environ if name.startswith("RETENIR_")]:
        del os.environ[name]
    os.environ.update(settings)
    os.chdir(folder)
    with log.open("ab") as written:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(written.fileno(), stream.fileno())
    main([command])
