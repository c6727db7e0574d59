"""Programs that outlive the process which started them."""

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from app.adapters.embedded.accounts import Account

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
_DETACHED = '"$@" </dev/null >>"$0" 2>&1 & echo $!'


def launch(command: Sequence[str], log: Path, account: Account) -> int:
    """Start a program that is nobody's child, in a session of its own, and answer its process id.

    Ctrl-C in our terminal does not reach it, our death does not end it. What it prints is added to the log.
    """
    shell = ["/bin/sh", "-c", _DETACHED, str(log), *command]
    started = subprocess.run(
        shell, stdout=subprocess.PIPE, check=True, start_new_session=True, cwd="/", env=ENVIRONMENT, **account.process
    )
    return int(started.stdout)


def run(command: Sequence[str], account: Account) -> str:
    """Run a program to its end and answer what it printed. Raises RuntimeError with that when it failed."""
    done: subprocess.CompletedProcess[str] = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd="/",
        env=ENVIRONMENT,
        **account.process,
    )
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name} exited with {done.returncode}: {done.stdout[-2000:]}")
    return done.stdout


def runs(pid: int, argument: str) -> bool:
    """A process of that id runs, with the argument on its command line: so not a zombie, nor a later program."""
    if Path("/proc/self").exists():
        try:
            arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
        return os.fsencode(argument) in arguments
    listed = subprocess.run(["/bin/ps", "-o", "command=", "-p", str(pid)], capture_output=True, check=False)
    return os.fsencode(argument) in listed.stdout


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Look every 10 ms; False when the time ran out."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def tail(log: Path) -> str:
    """The last lines of a log, to explain a failure."""
    return log.read_text(errors="replace")[-1500:] if log.exists() else ""
