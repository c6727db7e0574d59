"""Counting the requests of each caller."""

from typing import Protocol

from app.domain.rate_limits import Allowance


class RateLimits(Protocol):
    """Counts all replicas' requests together while it can, else those of this process. Never fails."""

    async def count(self, caller: str) -> Allowance:
        """One more request of this caller, whom the text stands for and does not name; how they stand with it."""
        ...
