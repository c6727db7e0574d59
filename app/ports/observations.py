"""Observations, as kept: appended to, read by their person, taken once by a consolidation, dropped by age."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.observations import Failures, Observation, ObservationType
from app.domain.sources import MessageRef
from app.ports.paging import Page, PageRequest


@dataclass(frozen=True, slots=True)
class ObservationFilter:
    """Which observations of one person to list; None leaves a thing open. `stores` and `agents` are a key's limits.

    `since` (from it on) and `until` (before it) go by `occurred_at`; `recorded_since` is what retention leaves.
    """

    user_id: str
    type: ObservationType | None = None
    agent_id: str | None = None
    session_id: str | None = None
    tag: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    recorded_since: datetime | None = None
    stores: frozenset[str] | None = None
    agents: frozenset[str] | None = None


class Observations(Protocol):
    """The observations of the scope's organisation."""

    async def add(self, observations: Sequence[Observation]) -> frozenset[UUID]:
        """Stores those not yet there in one statement; answers the ids of these.

        Raises Conflict where the person or the store is not there.
        """
        ...

    async def page(self, wanted: ObservationFilter, request: PageRequest) -> Page[Observation]:
        """Newest first, by receipt."""
        ...

    async def take_unconsolidated(self, user_id: str, limit: int) -> list[Observation]:
        """At most `limit` that no consolidation has taken, oldest received first, held until the transaction ends.

        One that another transaction holds is waited for, and left out where that one has taken it.
        """
        ...

    async def mark_consolidated(self, observation_ids: Sequence[UUID], now: datetime) -> int:
        """Answers how many were not yet marked; the others stay as they are."""
        ...

    async def people_with_unconsolidated(
        self, limit: int, after: str | None = None, store_id: str | None = None
    ) -> list[str]:
        """At most `limit` people who have some (of that store), in order of id, behind `after`."""
        ...

    async def failures(self, user_id: str, since: datetime) -> list[Failures]:
        """The person's failing tools from `since` on (`occurred_at`): one for each pocket, tool, family and session."""
        ...

    async def reassign(self, user_id: str, heir: str, store_id: str | None) -> None:
        """The first one's observations are the second's then; those of no store are of `store_id`."""
        ...

    async def get(self, observation_ids: Sequence[UUID]) -> list[Observation]:
        """Those that are still there, in order of id."""
        ...

    async def delete(self, observation_ids: Sequence[UUID]) -> int: ...

    async def found_in(self, messages: Sequence[MessageRef]) -> list[Observation]:
        """The query patterns that were found in these messages, held until the transaction ends."""
        ...

    async def delete_found_in(self, messages: Sequence[MessageRef]) -> int:
        """Forgets the query patterns that were found in these messages; answers how many there were."""
        ...

    async def forget_before(self, instant: datetime) -> int:
        """Removes those that were recorded earlier; answers how many."""
        ...

    def everything(self, user_id: str | None) -> AsyncIterator[Observation]:
        """All observations, or one person's, in order of id, without holding them in memory."""
        ...


class ObservationPartitions(Protocol):
    """Where observations lie on disk: a partition for each day of receipt. Works as the role that owns the tables."""

    async def provide(self, now: datetime) -> None:
        """The partitions of the two weeks to come are there, with what was received for them meanwhile.

        Whoever finds another at it leaves it to them. Raises Unavailable where the table is in use for too long:
        nothing is lost by it, and the next attempt goes on.
        """
        ...

    async def drop_before(self, instant: datetime) -> None:
        """The partitions of the days that ended by then are gone, with what is in them. As `provide`."""
        ...
