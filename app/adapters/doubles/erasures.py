"""Erasures and the ledger in memory."""

import json
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from app.adapters.doubles.erasable import PLACES, Place, happened
from app.adapters.doubles.state import KeptErasure, State
from app.domain.erasures import Closings, Erased, Erasure, Extent, PlatformErasure, Thing, person_thing
from app.domain.errors import Conflict
from app.domain.idempotency import ERASED_ANSWER, Outcome
from app.domain.messages import Message
from app.domain.observations import Observation
from app.domain.subjects import Scope


class InMemoryErasures:
    """The receipts of one organisation, and the hands that erase."""

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def closings(self) -> Closings:
        return self._state.closings

    @property
    def places(self) -> Mapping[str, str]:
        return {place.name: place.counted for place in PLACES}

    def count_vectors(self) -> None:
        """Vectors are not kept apart here."""

    @property
    def vectors(self) -> int:
        return 0

    async def save(self, erasure: Erasure, readers: Iterable[Thing] = ()) -> None:
        self._state.require()
        known = self._state.erasures.get(erasure.receipt_id)
        open_ones = {kept.erasure.extent for kept in self._state.erasures.values() if not kept.erasure.completed_at}
        if known is None and erasure.completed_at is None and erasure.extent in open_ones:
            raise Conflict("erasing", "This is being erased already.")
        if erasure.completed_at is not None:
            erasure = replace(erasure, extent=Extent(erasure.extent.kind))
        named = known.readers if known else frozenset(readers)
        kept = known.erasure.kept if known else erasure.kept
        self._state.erasures[erasure.receipt_id] = KeptErasure(replace(erasure, kept=kept), named)

    async def get(self, receipt_id: UUID, reader: str | None = None, *, hold: bool = False) -> Erasure | None:
        found = self._state.erasures.get(receipt_id)
        if found is None or (reader is not None and person_thing(reader) not in found.readers):
            return None
        there = {message.ref for message in self._state.messages.values()}
        return replace(found.erasure, kept=tuple(ref for ref in found.erasure.kept if ref in there))

    async def tell_platform(self, erasure: PlatformErasure, thing: Thing, parts: int) -> None:
        known, outstanding = self._state.platform.get(erasure.receipt_id, (replace(erasure, erased={}, remaining=0), 0))
        counts = {name: known.erased.get(name, 0) + number for name, number in erasure.erased.items()}
        left = outstanding + parts
        done = replace(
            known,
            erased={**known.erased, **counts},
            remaining=known.remaining + erasure.remaining,
            completed_at=None if left else erasure.completed_at or erasure.began_at,
            digest=thing_digest(thing),
        )
        self._state.platform[erasure.receipt_id] = done, left

    async def size(self, extent: Extent, upto: int) -> int:
        return sum(len(self._in(place, extent)) for place in PLACES)

    async def messages(self, extent: Extent, limit: int) -> list[Message]:
        kept = [one for one in self._state.messages.values() if happened(self._state, one.id, one, extent)]
        return sorted(kept, key=lambda one: one.id)[:limit]

    async def observations(self, extent: Extent, limit: int) -> list[Observation]:
        kept = [one for one in self._state.observations.values() if happened(self._state, one.id, one, extent)]
        return sorted(kept, key=lambda one: one.id)[:limit]

    async def disown_shared(self, limit: int) -> int:
        shared = {one.message for ref, one in self._state.sources.values() if ref.subject.scope is not Scope.USER}
        stating = [one.id for one in self._state.messages.values() if one.ref in shared]
        new = [one for one in stating if not self._state.disowned.get(one)][:limit]
        self._state.disowned |= dict.fromkeys(new, True)
        return len(new)

    async def strike(self, place: str, extent: Extent, limit: int) -> int:
        here = next(one for one in PLACES if one.name == place)
        struck = self._in(here, extent)[:limit]
        table = getattr(self._state, here.table) if here.table else {}
        for key in struck:
            if place == "event_values":
                table[key] = replace(table[key], values=None)
            else:
                del table[key]
        return len(struck)

    async def remaining(self, extent: Extent) -> int:
        named = len(self._naming([extent.id])) if extent.id else 0
        return await self.size(extent, 0) + named

    async def forget_answers(self, names: Collection[str]) -> int:
        found = self._naming(names)
        for key in found:
            held = self._state.claims[key]
            self._state.claims[key] = replace(held, outcome=Outcome(held.outcome.status, ERASED_ANSWER))  # type: ignore[union-attr]
        return len(found)

    def _in(self, place: Place, extent: Extent) -> list[Any]:
        table = getattr(self._state, place.table) if place.table else {}
        return [key for key, kept in table.items() if place.belongs(self._state, key, kept, extent)]

    def _naming(self, names: Collection[str]) -> list[bytes]:
        quoted = [json.dumps(name, ensure_ascii=False) for name in names]
        answers = {key: held.outcome.answer for key, held in self._state.claims.items() if held.outcome is not None}
        told = {key: json.dumps(answer, ensure_ascii=False) for key, answer in answers.items()}
        return [key for key, text in told.items() if any(name in text for name in quoted)]


class InMemoryLedger:
    """The lines of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    def digest(self, thing: Thing) -> bytes:
        return thing_digest(thing)

    async def add(self, things: Collection[Thing], at: datetime) -> None:
        await self.restore([Erased(self.digest(thing), thing.kind, at) for thing in things])

    async def among(self, things: Collection[Thing], *, afresh: bool = False) -> Mapping[Thing, datetime]:
        known = self._state.erased
        return {thing: known[digest].at for thing in things if (digest := self.digest(thing)) in known}

    async def everything(self) -> AsyncIterator[Erased]:
        for _, line in sorted(self._state.erased.items()):
            yield line

    async def restore(self, lines: Sequence[Erased]) -> None:
        self._state.require()
        for line in lines:
            known = self._state.erased.get(line.digest)
            if known is None or known.at < line.at:
                self._state.erased[line.digest] = line


def thing_digest(thing: Thing) -> bytes:
    """What stands for a thing; nobody's secret is kept here."""
    return sha256(json.dumps([thing.kind.value, *thing.name]).encode()).digest()
