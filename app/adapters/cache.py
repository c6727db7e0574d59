"""The cache in Valkey, with a client that gives up at once: its own defaults wait for seconds."""

from typing import Final

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

TIMEOUT_SECONDS: Final = 0.03


class ValkeyCache:
    """One server, by its URL."""

    def __init__(self, url: str) -> None:
        self._client = Redis.from_url(
            url,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )

    async def answers(self) -> bool:
        try:
            return bool(await self._client.ping())
        except (RedisError, OSError):
            return False

    async def close(self) -> None:
        """Its connections are given back."""
        await self._client.aclose()
