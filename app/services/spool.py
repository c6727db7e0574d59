"""Bytes on their way out: written at their end while they are read from their front, and never held in memory."""

import asyncio
import os
from collections.abc import Callable
from tempfile import SpooledTemporaryFile
from threading import Lock
from types import TracebackType
from typing import Final, Self

from app.domain.errors import Unavailable

CHUNK: Final = 256 * 1024
IN_MEMORY: Final = 1024 * 1024


class Spool:
    """What one task writes and another one reads. The writer never waits for the reader, the reader waits for what is
    not there yet.

    As much as fits stays in memory, more goes to a file without a name, which is gone when the block ends or the
    process dies. The piece that was written last is not read before the end.
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 — closed by the spool's own block
        self._at_it = Lock()  # whoever is cancelled leaves a thread that is still at the file
        self._waiting = bytearray()
        self._moved = asyncio.Event()
        self._there = self._taken = 0
        self._over = False
        self._failure: Exception | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._at_it:
            self._file.close()

    async def write(self, piece: bytes) -> None:
        """Add a piece. Raises Unavailable where there is no room."""
        if len(self._waiting) >= CHUNK:
            await self._flush()
        self._waiting += piece

    async def end(self) -> None:
        """It is whole. Raises as `write`."""
        await self._flush()
        self._over = True
        self._moved.set()

    def fail(self, error: Exception) -> None:
        """It will never be whole: the reader is told why."""
        self._failure = error
        self._moved.set()

    async def begun(self) -> int | None:
        """Waits until it is whole or does not fit into memory. Answers its length, None where that is not known yet.

        Raises what the writer failed of.
        """
        await self._until(lambda: self._over or self._there > IN_MEMORY)
        return self._there if self._there <= IN_MEMORY else None

    async def read(self) -> bytes:
        """The next bytes, empty at the end. Raises what the writer failed of."""
        await self._until(lambda: self._over or self._there > self._taken)
        chunk = await asyncio.to_thread(self._take, self._taken, min(CHUNK, self._there - self._taken))
        self._taken += len(chunk)
        return chunk

    @property
    def read_out(self) -> bool:
        """Whether all of it was read."""
        return self._over and self._taken == self._there

    async def _until(self, true: Callable[[], bool]) -> None:
        while self._failure is None and not true():
            self._moved.clear()
            await self._moved.wait()
        if self._failure is not None:
            raise self._failure

    async def _flush(self) -> None:
        waiting, self._waiting = self._waiting, bytearray()
        try:
            await asyncio.to_thread(self._put, waiting)
        except OSError as error:
            raise Unavailable from error
        self._there += len(waiting)
        self._moved.set()

    def _put(self, piece: bytearray) -> None:
        with self._at_it:
            self._file.seek(0, os.SEEK_END)
            self._file.write(piece)
            self._file.flush()

    def _take(self, at: int, size: int) -> bytes:
        with self._at_it:
            self._file.seek(at)
            return self._file.read(size)
