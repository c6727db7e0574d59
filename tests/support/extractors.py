"""Extractors of the tests' own, and a service that reads with one of them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from app.container import Container
from app.domain.drafts import ExtractionRequest
from app.main import create_app
from app.ports.extractors import Extraction, Extractor
from tests.support.world import World

STUMBLE = "trébuche"
"""A text that holds this word is one that the extractor cannot read."""
MEET = "rendez-vous"
"""A text that holds this word is read at the meeting, where there is one."""


def as_said(request: ExtractionRequest) -> list[dict[str, Any]]:
    """One draft: the speaker said this."""
    said = request.user_text
    return [{"about": "person", "key": "said", "value": said, "content": said, "evidence": said, "many": True}]


class Meeting:
    """Where readings wait until so many of them have come. Later ones pass."""

    def __init__(self, number: int) -> None:
        self._missing = number
        self._complete = asyncio.Event()

    async def attend(self) -> None:
        self._missing -= 1
        if self._missing <= 0:
            self._complete.set()
        await self._complete.wait()


class Scripted:
    """Keeps every text that the speaker said. At `STUMBLE` it raises `fault`, as long as there is one."""

    name = "scripted"
    metered = True

    def __init__(
        self,
        fault: Exception | None = None,
        answer: Callable[[ExtractionRequest], Any] = as_said,
        meeting: Meeting | None = None,
    ) -> None:
        self.fault = fault
        self.read: list[str] = []
        self._answer = answer
        self._meeting = meeting

    async def extract(self, request: ExtractionRequest) -> Extraction:
        self.read.append(request.user_text)
        if self._meeting is not None and MEET in request.user_text:
            await self._meeting.attend()
        if self.fault is not None and STUMBLE in request.user_text:
            raise self.fault
        return Extraction(self._answer(request))


@asynccontextmanager
async def reading_with(extractor: Extractor, world: World) -> AsyncIterator[World]:
    """Another service on the same database, with the same clock, that reads turns with this extractor."""
    container = Container(world.settings, world.container.clock, extractor)
    await container.open()
    try:
        yield World(create_app(world.settings, container), world.settings, container, world.platform_key)
    finally:
        await container.close()
