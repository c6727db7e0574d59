"""The cache in memory."""

import time
from collections.abc import Callable
from typing import TypeVar

from app.domain.tenancy import TenantScope

T = TypeVar("T")


class InMemoryCache:
    """Values and claims, each with when it ends."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._values: dict[tuple[str, str, type], tuple[object, float]] = {}
        self._claims: dict[tuple[str, str], float] = {}

    async def answers(self) -> bool:
        return True

    async def get(self, scope: TenantScope, name: str, kind: type[T]) -> T | None:
        value, ends = self._values.get((scope.org_id, name, kind), (None, 0.0))
        return value if isinstance(value, kind) and self._now() < ends else None

    async def put(self, scope: TenantScope, name: str, value: object, seconds: int) -> None:
        self._values[scope.org_id, name, type(value)] = value, self._now() + seconds

    async def claim(self, scope: TenantScope, name: str, milliseconds: int) -> bool:
        place = scope.org_id, name
        if self._now() < self._claims.get(place, 0.0):
            return False
        self._claims[place] = self._now() + milliseconds / 1000
        return True

    async def release(self, scope: TenantScope, name: str) -> None:
        self._claims.pop((scope.org_id, name), None)

    async def forget(self, scope: TenantScope) -> int:
        ours = [place for place in self._values if place[0] == scope.org_id]
        for place in ours:
            del self._values[place]
        return len(ours)
