"""Export: everything held that the caller may read, as one document."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

from app.domain.errors import TooMany
from app.domain.events import EventKind, event
from app.domain.export import Extent, portion
from app.domain.subjects import Scope, UserSubject
from app.domain.tenancy import TenantScope
from app.domain.values import JsonValue
from app.ports.clock import Clock
from app.ports.storage import Storage
from app.services.export_contents import Contents
from app.services.export_document import Document, Watch
from app.services.export_shapes import JsonShape, LineShape, Shape
from app.services.room import Room
from app.services.spool import Spool

AT_ONCE: Final = 2
"""Exports of one organisation under way at the same time, until the reader has them."""
SNAPSHOTS: Final = 4
"""Exports of all organisations that hold a database connection at the same time; the others wait for theirs."""
_TURN_SECONDS: Final = 20.0
_RETRY_AFTER: Final = 10


class Export:
    """Makes exports. Counts those of this process."""

    def __init__(self, storage: Storage, clock: Clock, turn_seconds: float = _TURN_SECONDS) -> None:
        self._storage = storage
        self._clock = clock
        self._under_way: Counter[str] = Counter()
        self._snapshots = Room(SNAPSHOTS, turn_seconds, _crowded)

    @asynccontextmanager
    async def document(
        self, scope: TenantScope, only: Scope | None = None, *, lines: bool = False
    ) -> AsyncIterator[Document]:
        """A document of one consistent state, to be read within the block; `only` narrows it to a scope, with `lines`
        it has one record on a line.

        What fits into memory is whole when the block begins; of what does not, the beginning is there, and it is
        written on while it is read, until the block ends. An `exported` event stands in the trail before the first
        byte can be read. The state is held as long as it is written, however long it is read. What is erased meanwhile
        ends it without its manifest. Who gets what: `app.domain.export.portion`. Raises Forbidden as that does, TooMany
        beyond `AT_ONCE` and where its turn does not come, Unavailable; then nothing was read.
        """
        extents = portion(scope, only)
        with self._place(scope.org_id), Spool() as spool:
            shape = LineShape(spool) if lines else JsonShape(spool)
            watch = Watch(self._storage, scope)
            async with _beside(self._write(scope, extents, shape, watch)):
                length = await spool.begun()
                await self._tell(scope, extents)
                yield Document(spool, length, watch)

    async def _write(self, scope: TenantScope, extents: Mapping[Scope, Extent], shape: Shape, watch: Watch) -> None:
        """The whole document, at the database's own pace. Of what it fails, the reader is told."""
        try:
            async with self._snapshots.place(scope.org_id), self._storage.snapshot(scope) as uow:
                now = self._clock()
                await watch.begin(uow, now)
                await Contents(uow, scope, extents).write(shape, now)
            await shape.spool.end()
        except Exception as error:
            shape.spool.fail(error)

    async def _tell(self, scope: TenantScope, extents: Mapping[Scope, Extent]) -> None:
        shared = Extent.WHOLE in extents.values()
        about = UserSubject(scope.person) if scope.person and not shared else None
        taken: dict[str, JsonValue] = {kind.value: extent.value for kind, extent in extents.items()}
        made = event(EventKind.EXPORTED, scope.actor, self._clock(), subject=about, new=taken)
        async with self._storage.transaction(scope) as uow:
            await uow.events.append([made])

    @contextmanager
    def _place(self, org_id: str) -> Iterator[None]:
        if self._under_way[org_id] >= AT_ONCE:
            detail = f"{AT_ONCE} exports of this organisation are under way; wait for one to end."
            raise TooMany("too_many_exports", detail, _RETRY_AFTER)
        self._under_way[org_id] += 1
        try:
            yield
        finally:
            self._under_way[org_id] -= 1
            if not self._under_way[org_id]:
                del self._under_way[org_id]


def _crowded() -> TooMany:
    return TooMany("too_many_exports", f"{SNAPSHOTS} exports are being written; wait for one to end.", _RETRY_AFTER)


@asynccontextmanager
async def _beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """The work is done beside the block, and stopped at its end."""
    working = asyncio.create_task(work)
    try:
        yield
    finally:
        working.cancel()
        await asyncio.wait({working})
