"""Locks between processes that the kernel drops when their holder dies, whichever way it dies."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


class Sharing:
    """Several processes use one server: the first starts it, the last ends it, a killed one is not missed.

    Users are counted by shared locks on a file in the server's folder. Of `ensure_running` and `shut_down`, which
    this is given, one call runs at a time over all processes.
    """

    def __init__(self, folder: Path, ensure_running: Callable[[], None], shut_down: Callable[[], None]) -> None:
        self._turn = folder / "start.lock"
        self._users = folder / "users.lock"
        self._ensure_running = ensure_running
        self._shut_down = shut_down
        self._held: int | None = None

    def join(self) -> None:
        """The server runs, and we are counted, once however often this is called. Not counted if that failed."""
        with exclusive(self._turn):
            if self._held is None:
                self._held = _open(self._users)
                fcntl.flock(self._held, fcntl.LOCK_SH)
            try:
                self._ensure_running()
            except BaseException:  # Ctrl-C in the middle of a start leaves no server behind
                self._let_go(self._held)
                raise

    def leave(self) -> bool:
        """Be counted no longer. True if nobody else was, and the server is shut down."""
        if self._held is None:
            return False
        with exclusive(self._turn):
            return self._let_go(self._held)

    def _let_go(self, held: int) -> bool:
        self._held = None
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._shut_down()
        except BlockingIOError:
            return False
        finally:
            os.close(held)
        return True


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Wait for the lock, hold it for the block."""
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
