"""The receipt of what was erased singly, written in the transaction that erased it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.erasures import Erasure, ErasureKind, Extent, person_thing
from app.domain.events import Change
from app.domain.identifiers import uuid7
from app.domain.sources import MessageRef
from app.domain.tenancy import TenantScope
from app.ports.cache import Cache
from app.ports.clock import Clock
from app.ports.storage import UnitOfWork

CACHE: Final = "cache"


@dataclass(frozen=True, slots=True)
class Found:
    """What a fresh look still found, and which messages stay although they say it."""

    remaining: int
    kept: tuple[MessageRef, ...] = ()


@dataclass(frozen=True, slots=True)
class ErasureReceipts:
    """Writes receipts. The transaction counted vectors from its begin on (`uow.erasures.count_vectors`)."""

    clock: Clock
    cache: Cache

    async def write(
        self,
        uow: UnitOfWork,
        scope: TenantScope,
        kind: ErasureKind,
        counts: Mapping[str, int],
        found: Found,
        whose: str | None,
    ) -> Erasure:
        """The receipt, which `whose` it was may read, and whoever asked."""
        now = self.clock()
        elsewhere = {
            "vectors": uow.erasures.vectors,
            "event_values": uow.events.wordless,
            "cache_entries": await self.cache.forget(scope),
        }
        erasure = Erasure(
            receipt_id=uuid7(),
            extent=Extent(kind),
            began_at=now,
            erased={**counts, **elsewhere},
            kept=found.kept,
            remaining=found.remaining,
            searched=searched(uow),
            completed_at=now,
        )
        readers = dict.fromkeys(person for person in (whose, scope.person) if person is not None)
        await uow.erasures.save(erasure, map(person_thing, readers))
        return erasure


def searched(uow: UnitOfWork) -> tuple[str, ...]:
    """Where a fresh look looks: every table that can hold words, and the cache."""
    return (*uow.erasures.places, CACHE)


def removed(changed: Sequence[Change]) -> int:
    """How many rows are there no more."""
    return sum(change.after is None for change in changed)
