"""Rate limits: counted for all replicas in Valkey, and beside it in this process, for as long as Valkey is away."""

from app.adapters.cache import ValkeyCounters
from app.domain.rate_limits import WINDOW_SECONDS, Allowance, window
from app.ports.clock import Clock


class CountedRateLimits:
    """`limit` requests a minute for each caller. Without shared counters it is this process alone that counts."""

    def __init__(self, limit: int, shared: ValkeyCounters | None, clock: Clock) -> None:
        self._limit = limit
        self._shared = shared
        self._clock = clock
        self._own: dict[str, tuple[int, int]] = {}
        self._swept = 0.0

    async def count(self, caller: str) -> Allowance:
        now = self._clock().timestamp()
        number, reset = window(caller, now)
        own = self._count_here(caller, number, now)
        shared = await self._shared.add(f"{caller}:{number}", 2 * WINDOW_SECONDS) if self._shared else None
        return Allowance(self._limit, max(own, shared or 0), reset)

    def _count_here(self, caller: str, number: int, now: float) -> int:
        """Counted also while Valkey counts, so that nobody begins anew when it goes or comes."""
        if now - self._swept > WINDOW_SECONDS:
            self._swept = now
            self._own = {one: kept for one, kept in self._own.items() if kept[0] == window(one, now)[0]}
        known, count = self._own.get(caller, (number, 0))
        count = count + 1 if known == number else 1
        self._own[caller] = number, count
        return count
