"""Export: everything held that the caller may read, as one document."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from typing import Final

from app.domain.errors import RetenirError, TooMany
from app.domain.events import EventKind, event
from app.domain.export import Extent, portion
from app.domain.subjects import Scope, UserSubject
from app.domain.tenancy import TenantScope
from app.domain.values import JsonValue
from app.ports.clock import Clock
from app.ports.events import EventFilter
from app.ports.paging import PageRequest
from app.ports.storage import Storage, UnitOfWork
from app.services.export_contents import Contents
from app.services.spool import JsonSpool, LineSpool, Spool

AT_ONCE: Final = 2
"""Exports of one organisation under way at the same time, until the reader has them."""
_SNAPSHOTS: Final = 4
"""Exports of all organisations that hold a database connection at the same time; the others wait for theirs."""
_RETRY_AFTER: Final = 10
_LOOK_SECONDS: Final = 5.0
_SLACK: Final = timedelta(hours=1)


class Cut(Exception):
    """Something was erased while the document was on its way: it must not end as if it were whole."""


class Document:
    """A finished document, to be read from front to back."""

    def __init__(self, spool: Spool, still_whole: Callable[[], Awaitable[bool]]) -> None:
        self.size = spool.size
        self.media_type, self.name = spool.media_type, spool.name
        self._spool = spool
        self._still_whole = still_whole
        self._sent = 0
        self._looked = time.monotonic()

    async def read(self) -> bytes:
        """The next bytes, empty at the end. Raises Cut where something was erased since, or where nobody can tell:
        before the end, with which the manifest comes, for certain.
        """
        chunk = await self._spool.read()
        self._sent += len(chunk)
        at_end = self._sent == self.size and bool(chunk)
        if at_end or time.monotonic() >= self._looked + _LOOK_SECONDS:
            self._looked = time.monotonic()
            try:
                whole = await self._still_whole()
            except RetenirError as error:
                raise Cut from error
            if not whole:
                raise Cut
        return chunk


class Export:
    """Makes exports. Counts those of this process."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock
        self._under_way: Counter[str] = Counter()
        self._snapshots = asyncio.Semaphore(_SNAPSHOTS)

    @asynccontextmanager
    async def document(
        self, scope: TenantScope, only: Scope | None = None, *, lines: bool = False
    ) -> AsyncIterator[Document]:
        """A finished document of one consistent state, to be read within the block; `only` narrows it to a scope, with
        `lines` it has one record on a line.

        It is whole, and an `exported` event stands in the trail, before its first byte can be read; no connection is
        held while it is. What is erased meanwhile ends it without its manifest. Who gets what:
        `app.domain.export.portion`. Raises Forbidden as that does, TooMany beyond `AT_ONCE`, Unavailable; then nothing
        is written.
        """
        extents = portion(scope, only)
        with self._place(scope.org_id), LineSpool() if lines else JsonSpool() as spool:
            now = self._clock()
            async with self._snapshots, self._storage.snapshot(scope) as uow:
                state = await _erased(uow, now)
                await Contents(uow, scope, extents).write(spool, now)
            shared = Extent.WHOLE in extents.values()
            about = UserSubject(scope.person) if scope.person and not shared else None
            taken: dict[str, JsonValue] = {kind.value: extent.value for kind, extent in extents.items()}
            made = event(EventKind.EXPORTED, scope.actor, self._clock(), subject=about, new=taken)
            async with self._storage.transaction(scope) as uow:
                await uow.events.append([made])

            async def still_whole() -> bool:
                async with self._storage.transaction(scope) as uow:
                    return await _erased(uow, now) == state

            yield Document(spool, still_whole)

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


async def _erased(uow: UnitOfWork, now: datetime) -> tuple[datetime | None, int]:
    """What differs once something was erased behind that instant: since when the organisation is there, and how often
    the trail tells of it. Whoever was at it by then may tell of an earlier time.
    """
    organisation, count = await uow.organisations.get(), 0
    for kind in (EventKind.ERASED, EventKind.DELETED):
        wanted = EventFilter(kind=kind, since=now - _SLACK, unveiled=True)
        page = await uow.events.page(wanted, PageRequest(limit=1, with_total=True))
        count += page.total or 0
    return organisation.created_at if organisation else None, count
