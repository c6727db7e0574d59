"""The cache in Valkey, with a client that gives up at once: its own defaults wait for seconds."""

from typing import Final

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from app.adapters.breaker import Breaker

TIMEOUT_SECONDS: Final = 0.03


def connect(url: str) -> Redis:
    """A client of the server at `url`, which raises within `TIMEOUT_SECONDS` when it does not answer."""
    return Redis.from_url(
        url,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


class ValkeyCounters:
    """Numbers that all replicas count up together, and that are forgotten. They hold nothing of any organisation."""

    def __init__(self, url: str) -> None:
        self._client = connect(url)
        self._breaker = Breaker()

    async def add(self, name: str, seconds: int) -> int | None:
        """One more; the number then, which is kept for so many seconds. None when that cannot be told in time."""
        if not self._breaker.closed:
            return None
        key = f"retenir:count:{name}"
        try:
            async with self._client.pipeline(transaction=False) as sent:
                sent.incr(key)
                sent.expire(key, seconds)
                counted = await sent.execute()
        except (RedisError, OSError):
            self._breaker.failed()
            return None
        self._breaker.worked()
        return int(counted[0])

    async def close(self) -> None:
        """Its connections are given back."""
        await self._client.aclose()


class ValkeyCache:
    """One server, by its URL."""

    def __init__(self, url: str) -> None:
        self._client = connect(url)

    async def answers(self) -> bool:
        try:
            return bool(await self._client.ping())
        except (RedisError, OSError):
            return False

    async def close(self) -> None:
        """Its connections are given back."""
        await self._client.aclose()
