"""The latest values of this process, in front of what all replicas keep together: warm also while Valkey is away."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar

from app.domain.tenancy import TenantScope
from app.ports.cache import Cache

MOST: Final = 500
"""Values; over it those go that nobody asked for longest."""
LONGEST_SECONDS: Final = 60

T = TypeVar("T")


class NearCache:
    """Asks the far one only for what it has not seen. Names tell what is current: neither has to be told of writes."""

    def __init__(self, far: Cache, now: Callable[[], float] = time.monotonic) -> None:
        self._far = far
        self._now = now
        self._kept: OrderedDict[tuple[str, str, type], tuple[object, float]] = OrderedDict()

    async def answers(self) -> bool:
        return await self._far.answers()

    async def get(self, scope: TenantScope, name: str, kind: type[T]) -> T | None:
        value, ends = self._kept.get((scope.org_id, name, kind), (None, 0.0))
        if isinstance(value, kind) and self._now() < ends:
            self._kept.move_to_end((scope.org_id, name, kind))
            return value
        found = await self._far.get(scope, name, kind)
        if found is not None:
            self._keep(scope, name, found, LONGEST_SECONDS)
        return found

    async def put(self, scope: TenantScope, name: str, value: object, seconds: int) -> None:
        self._keep(scope, name, value, min(seconds, LONGEST_SECONDS))
        await self._far.put(scope, name, value, seconds)

    async def claim(self, scope: TenantScope, name: str, milliseconds: int) -> bool:
        return await self._far.claim(scope, name, milliseconds)

    async def release(self, scope: TenantScope, name: str) -> None:
        await self._far.release(scope, name)

    async def forget(self, scope: TenantScope) -> int:
        ours = [place for place in self._kept if place[0] == scope.org_id]
        for place in ours:
            del self._kept[place]
        return max(len(ours), await self._far.forget(scope))

    def _keep(self, scope: TenantScope, name: str, value: object, seconds: int) -> None:
        place = scope.org_id, name, type(value)
        self._kept[place] = value, self._now() + seconds
        self._kept.move_to_end(place)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
