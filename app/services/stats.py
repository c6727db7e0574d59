"""The memory in numbers."""

from dataclasses import dataclass

from app.domain.stats import MemoryStats
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.storage import Storage
from app.ports.vectors import Progress


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts alone, so that members may see those of people too. A key's limits narrow them."""

    storage: Storage
    clock: Clock
    model: str | None = None

    async def read(self, scope: TenantScope) -> tuple[MemoryStats, Progress | None]:
        """As of now; and for whom nothing is out of reach, how far all is embedded by `model`, if there is one."""
        async with self.storage.transaction(scope) as uow:
            stats = await uow.stats.read(self.clock(), scope.stores, scope.agents)
            whole = scope.stores is None and scope.agents is None
            return stats, await uow.vectors.progress(self.model) if self.model and whole else None
