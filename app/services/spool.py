"""A JSON document on its way out: written from front to back, then read, without ever being held in memory."""

import asyncio
import json
from collections.abc import AsyncIterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from hashlib import sha256
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import Any, Final, Self
from uuid import UUID

CHUNK: Final = 256 * 1024
_IN_MEMORY: Final = 1024 * 1024
_BREATH: Final = 50
"""Records after which other requests get their turn."""


class Spool:
    """One JSON object, member by member. Small ones stay in memory, larger ones in a file without a name, which is gone
    when the block ends or the process dies.

    Values may hold dataclasses, instants (written in UTC) and UUIDs. Records of a list stand one on a line.
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 — closed by the spool's own block
        self._waiting = bytearray()
        self._digest = sha256()
        self._between = b"{"
        self.size = 0
        """Bytes written."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    async def member(self, name: str, value: object) -> None:
        """Write one member."""
        await self._open(name)
        await self._write(_encode(value))

    async def members(self, name: str, records: AsyncIterable[object]) -> int:
        """Write a list; answers its length."""
        await self._open(name)
        count = 0
        async for record in records:
            await self._write((b",\n" if count else b"[\n") + _encode(record))
            count += 1
            if count % _BREATH == 0:
                await asyncio.sleep(0)
        await self._write(b"\n]" if count else b"[]")
        return count

    async def finish(self, name: str, manifest: Mapping[str, object]) -> None:
        """Write the last member, with the checksum of every byte before the comma that precedes it, and rewind."""
        checksum = f"sha256:{self._digest.hexdigest()}"
        await self.member(name, {**manifest, "checksum": checksum})
        await self._write(b"}\n")
        await self._flush()
        await asyncio.to_thread(self._file.seek, 0)

    async def read(self) -> bytes:
        """The next bytes of the finished document, empty at its end."""
        return await asyncio.to_thread(self._file.read, CHUNK)

    async def _open(self, name: str) -> None:
        await self._write(self._between + _encode(name) + b":")
        self._between = b",\n"

    async def _write(self, piece: bytes) -> None:
        self._digest.update(piece)
        self._waiting += piece
        self.size += len(piece)
        if len(self._waiting) >= CHUNK:
            await self._flush()

    async def _flush(self) -> None:
        waiting, self._waiting = self._waiting, bytearray()
        await asyncio.to_thread(self._file.write, waiting)


def _plain(value: Any) -> object:
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no place in a document")


_encoder: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)


def _encode(value: object) -> bytes:
    return _encoder.encode(value).encode()
