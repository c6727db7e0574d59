"""Valkey killed or frozen: limits hold all the same, each replica counts on by itself, and nobody is kept waiting."""

import asyncio
import time
from typing import Any

import httpx
import pytest

from tests.faults.stand import Stand
from tests.faults.test_cache_away import hanging, killed

LIMIT = 60
ROUTE = "/memory/settings"
SLOWEST = 1.0
"""Seconds for any one request: the database has its own time, Valkey 30 ms, twice."""


@pytest.fixture(scope="module")
def settings_of_service() -> dict[str, str]:
    return {"RETENIR_REQUESTS_PER_MINUTE": str(LIMIT)}


async def ask(client: httpx.AsyncClient, times: int) -> list[tuple[int, int]]:
    """Status and what remains, of each."""
    seen = []
    for _ in range(times):
        began = time.monotonic()
        answer = await client.get(ROUTE)
        assert time.monotonic() - began < SLOWEST
        seen.append((answer.status_code, int(answer.headers["ratelimit"].split(";")[1].removeprefix("r="))))
    return seen


@pytest.mark.parametrize("away", [killed, hanging])
async def test_limits_hold_without_it(stand: Stand, client: httpx.AsyncClient, away: Any) -> None:
    first = await client.get(ROUTE)
    left = int(first.headers["ratelimit"].rpartition("=")[2])
    if left < 20:  # the window would end in the middle of the test
        await asyncio.sleep(left)
        await client.get(ROUTE)
    assert await ask(client, 19) == [(200, LIMIT - number) for number in range(2, 21)]
    with away(stand):
        assert await ask(client, 20) == [(200, LIMIT - number) for number in range(21, 41)]
    assert await ask(client, 20) == [(200, LIMIT - number) for number in range(41, 61)]
    assert await ask(client, 1) == [(429, 0)]
