"""What an organisation used of turns and models, day by day."""

from dataclasses import dataclass
from datetime import date, datetime

from app.domain.tenancy import TenantScope
from app.domain.usage import ModelUse, UsageDay, day_of
from app.ports.embedders import Tally
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage, UnitOfWork


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts alone, of the organisation as a whole: a key's limits do not narrow them."""

    storage: Storage

    async def page(
        self, scope: TenantScope, since: date | None, until: date | None, request: PageRequest
    ) -> Page[UsageDay]:
        """The days on which anything was used, from `since` to `until`, the latest first."""
        async with self.storage.transaction(scope) as uow:
            return await uow.usage.page(since, until, request)


async def count_embedding(uow: UnitOfWork, tally: Tally, now: datetime) -> None:
    """What embedding cost counts for the day. Last of all: until the commit nobody else of the organisation counts."""
    if tally != Tally():
        told = {"embeddings": tally.vectors, "embedding_tokens": tally.tokens}
        await uow.usage.add(day_of(now), ModelUse(), **told)
