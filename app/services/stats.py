"""The memory in numbers."""

from dataclasses import dataclass

from app.domain.stats import MemoryStats
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.storage import Storage


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts alone, so that members may see those of people too. A key's limits narrow them."""

    storage: Storage
    clock: Clock

    async def read(self, scope: TenantScope) -> MemoryStats:
        """As of now."""
        async with self.storage.transaction(scope) as uow:
            return await uow.stats.read(self.clock(), scope.stores, scope.agents)
