"""Striking an extent: what came of it elsewhere is folded out, then its rows go, place by place, in stretches."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

from app.domain.erasures import (
    Erasure,
    ErasureKind,
    Extent,
    PlatformErasure,
    Thing,
    ThingKind,
    kept_thing,
    message_thing,
    person_thing,
    store_thing,
)
from app.domain.events import EventKind, event
from app.domain.messages import Message
from app.domain.subjects import OrgSubject, StoreSubject, Subject, UserSubject
from app.ports.storage import UnitOfWork
from app.services.behaviour import forget_observations
from app.services.erasure_receipts import removed, searched
from app.services.folds import Author, fold_anew, forget_person

STRETCH_ROWS: Final = 2_000
MESSAGES: Final = 200
KEYS: Final = 20
_THINGS: Final = {
    ErasureKind.PERSON: ThingKind.PERSON,
    ErasureKind.STORE: ThingKind.STORE,
    ErasureKind.SHARED: ThingKind.SHARED,
    ErasureKind.MEMORY: ThingKind.MEMORY,
    ErasureKind.ORGANISATION: ThingKind.ORGANISATION,
}
_PARENTS: Final = ("people", "stores")


def subject_of(extent: Extent) -> Subject:
    """Whom the trail says that it was about."""
    match extent.kind:
        case ErasureKind.PERSON:
            return UserSubject(extent.id)
        case ErasureKind.STORE:
            return StoreSubject(extent.id)
    return OrgSubject()


def thing_of(extent: Extent, org_id: str) -> Thing:
    """How the ledger names the extent: the organisation's own among all of them."""
    match extent.kind:
        case ErasureKind.PERSON:
            return person_thing(extent.id)
        case ErasureKind.STORE:
            return store_thing(extent.id)
        case ErasureKind.ORGANISATION:
            return Thing(ThingKind.ORGANISATION, (org_id,))
    return Thing(_THINGS[extent.kind])


