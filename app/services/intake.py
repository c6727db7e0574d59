"""A file of an import as it arrives: looked at record by record, and laid aside until it was found whole."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import fields
from hashlib import sha256
from tempfile import SpooledTemporaryFile
from typing import Any, Final
from uuid import UUID

from app.domain.checking import Checking
from app.domain.export import Section
from app.domain.imports import Staged, Step
from app.domain.values import JsonValue

_IN_MEMORY: Final = 1024 * 1024
_FLUSH: Final = 256 * 1024
AT_ONCE: Final = 500
"""Records that one statement stores."""
_NAMES: Final = tuple(field.name for field in fields(Staged))
_IDS: Final = frozenset({"id", "fact_id"})


class Intake:
    """What came of one file. It lies in a file without a name, which is gone with this or with the process.

    `digest` is that of its bytes, for whoever reads them to feed, and tells the same file when it is sent again.
    """

    def __init__(self, check_settings: Callable[[Mapping[str, Any]], None] = lambda _: None) -> None:
        self._checking = Checking(check_settings)
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 — closed with the intake
        self._waiting = bytearray()
        self._laid = 0
        self.digest = sha256()

    @property
    def records(self) -> int:
        """How many are to be stored."""
        return self._laid

    @property
    def ended(self) -> bool:
        """Whether the manifest was taken, behind which nothing comes."""
        return self._checking.manifest is not None

    async def take(self, section: Section, told: object) -> None:
        """The next record. Raises Unfit."""
        staged = self._checking.take(section, told)
        if staged is not None:
            self._waiting += _line(staged)
            self._laid += 1
            if len(self._waiting) >= _FLUSH:
                await self._flush()

    async def finish(self, checksum: str) -> None:
        """The file has ended. Raises Unfit where it is not whole."""
        self._checking.finish(checksum)
        await self._flush()

    def stray(self) -> tuple[int, str] | None:
        """See `Checking.stray`."""
        return self._checking.stray()

    async def batches(self) -> AsyncIterator[list[Staged]]:
        """All that is to be stored, in order; may be asked for again."""
        await asyncio.to_thread(self._file.seek, 0)
        while lines := await asyncio.to_thread(self._read):
            yield [_staged(line) for line in lines]

    def close(self) -> None:
        """It is not needed any more."""
        self._file.close()

    def _read(self) -> list[bytes]:
        lines = [self._file.readline() for _ in range(AT_ONCE)]
        return [line for line in lines if line]

    async def _flush(self) -> None:
        waiting, self._waiting = self._waiting, bytearray()
        await asyncio.to_thread(self._file.write, waiting)


def _line(staged: Staged) -> bytes:
    told: dict[str, JsonValue] = {}
    for name in _NAMES:
        value = getattr(staged, name)
        told[name] = str(value) if isinstance(value, UUID) else value
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"


def _staged(line: bytes) -> Staged:
    told = json.loads(line)
    for name in _IDS:
        told[name] = UUID(told[name]) if told[name] else None
    told["step"], told["section"] = Step(told["step"]), Section(told["section"])
    return Staged(**told)
