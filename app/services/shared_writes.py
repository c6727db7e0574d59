"""Writers of one organisation who come at the same time share a transaction, and each is answered after its commit."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from app.domain.errors import Unavailable
from app.domain.tenancy import TenantScope

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")
Write = Callable[[Sequence[tuple[TenantScope, Asked]]], Awaitable[Sequence[Answered]]]

MOST_TOGETHER = 1000
"""Rows that share one transaction; a writer who brings more than are left waits for the next one."""
MOST_WAITING = 20_000
"""Rows of one organisation that wait for their turn; who comes then is told to come again."""
ROW_SECONDS = 0.001
"""What a writer's patience grows by with each row: a thousand of them are more work, not a slower database."""
_ALONE_AT_ONCE = 4


@dataclass(eq=False)
class _Waiting(Generic[Asked, Answered]):
    scope: TenantScope
    asked: Asked
    rows: int
    answer: "asyncio.Future[Answered]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    writing: "asyncio.Task[Sequence[Answered]] | None" = None

    def give_up(self) -> None:
        """What still waits is never written, what is being written is rolled back."""
        self.answer.cancel()
        if self.writing is not None:
            self.writing.cancel()


@dataclass(eq=False)
class _Queue(Generic[Asked, Answered]):
    waiting: "deque[_Waiting[Asked, Answered]]" = field(default_factory=deque)
    rows: int = 0
    serving: "asyncio.Task[None] | None" = None


class SharedWrites(Generic[Asked, Answered]):
    """Runs `write`, which answers its writers in their order, or raises; asked the same again, it must do it only once,
    for a transaction that failed may have been committed all the same.

    While a transaction of an organisation is under way, those who come gather for the next one; nobody waits for
    company. Where a shared one fails, each of its writers runs alone.
    """

    def __init__(self, write: Write[Asked, Answered], patience: float) -> None:
        self._write = write
        self._patience = patience
        self._queues: dict[str, _Queue[Asked, Answered]] = {}

    async def ask(self, scope: TenantScope, asked: Asked, rows: int) -> Answered:
        """What `write` answers, once it is committed; raises what it raises.

        Raises Unavailable where too many wait, and after `patience` seconds and a little more for each row: then
        nothing of it is kept, unless the commit was already on its way.
        """
        queue = self._queues.setdefault(scope.org_id, _Queue())
        if queue.rows + rows > MOST_WAITING:
            raise Unavailable("too_many_waiting", "Too much of this organisation waits to be written; try again.")
        waiting: _Waiting[Asked, Answered] = _Waiting(scope, asked, rows)
        queue.waiting.append(waiting)
        queue.rows += rows
        if queue.serving is None:
            queue.serving = asyncio.create_task(self._serve(scope.org_id, queue))
        try:
            done, _ = await asyncio.wait({waiting.answer}, timeout=self._patience + rows * ROW_SECONDS)
        except asyncio.CancelledError:
            waiting.answer.cancel()
            raise
        if not done:
            waiting.give_up()
            raise _too_slow()
        return waiting.answer.result()

    async def _serve(self, org_id: str, queue: _Queue[Asked, Answered]) -> None:
        """Until nobody of the organisation waits."""
        while queue.waiting:
            if writers := _next(queue):
                await self._together(writers)
        del self._queues[org_id]

    async def _together(self, writers: list[_Waiting[Asked, Answered]]) -> None:
        writing = asyncio.create_task(self._written(writers))
        for one in writers:
            one.writing = writing
        await asyncio.wait({writing})
        error = _too_slow() if writing.cancelled() else writing.exception()
        if error is None:
            for one, answer in zip(writers, writing.result(), strict=True):
                if not one.answer.done():
                    one.answer.set_result(answer)
        elif len(writers) == 1:
            if not writers[0].answer.done():
                writers[0].answer.set_exception(error)
        else:
            room = asyncio.Semaphore(_ALONE_AT_ONCE)
            await asyncio.gather(*(self._alone(one, room) for one in writers))

    async def _alone(self, one: _Waiting[Asked, Answered], room: asyncio.Semaphore) -> None:
        async with room:
            if not one.answer.done():
                await self._together([one])

    async def _written(self, writers: list[_Waiting[Asked, Answered]]) -> Sequence[Answered]:
        return await self._write([(one.scope, one.asked) for one in writers])


def _next(queue: _Queue[Asked, Answered]) -> list[_Waiting[Asked, Answered]]:
    """The longest waiting writers, as many as share a transaction; those who gave up are left out."""
    taken: list[_Waiting[Asked, Answered]] = []
    rows = 0
    while queue.waiting and (not taken or rows + queue.waiting[0].rows <= MOST_TOGETHER):
        one = queue.waiting.popleft()
        queue.rows -= one.rows
        if not one.answer.done():
            taken.append(one)
            rows += one.rows
    return taken


def _too_slow() -> Unavailable:
    return Unavailable("database_unavailable", "The database does not answer in time; try again.")
