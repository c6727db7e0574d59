"""A document on its way out: written from front to back, then read, without ever being held in memory."""

import asyncio
import json
from collections.abc import AsyncIterable, Awaitable, Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from hashlib import sha256
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import Any, Final, Self
from uuid import UUID

from app.domain.export import LINES, Section

CHUNK: Final = 256 * 1024
_IN_MEMORY: Final = 1024 * 1024
_BREATH: Final = 50
"""Records after which other requests get their turn."""


class Spool:
    """A document on its way out. How it is written is for `JsonSpool` and `LineSpool` to say.

    Small ones stay in memory, larger ones in a file without a name, which is gone when the block ends or the process
    dies. Values may hold dataclasses, instants (written in UTC) and UUIDs.
    """

    media_type: str
    name: str
    """What the document is called where it is kept as a file."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 — closed by the spool's own block
        self._waiting = bytearray()
        self._digest = sha256()
        self.size = 0
        """Bytes written."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    async def member(self, section: Section, value: object) -> None:
        """Write what there is one of."""
        raise NotImplementedError

    async def members(self, section: Section, records: AsyncIterable[object]) -> int:
        """Write a list; answers its length."""
        raise NotImplementedError

    async def finish(self, manifest: Mapping[str, object]) -> None:
        """Write the manifest, with the checksum of what stands before it, and rewind."""
        raise NotImplementedError

    async def read(self) -> bytes:
        """The next bytes of the finished document, empty at its end."""
        return await asyncio.to_thread(self._file.read, CHUNK)

    async def _write(self, piece: bytes) -> None:
        self._digest.update(piece)
        self._waiting += piece
        self.size += len(piece)
        if len(self._waiting) >= CHUNK:
            await self._flush()

    async def _flush(self) -> None:
        waiting, self._waiting = self._waiting, bytearray()
        await asyncio.to_thread(self._file.write, waiting)

    async def _each(self, records: AsyncIterable[object], write: Callable[[bytes, int], Awaitable[None]]) -> int:
        count = 0
        async for record in records:
            await write(_encode(record), count)
            count += 1
            if count % _BREATH == 0:
                await asyncio.sleep(0)
        return count

    async def _rewind(self) -> None:
        await self._flush()
        await asyncio.to_thread(self._file.seek, 0)


class JsonSpool(Spool):
    """One JSON object, member by member. Records of a list stand one on a line."""

    media_type = "application/json"
    name = "memory.json"

    def __init__(self) -> None:
        super().__init__()
        self._between = b"{"

    async def member(self, section: Section, value: object) -> None:
        await self._open(section)
        await self._write(_encode(value))

    async def members(self, section: Section, records: AsyncIterable[object]) -> int:
        async def write(record: bytes, before: int) -> None:
            await self._write((b",\n" if before else b"[\n") + record)

        await self._open(section)
        count = await self._each(records, write)
        await self._write(b"\n]" if count else b"[]")
        return count

    async def finish(self, manifest: Mapping[str, object]) -> None:
        """The checksum is of every byte before the comma that precedes the manifest."""
        checksum = f"sha256:{self._digest.hexdigest()}"
        await self.member(Section.MANIFEST, {**manifest, "checksum": checksum})
        await self._write(b"}\n")
        await self._rewind()

    async def _open(self, section: Section) -> None:
        await self._write(self._between + _encode(section) + b":")
        self._between = b",\n"


class LineSpool(Spool):
    """One record on a line, with its type."""

    media_type = LINES
    name = "memory.ndjson"

    async def member(self, section: Section, value: object) -> None:
        await self._line(section, _encode(value))

    async def members(self, section: Section, records: AsyncIterable[object]) -> int:
        return await self._each(records, lambda record, _: self._line(section, record))

    async def finish(self, manifest: Mapping[str, object]) -> None:
        """The checksum is of every byte before the manifest's line."""
        checksum = f"sha256:{self._digest.hexdigest()}"
        await self.member(Section.MANIFEST, {**manifest, "checksum": checksum})
        await self._rewind()

    async def _line(self, section: Section, record: bytes) -> None:
        await self._write(b'{"type":"%b","record":%b}\n' % (section.record.encode(), record))


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
