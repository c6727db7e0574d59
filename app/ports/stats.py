"""Numbers of what is kept."""

from datetime import datetime
from typing import Protocol

from app.domain.stats import MemoryStats


class Stats(Protocol):
    """The numbers of the scope's organisation."""

    async def read(
        self, now: datetime, stores: frozenset[str] | None = None, agents: frozenset[str] | None = None
    ) -> MemoryStats:
        """As of now. `stores` and `agents` are a key's limits: what lies outside them is not counted, but for jobs and
        rates, which are the organisation's.
        """
        ...
