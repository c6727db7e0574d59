"""What waits to be imported, as kept: the records of a file, until the job that brings them in has."""

from collections.abc import Collection, Sequence
from typing import Protocol
from uuid import UUID

from app.domain.imports import Staged


class Imports(Protocol):
    """The records of imports under way. They go with their job."""

    async def add(self, job_id: UUID, records: Sequence[Staged]) -> None: ...

    async def next(self, job_id: UUID, limit: int, after: Staged | None = None) -> list[Staged]:
        """The first `limit` of them behind `after`, of one step, by place and number; all of the last place."""
        ...

    async def at(self, job_id: UUID, places: Collection[str]) -> list[Staged]:
        """Those of these places."""
        ...

    async def remove(self, job_id: UUID, numbers: Collection[int]) -> None: ...

    async def forget_person(self, user_id: str, job_id: UUID | None = None) -> int:
        """Removes what is about a person, or was said or done by them, from one job or from all; answers how much."""
        ...