@dataclass(slots=True)
class Stretch:
    """So many rows of an extent, and what became of them."""

    uow: UnitOfWork
    erasure: Erasure
    author: Author
    left: int = STRETCH_ROWS
    gone: Counter[str] = field(default_factory=Counter)
    facts_kept: int = 0

    async def strike(self) -> bool:
        """Whether the extent is empty then, but for what it is itself."""
        self.uow.erasures.count_vectors()
        words = self.uow.events.wordless
        done = await self._elsewhere() and await self._messages() and await self._observed() and await self._places()
        await self.uow.events.flush()
        self.gone["event_values"] += self.uow.events.wordless - words
        self.gone["vectors"] += self.uow.erasures.vectors
        return done

    @property
    def told(self) -> Erasure:
        """The receipt, with what went now."""
        counted = self.erasure.counting(+self.gone)
        return replace(counted, facts_kept=counted.facts_kept + self.facts_kept)

    async def _elsewhere(self) -> bool:
        """What the extent said of what is not in it."""
        extent = self.erasure.extent
        if extent.kind is ErasureKind.SHARED:
            return await self._disown()
        if extent.kind is not ErasureKind.PERSON:
            return True
        refs = await self.uow.sources.refs_said_by(extent.id)
        while refs and self.left > 0:
            some, refs = refs[:KEYS], refs[KEYS:]
            if self.erasure.keeps_shared:
                change = partial(self.uow.sources.detach_said_by, extent.id, some)
                changed = await fold_anew(self.uow, some, change, self.author)
                self.facts_kept += len({change.row.id for change in changed})
            else:
                changed = await forget_person(self.uow, extent.id, some, self.author)
                self.gone["facts"] += removed(changed)
            self.left -= 10 * len(some)  # a key costs as much as so many rows
        return not refs

    async def _disown(self) -> bool:
        while self.left > 0:
            disowned = await self.uow.erasures.disown_shared(MESSAGES)
            self.left -= disowned
            if not disowned:
                return True
        return False

    async def _messages(self) -> bool:
        """They leave their hashes in the ledger, and take what others rest on them with them."""
        extent = self.erasure.extent
        if extent.kind in (ErasureKind.SHARED, ErasureKind.ORGANISATION):
            return True
        while self.left > 0:
            messages = await self.uow.erasures.messages(extent, min(self.left, MESSAGES))
            if not messages:
                return True
            await self._forget(extent, messages)
            self.left -= len(messages)
        return False

    async def _forget(self, extent: Extent, messages: Sequence[Message]) -> None:
        refs = [message.ref for message in messages]
        await self.uow.ledger.add(list(map(message_thing, refs)), self.erasure.began_at)
        if extent.kind is ErasureKind.STORE:
            self.gone["jobs"] += await self.uow.jobs.remove([message.id for message in messages])
            here = StoreSubject(extent.id)
            keys = [ref for ref in await self.uow.sources.refs_of(refs) if ref.subject != here]
            change = partial(self.uow.sources.detach_messages, refs)
            changed = await fold_anew(self.uow, keys, change, self.author)
            self.facts_kept += len({change.row.id for change in changed})
        self.gone["messages"] += await self.uow.messages.delete([message.id for message in messages])

    async def _observed(self) -> bool:
        """What happened in a store is no part of anybody's habits any more."""
        extent = self.erasure.extent
        while extent.kind is ErasureKind.STORE and self.left > 0:
            seen = await self.uow.erasures.observations(extent, min(self.left, MESSAGES))
            if not seen:
                return True
            changed = await forget_observations(self.uow, seen, self.author)
            self.gone["facts"] += removed(changed)
            self.gone["observations"] += await self.uow.observations.delete([one.id for one in seen])
            self.left -= len(seen)
        return extent.kind is not ErasureKind.STORE

    async def _places(self) -> bool:
        extent = self.erasure.extent
        whole = extent.kind is ErasureKind.ORGANISATION
        for place, counted in self.uow.erasures.places.items():
            if place in _PARENTS and not whole:
                continue
            while struck := await self.uow.erasures.strike(place, extent, max(1, self.left)):
                self.gone[counted] += struck
                self.left -= struck
                if self.left <= 0:
                    return False
        return True


async def close(uow: UnitOfWork, erasure: Erasure, org_id: str, author: Author, cached: int) -> Erasure:
    """What the extent is itself goes last; a fresh look, and the receipt. `cached` entries were dropped."""
    extent, subject = erasure.extent, subject_of(erasure.extent)
    if extent.id:
        forgotten = await uow.erasures.forget_answers([extent.id])
        erasure = erasure.counting({"answers": forgotten})
    if extent.kind is not ErasureKind.ORGANISATION:
        await uow.events.append([event(EventKind.ERASED, author.actor, author.now, subject=subject)])
        kept = [kept_thing(extent.id)] if erasure.keeps_shared else []
        await uow.ledger.add([thing_of(extent, org_id), *kept], erasure.began_at)
    match extent.kind:
        case ErasureKind.PERSON:
            await uow.sources.unsign(extent.id)
            await uow.people.delete(extent.id)
        case ErasureKind.STORE:
            await uow.stores.delete(extent.id)
        case ErasureKind.ORGANISATION:
            await uow.organisations.delete()
    done = replace(
        erasure.counting({"cache_entries": cached}),
        remaining=await uow.erasures.remaining(extent),
        searched=searched(uow),
        completed_at=author.now,
    )
    if extent.kind is not ErasureKind.ORGANISATION:
        await uow.erasures.save(done)
    return done


def on_the_platform(erasure: Erasure, receipt_id: UUID, kind: ErasureKind, now: datetime) -> PlatformErasure:
    """What outlives it: its counts."""
    done = erasure.completed_at is not None
    counts = erasure.told if done else {}
    return PlatformErasure(receipt_id, kind, now, counts, erasure.remaining, now if done else None)
