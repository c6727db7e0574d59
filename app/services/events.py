"""Reading the audit trail."""

from dataclasses import dataclass, replace

from app.domain.events import MemoryEvent
from app.domain.tenancy import TenantScope
from app.ports.events import EventFilter
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage


@dataclass(frozen=True, slots=True)
class Events:
    """The trail of an organisation."""

    storage: Storage

    async def page(self, scope: TenantScope, wanted: EventFilter, request: PageRequest) -> Page[MemoryEvent]:
        """One page, newest first, as the caller may see it by the rule of `EventFilter`."""
        seen = replace(wanted, reader=scope.person, stores=scope.stores, agents=scope.agents, unveiled=False)
        async with self.storage.transaction(scope) as uow:
            return await uow.events.page(seen, request)
