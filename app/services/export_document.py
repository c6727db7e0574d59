"""An export as its reader meets it: from front to back, and cut off where it must not end as if it were whole."""

import time
from datetime import datetime, timedelta
from typing import Final

from app.domain.erasures import Closings
from app.domain.errors import RetenirError
from app.domain.events import EventKind
from app.domain.tenancy import TenantScope
from app.ports.events import EventFilter
from app.ports.paging import PageRequest
from app.ports.storage import Storage, UnitOfWork
from app.services.spool import Spool

_LOOK_SECONDS: Final = 5.0
_SLACK: Final = timedelta(hours=1)


class Cut(Exception):
    """The document will not be whole, or something of it was erased since: it must not end as if it were whole."""


class Watch:
    """Whether anything was erased behind the state that an export is made of."""

    def __init__(self, storage: Storage, scope: TenantScope) -> None:
        self._storage = storage
        self._scope = scope
        self._began: datetime | None = None
        self._before: object = None

    async def begin(self, snapshot: UnitOfWork, now: datetime) -> None:
        """From the state on that this snapshot sees: what was erased before is not in it."""
        self._began, self._before = now, await _erased(snapshot, now)

    async def still_whole(self) -> bool:
        """Whether nothing was."""
        if self._began is None:
            raise RuntimeError("nothing was written yet, and yet it is read")
        async with self._storage.transaction(self._scope) as uow:
            return await _erased(uow, self._began) == self._before


class Document:
    """An export, to be read from front to back, while it is written or afterwards.

    `length` is that of the whole in bytes, None where it is still being written.
    """

    def __init__(self, spool: Spool, length: int | None, watch: Watch) -> None:
        self.length = length
        self._spool = spool
        self._watch = watch
        self._looked = time.monotonic()

    async def read(self) -> bytes:
        """The next bytes, empty at the end. Raises Cut where it could not be written to its end, where something was
        erased since, or where nobody can tell: before the end, with which the manifest comes, for certain.
        """
        try:
            chunk = await self._spool.read()
            at_end = self._spool.read_out and bool(chunk)
            if at_end or time.monotonic() >= self._looked + _LOOK_SECONDS:
                self._looked = time.monotonic()
                if not await self._watch.still_whole():
                    raise Cut
        except RetenirError as error:
            raise Cut from error
        return chunk


async def _erased(uow: UnitOfWork, now: datetime) -> tuple[datetime | None, Closings, int]:
    """What differs once something was erased behind that instant: since when the organisation is there, what of it is
    closed, and how often the trail tells of it. Whoever was at it by then may tell of an earlier time.
    """
    organisation, count = await uow.organisations.get(), 0
    for kind in (EventKind.ERASED, EventKind.DELETED):
        wanted = EventFilter(kind=kind, since=now - _SLACK, unveiled=True)
        page = await uow.events.page(wanted, PageRequest(limit=1, with_total=True))
        count += page.total or 0
    return organisation.created_at if organisation else None, uow.erasures.closings, count
