"""Erasures, as kept and as done: receipts, what is closed, the places that can hold words, and the ledger."""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.erasures import Closings, Erased, Erasure, Extent, PlatformErasure, Thing
from app.domain.messages import Message
from app.domain.observations import Observation


class Erasures(Protocol):
    """Receipts of the scope's organisation, and the hands that erase."""

    @property
    def closings(self) -> Closings:
        """What is being erased, and hidden here."""
        ...

    @property
    def places(self) -> Mapping[str, str]:
        """Every place that can hold words, in the order in which they are to be struck, with the name under which its
        rows are counted.
        """
        ...

    def count_vectors(self) -> None:
        """From now on vectors that leave with what they are of are counted."""
        ...

    @property
    def vectors(self) -> int:
        """How many have left since `count_vectors`."""
        ...

    async def save(self, erasure: Erasure, readers: Iterable[Thing] = ()) -> None:
        """Keeps the receipt, a new one with the people who may read it. Its extent is closed until it is complete, and
        is told as its kind alone afterwards. Raises Conflict `erasing` where the extent is closed already.
        """
        ...

    async def get(self, receipt_id: UUID, reader: str | None = None, *, hold: bool = False) -> Erasure | None:
        """The receipt; only if that person may read it, where one is named. Kept messages that are gone since are left
        out. `hold`: nobody else goes on with it before the transaction ends.
        """
        ...

    async def tell_platform(self, erasure: PlatformErasure, thing: Thing, parts: int) -> None:
        """Adds to a receipt that outlives the organisation: its counts, and so many parts under way, fewer where the
        number is negative. It is complete once there are none. `thing` is what was erased; its keyed hash is kept.
        """
        ...

    async def size(self, extent: Extent, upto: int) -> int:
        """How many rows are in the extent; about, once they are more than `upto`."""
        ...

    async def messages(self, extent: Extent, limit: int) -> list[Message]:
        """At most `limit` of its messages, for the caller to forget what came of them before they go."""
        ...

    async def observations(self, extent: Extent, limit: int) -> list[Observation]:
        """At most `limit` of its observations, as `messages`."""
        ...

    async def disown_shared(self, limit: int) -> int:
        """At most `limit` messages that state something shared are quoted no more from now on; answers how many."""
        ...

    async def strike(self, place: str, extent: Extent, limit: int) -> int:
        """Removes at most `limit` rows of the extent from one of the places; answers how many, 0 when none is left.

        The organisation's own row, a store's and a person's are for their repositories to remove, last.
        """
        ...

    async def remaining(self, extent: Extent) -> int:
        """What a fresh look at every place still finds: by id, and by text in those without ids."""
        ...

    async def forget_answers(self, names: Collection[str]) -> int:
        """Of answers that were kept for idempotency keys, those that name one of these ids are forgotten: asked for
        again they are not found. Answers how many.
        """
        ...


class Ledger(Protocol):
    """Keyed hashes of what was erased in the scope's organisation."""

    async def add(self, things: Collection[Thing], at: datetime) -> None:
        """Remembers that these were erased; what was erased before has the later time."""
        ...

    async def among(self, things: Collection[Thing], *, afresh: bool = False) -> Mapping[Thing, datetime]:
        """Those of these that were erased, with when. `afresh`: also where there was no ledger when the transaction
        began.
        """
        ...

    def everything(self) -> AsyncIterator[Erased]:
        """All lines."""
        ...

    async def restore(self, lines: Sequence[Erased]) -> None:
        """Adds lines that were kept elsewhere."""
        ...

    def digest(self, thing: Thing) -> bytes:
        """What stands for the thing in the ledger."""
        ...
