"""After a restore: what the ledger says was erased is erased again, before anybody is served."""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar
from uuid import UUID

from app.domain.erasures import (
    Erased,
    ErasureKind,
    Thing,
    ThingKind,
    entry_thing,
    kept_thing,
    message_thing,
    person_thing,
    store_thing,
)
from app.domain.sources import MessageRef
from app.domain.subjects import KeyRef, Scope
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.paging import Page, PageRequest
from app.ports.storage import Directory, Storage, UnitOfWork
from app.services.behaviour import forget_found_in
from app.services.erasures import Erasures
from app.services.folds import Author, fold_anew, forget_messages

T = TypeVar("T")
AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A line of the ledger as it is kept outside of the database. `organisation` is the keyed hash of whose it is;
    None where it is an organisation, or a person everywhere, that was erased.
    """

    organisation: bytes | None
    line: Erased


@dataclass(frozen=True, slots=True)
class ErasureReplay:
    """Reads the whole ledger, and does again what it says. `scope_of` is the platform's hand in an organisation."""

    storage: Storage
    directory: Directory
    erasures: Erasures
    clock: Clock
    scope_of: Callable[[str], TenantScope]

    async def lines(self) -> AsyncIterator[LedgerLine]:
        """All that is known to have been erased, in all organisations."""
        async for erased in self._on_platform():
            yield LedgerLine(None, erased)
        async for org_id in self._organisations():
            async with self.storage.snapshot(self.scope_of(org_id)) as uow:
                async for line in uow.ledger.everything():
                    yield LedgerLine(self._named(org_id), line)

    async def replay(self, kept: Sequence[LedgerLine] = ()) -> Counter[str]:
        """Erase again what the database's own ledger and these lines say, each as far as it is older than its erasing.

        Answers how much, by kind. Done twice it finds nothing. Raises as `Erasures` and storage.
        """
        everywhere = {one.line.digest: one.line for one in kept if one.organisation is None}
        async for erasure in self._on_platform():
            everywhere[erasure.digest] = erasure
        done: Counter[str] = Counter()
        async for org_id in self._organisations():
            name, since = self._named(org_id), await self._since(org_id)
            if since is None:  # it was being erased when the backup was made: its own job goes on
                continue
            if name in everywhere and since <= everywhere[name].at:
                await self.erasures.organisation(self.scope_of(org_id))
                done["organisations"] += 1
                continue
            lines = [one.line for one in kept if one.organisation == name]
            done += await self._again(org_id, lines, everywhere)
        return done

    async def _again(self, org_id: str, lines: Sequence[Erased], everywhere: dict[bytes, Erased]) -> Counter[str]:
        scope = self.scope_of(org_id)
        for first in range(0, len(lines), AT_ONCE):
            async with self.storage.transaction(scope) as uow:
                await uow.ledger.restore(lines[first : first + AT_ONCE])
        async with self.storage.transaction(scope) as uow:
            known = {line.digest: line.at async for line in uow.ledger.everything()}
            digest = uow.ledger.digest
        done: Counter[str] = Counter()
        for thing, name, made_at in await self._members(scope):
            anywhere, here = everywhere.get(self.directory.erased_digest(thing)), known.get(digest(thing))
            if not _erased(made_at, here, anywhere.at if anywhere else None):
                continue
            if thing.kind is ThingKind.PERSON:
                # What did not stay another time is in the ledger by itself; what the platform erased later goes whole.
                kept = known.get(digest(kept_thing(name)))
                stays = kept is not None and (anywhere is None or kept > anywhere.at)
                await self.erasures.person(scope, name, keep_shared=stays)
                done["people"] += 1
            else:
                await self.erasures.store(scope, name)
                done["stores"] += 1
        done["messages"] += await self._messages(scope, known)
        done["sources"] += await self._sources(scope, known)
        return +done

    async def _messages(self, scope: TenantScope, known: dict[bytes, datetime]) -> int:
        """Those that were erased, and what came of them."""
        async with self.storage.snapshot(scope) as uow:
            whole = known.get(uow.ledger.digest(Thing(ThingKind.MEMORY)))
            gone = [
                message
                async for message in uow.messages.everything(None)
                if _erased(message.recorded_at, known.get(uow.ledger.digest(message_thing(message.ref))), whole)
            ]
        for first in range(0, len(gone), AT_ONCE):
            some = gone[first : first + AT_ONCE]
            async with self.storage.transaction(scope) as uow:
                await self._forget(uow, scope, [one.ref for one in some], [one.id for one in some])
        return len(gone)

    async def _forget(self, uow: UnitOfWork, scope: TenantScope, refs: list[MessageRef], ids: list[UUID]) -> None:
        author = Author(scope.actor, self.clock())
        await uow.messages.delete(ids)
        await forget_messages(uow, refs, author)
        await forget_found_in(uow, refs, author)
        await uow.observations.delete_found_in(refs)
        await uow.jobs.cancel(ids, author.now)

    async def _sources(self, scope: TenantScope, known: dict[bytes, datetime]) -> int:
        """What was stated by hand, or stays behind its message, and was erased."""
        found: dict[KeyRef, list[UUID]] = {}
        async with self.storage.snapshot(scope) as uow:
            memory = known.get(uow.ledger.digest(Thing(ThingKind.MEMORY)))
            shared = known.get(uow.ledger.digest(Thing(ThingKind.SHARED)))
            for kind in Scope:
                whole = [memory, shared if kind is not Scope.USER else None]
                async for ref, source in uow.sources.everything(kind, None):
                    if _erased(source.recorded_at, known.get(uow.ledger.digest(entry_thing(source.id))), *whole):
                        found.setdefault(ref, []).append(source.id)
        for ref, ids in found.items():
            async with self.storage.transaction(scope) as uow:
                author = Author(scope.actor, self.clock())
                await fold_anew(uow, [ref], partial(uow.sources.remove, ref, ids), author)
        return sum(map(len, found.values()))

    async def _members(self, scope: TenantScope) -> list[tuple[Thing, str, datetime]]:
        """Who and what could have been erased: everybody and every store, with since when they are there."""
        async with self.storage.snapshot(scope) as uow:
            people = [(person_thing(one.user_id), one.user_id, one.created_at) async for one in _every(uow.people.page)]
            stores = [
                (store_thing(one.store_id), one.store_id, one.created_at) async for one in _every(uow.stores.page)
            ]
        return people + stores

    async def _on_platform(self) -> AsyncIterator[Erased]:
        last: UUID | None = None
        while found := await self.directory.erasures(AT_ONCE, last):
            for one in found:
                kind = ThingKind.ORGANISATION if one.kind is ErasureKind.ORGANISATION else ThingKind.PERSON
                yield Erased(one.digest, kind, one.began_at)
            last = found[-1].receipt_id

    async def _since(self, org_id: str) -> datetime | None:
        """Since when the organisation is there; None where it is closed, or gone."""
        async with self.storage.transaction(self.scope_of(org_id)) as uow:
            organisation = await uow.organisations.get()
        return organisation.created_at if organisation else None

    async def _organisations(self) -> AsyncIterator[str]:
        last: str | None = None
        while org_ids := await self.directory.organisations(AT_ONCE, last):
            for last in org_ids:
                yield last

    def _named(self, org_id: str) -> bytes:
        return self.directory.erased_digest(Thing(ThingKind.ORGANISATION, (org_id,)))


def _erased(recorded_at: datetime, *erased_at: datetime | None) -> bool:
    return any(at is not None and recorded_at <= at for at in erased_at)


async def _every(page: Callable[[PageRequest], Awaitable[Page[T]]]) -> AsyncIterator[T]:
    found = await page(PageRequest(limit=AT_ONCE))
    while True:
        for one in found.items:
            yield one
        if found.next is None:
            return
        found = await page(PageRequest(limit=AT_ONCE, after=found.next))
