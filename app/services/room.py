"""Room for so many at once: the others wait in their order, and not for ever."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from app.domain.errors import RetenirError


class Room:
    """Places for `at_once`. Who waits for one for `seconds` is refused by what `refusal` makes."""

    def __init__(self, at_once: int, seconds: float, refusal: Callable[[], RetenirError]) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._seconds = seconds
        self._refusal = refusal

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place for the length of the block. Raises the refusal."""
        try:
            async with asyncio.timeout(self._seconds):
                await self._places.acquire()
        except TimeoutError:
            raise self._refusal() from None
        try:
            yield
        finally:
            self._places.release()
