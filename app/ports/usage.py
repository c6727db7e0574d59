"""What an organisation used, by day."""

from datetime import date
from typing import Protocol

from app.domain.usage import ModelUse, UsageDay
from app.ports.paging import Page, PageRequest


class Usage(Protocol):
    """The days of the scope's organisation."""

    async def of(self, day: date) -> UsageDay:
        """What was used on that day; nothing is a day of zeros."""
        ...

    async def add(
        self,
        day: date,
        use: ModelUse,
        *,
        turns: int = 0,
        most_turns: int | None = None,
        embeddings: int = 0,
        embedding_tokens: int = 0,
    ) -> bool:
        """Counts this as well. False, with nothing counted, where the day has `most_turns` turns already.

        The day is held until the transaction ends: add last.
        """
        ...

    async def page(self, since: date | None, until: date | None, request: PageRequest) -> Page[UsageDay]:
        """The days on which anything was used, from `since` to `until`, both included; the latest first."""
        ...
