"""Waiting for a worker that really runs: until a thing is so, and no longer than a test may take."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

LONGEST_SECONDS = 30.0
BETWEEN_LOOKS = 0.02
ENDED = frozenset({"done", "failed", "dead"})
"""How a job stands once an attempt at it has ended."""
DONE = frozenset({"done"})


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Returns once `holds` answers true. Raises TimeoutError when it does not in time."""
    async with asyncio.timeout(LONGEST_SECONDS):
        while not await holds():
            await asyncio.sleep(BETWEEN_LOOKS)


async def settled(client: httpx.AsyncClient, job_id: str, among: frozenset[str] = ENDED) -> dict[str, Any]:
    """The job, once it stands as wanted."""
    seen: dict[str, Any] = {}

    async def ended() -> bool:
        answer = await client.get(f"/memory/jobs/{job_id}")
        assert answer.status_code == 200, answer.text
        seen.update(answer.json())
        return seen["status"] in among

    await until(ended)
    return seen
