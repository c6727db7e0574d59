"""What has had its time, and what nobody has looked at: asked for by age, in batches."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.facts import Fact
from app.domain.subjects import Scope
from app.domain.tiers import TIERS, Tiers
from app.ports.facts import FactRecord


@dataclass(frozen=True, slots=True)
class PruneFilter:
    """Which unpinned facts may go: those under their line at `now`, and those neither seen nor reinforced since `idle`.

    What is about people is left out, but for contacts and for `reader`.
    """

    now: datetime
    idle: datetime | None = None
    reader: str | None = None

    def admits(self, record: FactRecord) -> bool:
        """Whether the row may go, whomever it is about."""
        fact = record.fact
        seen_at = max(fact.last_reinforced_at, record.last_seen_at or fact.last_reinforced_at)
        under = fact.fades_at is not None and fact.fades_at <= self.now
        return not fact.pinned and (under or (self.idle is not None and seen_at < self.idle))


class Ageing(Protocol):
    """Ages, over all that the scope's organisation keeps."""

    async def faded(self, scope: Scope, now: datetime, limit: int) -> list[Fact]:
        """At most `limit` live rows of what was stated that are under their line, longest first."""
        ...

    async def retune(self, scope: Scope, tiers: Tiers, limit: int, after: UUID | None = None) -> list[UUID]:
        """Brings at most `limit` live rows of what was stated to fade by these numbers, where they fade by others;
        answers which, in order of id, behind `after`. Rows that somebody is writing are left out: they are brought
        there by that.
        """
        ...

    async def over_age(
        self, scope: Scope, now: datetime, limit: int, after: UUID | None = None, tiers: Tiers = TIERS
    ) -> list[Fact]:
        """At most `limit` archived, unpinned rows of what was stated that may have had their time by their tier, in
        order of id, behind `after`. Sources that came late are for the caller to look at. What was merged away goes
        with what took it.
        """
        ...

    async def prunable(self, scope: Scope, wanted: PruneFilter, limit: int) -> list[FactRecord]:
        """At most `limit` of them, oldest first. What was superseded or merged goes with what took its place, and a
        value that is believed in another row stays.
        """
        ...

    async def mark_seen(self, fact_ids: Sequence[UUID], now: datetime) -> None:
        """These facts were read now. Moves nothing else, waits for nobody, and leaves out what was just marked."""
        ...

    async def uncompared(self, scope: Scope, limit: int, after: UUID | None = None) -> list[Fact]:
        """At most `limit` live rows of what was stated that nobody has compared with others, in order of id, behind
        `after`.
        """
        ...

    async def mark_compared(self, scope: Scope, fact_ids: Sequence[UUID], now: datetime) -> None:
        """These rows were compared. Moves nothing else; a row keeps the mark for as long as it is there."""
        ...

    async def forget_messages_before(self, instant: datetime, limit: int) -> int:
        """Removes at most `limit` messages that were received earlier; what they said stays. Answers how many."""
        ...

    async def forget_jobs_before(self, instant: datetime, limit: int) -> int:
        """Removes at most `limit` jobs that were done or cancelled earlier; answers how many."""
        ...
