"""One Postgres data folder and the server on it: made, configured, started, ended. Callers take turns."""

import shutil
import signal
from collections.abc import Mapping
from os import kill
from pathlib import Path

from app.adapters.embedded import files, processes
from app.adapters.embedded.accounts import Account

SUPERUSER = "postgres"
START_SECONDS = 120.0
STOP_SECONDS = 60.0
RETRY_SECONDS = 3.0
NO_PROCESS = "99999999"  # above any id the kernel gives
SOCKET = ".s.PGSQL.5432"

# Nothing a client sent is ever written to the log: no statement, no parameter, no detail, nor the message of an
# error that a statement met, which may quote a value. What the server itself has to say is.
QUIET_LOG = {
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}


class Cluster:
    """The server's files lie in `home`: data, log, password, and the socket where its path is short enough."""

    def __init__(self, home: Path, programs: Path, account: Account) -> None:
        self._home = home
        self._programs = programs
        self._account = account
        self._data = home / "data"
        self._log = home / "server.log"
        self.socket_folder = files.socket_folder(home / "run", SOCKET)

    @property
    def password(self) -> str:
        """The superuser's."""
        return files.keep_secret(self._home / "password")

    def ensure_running(self, settings: Mapping[str, str]) -> None:
        """The server answers. One that runs already keeps its settings. Raises RuntimeError when it cannot start."""
        files.private_folder(self.socket_folder, self._account)
        if not self._data.exists():
            self._initialise()
        if (pid := self._pid()) is not None:
            processes.wait_until(lambda: self._is_ready() or self._pid() != pid, START_SECONDS)
        if not self._is_ready():
            self._write_settings(settings)
            self._start()

    def shut_down(self) -> None:
        """The server has ended: sessions are cut, what is committed is on disk."""
        if (pid := self._pid()) is not None:
            kill(pid, signal.SIGINT)  # Postgres' fast shutdown
            if not processes.wait_until(lambda: not processes.runs(pid, str(self._data)), STOP_SECONDS):
                raise RuntimeError(f"Postgres did not end in {STOP_SECONDS:.0f} s:\n{processes.tail(self._log)}")
        shutil.rmtree(self.socket_folder, ignore_errors=True)

    def _initialise(self) -> None:
        """Make the data folder under another name first, so that a killed attempt leaves no half of one."""
        draft, password = self._home / "data.new", self.socket_folder / "password"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        files.write_private(password, self.password)
        self._account.own(draft, password)
        options = ["-A", "scram-sha-256", "-E", "UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"]
        initdb = str(self._programs / "initdb")
        try:
            processes.run([initdb, "-D", str(draft), "-U", SUPERUSER, f"--pwfile={password}", *options], self._account)
        finally:
            password.unlink()
        with (draft / "postgresql.conf").open("a") as configuration:
            configuration.write("include = 'retenir.conf'\n")
        draft.rename(self._data)

    def _write_settings(self, settings: Mapping[str, str]) -> None:
        folder = '"' + str(self.socket_folder).replace('"', '""') + '"'
        everything = {
            "listen_addresses": "",
            "unix_socket_directories": folder,
            "unix_socket_permissions": "0700",
            **QUIET_LOG,
            **settings,
        }
        lines = [f"{name} = '{_quoted(value)}'" for name, value in everything.items()]
        path = self._data / "retenir.conf"
        files.write_private(path, "\n".join(lines))
        self._account.own(path)

    def _start(self) -> None:
        """Start until it is ready: after a kill -9, sessions of the old server may hold its memory a moment longer."""
        self._log.touch(mode=0o600)
        self._account.own(self._log)
        if not processes.wait_until(self._attempt, RETRY_SECONDS):
            raise RuntimeError(f"Postgres did not start:\n{processes.tail(self._log)}")

    def _attempt(self) -> bool:
        self._disown_stale_pids()
        pid = processes.launch([str(self._programs / "postgres"), "-D", str(self._data)], self._log, self._account)
        processes.wait_until(lambda: self._is_ready() or not processes.runs(pid, str(self._data)), START_SECONDS)
        return self._is_ready()

    def _pid(self) -> int | None:
        """The running server's process id."""
        try:
            pid = int(self._pid_lines()[0])
        except (IndexError, ValueError):
            return None
        return pid if processes.runs(pid, str(self._data)) else None

    def _is_ready(self) -> bool:
        status = self._pid_lines()[7:8]
        return bool(status) and status[0].strip() == "ready" and self._pid() is not None

    def _pid_lines(self) -> list[str]:
        try:
            return (self._data / "postmaster.pid").read_text().split("\n")
        except FileNotFoundError:
            return []

    def _disown_stale_pids(self) -> None:
        """A dead server's id may be another program's by now, or a zombie's: Postgres would take that for itself.

        The rest of its file stays: by it Postgres finds out whether an old session still uses the data folder.
        """
        if lines := self._pid_lines():
            (self._data / "postmaster.pid").write_text("\n".join([NO_PROCESS, *lines[1:]]))
        (self.socket_folder / f"{SOCKET}.lock").unlink(missing_ok=True)


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace("'", "''")
