"""What an organisation used of turns and models, day by day."""

from dataclasses import dataclass
from datetime import date

from app.domain.tenancy import TenantScope
from app.domain.usage import UsageDay
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage


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
