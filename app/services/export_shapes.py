"""The shapes in which an export is written."""

import asyncio
import json
from collections.abc import AsyncIterable, Awaitable, Callable, Mapping
from dataclasses import is_dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from app.domain.export import LINES, Section
from app.services.export_records import columns
from app.services.spool import Spool

_BREATH: Final = 50
"""Records after which other requests get their turn."""


class Shape:
    """How a document is written. Values may hold dataclasses, instants (written in UTC) and UUIDs."""

    media_type: str
    name: str
    """What the document is called where it is kept as a file."""

    def __init__(self, spool: Spool) -> None:
        self.spool = spool
        self._digest = sha256()

    async def member(self, section: Section, value: object) -> None:
        """Write what there is one of."""
        raise NotImplementedError

    async def members(self, section: Section, records: AsyncIterable[object]) -> int:
        """Write a list; answers its length."""
        raise NotImplementedError

    async def manifest(self, manifest: Mapping[str, object]) -> None:
        """Write the manifest as the last piece, with the checksum of every byte before it."""
        raise NotImplementedError

    async def _write(self, piece: bytes) -> None:
        self._digest.update(piece)
        await self.spool.write(piece)

    async def _each(self, records: AsyncIterable[object], write: Callable[[bytes, int], Awaitable[None]]) -> int:
        count = 0
        async for record in records:
            await write(_encode(record), count)
            count += 1
            if count % _BREATH == 0:
                await asyncio.sleep(0)
        return count

    def _summed(self, manifest: Mapping[str, object]) -> bytes:
        return _encode({**manifest, "checksum": f"sha256:{self._digest.hexdigest()}"})


class JsonShape(Shape):
    """One JSON object, member by member. Records of a list stand one on a line."""

    media_type = "application/json"
    name = "memory.json"

    def __init__(self, spool: Spool) -> None:
        super().__init__(spool)
        self._between = b"{"

    async def member(self, section: Section, value: object) -> None:
        await self._write(self._opened(section) + _encode(value))

    async def members(self, section: Section, records: AsyncIterable[object]) -> int:
        async def write(record: bytes, before: int) -> None:
            await self._write((b",\n" if before else b"[\n") + record)

        await self._write(self._opened(section))
        count = await self._each(records, write)
        await self._write(b"\n]" if count else b"[]")
        return count

    async def manifest(self, manifest: Mapping[str, object]) -> None:
        """The checksum is of every byte before the comma that precedes the manifest."""
        await self._write(self._opened(Section.MANIFEST) + self._summed(manifest) + b"}\n")

    def _opened(self, section: Section) -> bytes:
        between, self._between = self._between, b",\n"
        return between + _encode(section) + b":"


class LineShape(Shape):
    """One record on a line, with its type."""

    media_type = LINES
    name = "memory.ndjson"

    async def member(self, section: Section, value: object) -> None:
        await self._line(section, _encode(value))

    async def members(self, section: Section, records: AsyncIterable[object]) -> int:
        return await self._each(records, lambda record, _: self._line(section, record))

    async def manifest(self, manifest: Mapping[str, object]) -> None:
        """The checksum is of every byte before the manifest's line."""
        await self._line(Section.MANIFEST, self._summed(manifest))

    async def _line(self, section: Section, record: bytes) -> None:
        await self._write(b'{"type":"%b","record":%b}\n' % (section.record.encode(), record))


def _plain(value: Any) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"
    if isinstance(value, UUID):
        return str(value)
    if is_dataclass(value):
        return columns(value)
    raise TypeError(f"{type(value).__name__} has no place in a document")


_encoder: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)


def _encode(value: object) -> bytes:
    return _encoder.encode(value).encode()
