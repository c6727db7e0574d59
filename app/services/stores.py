"""The organisation's shops."""

from dataclasses import dataclass

from app.domain.errors import NotFound
from app.domain.organisations import Store
from app.domain.subjects import Scope, StoreSubject
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.facts import FactFilter
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage
from app.services.organisations import standing


@dataclass(frozen=True, slots=True)
class Stores:
    """Made, changed, listed and removed by owners and the platform."""

    storage: Storage
    clock: Clock

    async def put(self, scope: TenantScope, store_id: str, name: str, time_zone: str | None) -> tuple[Store, bool]:
        """Make the store or change it. Answers it, and whether it is new."""
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            before = await uow.stores.get(store_id)
            store = Store(store_id, name, before.created_at if before else self.clock(), time_zone)
            await uow.stores.save(store)
        return store, before is None

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

    async def delete(self, scope: TenantScope, store_id: str) -> None:
        """Afterwards the store is not there, nor its messages, its facts and their words in the audit trail.

        Raises NotFound where it was not there.
        """
        async with self.storage.transaction(scope) as uow:
            if await uow.stores.get(store_id) is None:
                raise NotFound
            facts = uow.facts.everything(FactFilter(Scope.STORE, self.clock(), StoreSubject(store_id), archived=None))
            await uow.events.erase_values([record.fact.id async for record in facts])
            await uow.stores.delete(store_id)
