"""The organisation's shops."""

from dataclasses import dataclass, replace

from app.domain.errors import NotFound
from app.domain.organisations import Store
from app.domain.subjects import StoreSubject
from app.domain.tenancy import TenantScope
from app.domain.values import JsonValue
from app.ports.clock import Clock
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage
from app.services.organisations import standing
from app.services.settings import record_settings


@dataclass(frozen=True, slots=True)
class Stores:
    """Made, changed and listed by owners and the platform; `Erasures` removes them."""

    storage: Storage
    clock: Clock

    async def put(self, scope: TenantScope, store_id: str, name: str, time_zone: str | None) -> tuple[Store, bool]:
        """Make the store or change it. Answers it, and whether it is new."""
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            now = self.clock()
            store = Store(store_id, name, now, time_zone)
            if await uow.stores.ensure(store):
                return store, True
            before = await uow.stores.get(store_id, hold=True) or store
            store = replace(store, created_at=before.created_at)
            await uow.stores.save(store)
            await record_settings(uow, scope, StoreSubject(store_id), _told(before), _told(store), now)
        return store, False

    async def get(self, scope: TenantScope, store_id: str) -> Store:
        """Raises NotFound where it is not there."""
        async with self.storage.transaction(scope) as uow:
            store = await uow.stores.get(store_id)
        if store is None:
            raise NotFound
        return store

    async def page(self, scope: TenantScope, request: PageRequest) -> Page[Store]:
        """In order of id."""
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            return await uow.stores.page(request)


def _told(store: Store) -> dict[str, JsonValue]:
    return {"name": store.name, "time_zone": store.time_zone}
