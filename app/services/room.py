"""Room for so many at once: the others wait for their turn, and not for ever."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from app.domain.errors import RetenirError


class Room:
    """Places for `at_once`. Who waits for one for `seconds` is refused by what `refusal` makes.

    Those of one organisation have their turn in their order, the organisations by turns: the many of one do not keep
    the few of another from theirs.
    """

    def __init__(self, at_once: int, seconds: float, refusal: Callable[[], RetenirError]) -> None:
        self._free = at_once
        self._seconds = seconds
        self._refusal = refusal
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._queues.values()))

    @asynccontextmanager
    async def place(self, org_id: str) -> AsyncIterator[float]:
        """A place for the length of the block; the seconds that it took to come. Raises the refusal."""
        began = time.monotonic()
        await self._come(org_id)
        try:
            yield time.monotonic() - began
        finally:
            self._leave()

    async def _come(self, org_id: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(org_id, deque()).append(turn)
        try:
            async with asyncio.timeout(self._seconds):
                await turn
        except BaseException as error:
            if turn.cancelled():
                self._forget(org_id, turn)
            else:  # it came at the same moment, and is passed on
                self._leave()
            if isinstance(error, TimeoutError):
                raise self._refusal() from None
            raise

    def _leave(self) -> None:
        """The place is the next one's, of the organisation whose turn it is."""
        while self._queues:
            org_id, queue = next(iter(self._queues.items()))
            turn = queue.popleft()
            self._queues.move_to_end(org_id)
            if not queue:
                del self._queues[org_id]
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _forget(self, org_id: str, turn: asyncio.Future[None]) -> None:
        queue = self._queues.get(org_id, deque())
        if turn in queue:
            queue.remove(turn)
        if not queue:
            self._queues.pop(org_id, None)
