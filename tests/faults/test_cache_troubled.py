"""Valkey refused, frozen, flapping, read-only, poisoned or flushed in mid-request: no request fails, none is answered
otherwise, and whoever has written reads it.

RETENIR_CACHE_SECONDS sets how long each trouble lasts; the promise is 60.
"""

import asyncio
import os
import random
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from statistics import quantiles
from typing import Any

import httpx
import pytest
import redis.asyncio as redis

from tests.faults.stand import Stand, Tenant
from tests.faults.test_cache_away import hanging, killed, valkey_pid, whole

SECONDS = float(os.environ.get("RETENIR_CACHE_SECONDS", "4"))
PEOPLE = 4
SLOWEST = 3.0
"""Seconds for the 95th of a hundred answers, on a machine that does other things too. Who waited would take longer."""
Trouble = Callable[[Stand], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def refused(stand: Stand) -> AsyncIterator[None]:
    with killed(stand):
        yield


@asynccontextmanager
async def frozen(stand: Stand) -> AsyncIterator[None]:
    with hanging(stand):
        yield


@asynccontextmanager
async def _again_and_again(meddle: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    enough = asyncio.Event()

    async def go_on() -> None:
        while not enough.is_set():
            await meddle()

    meddling = asyncio.create_task(go_on())
    try:
        yield
    finally:
        enough.set()
        await meddling


@asynccontextmanager
async def flapping(stand: Stand) -> AsyncIterator[None]:
    pid, chance = valkey_pid(stand), random.Random(7)

    async def flap() -> None:
        for sign in (signal.SIGSTOP, signal.SIGCONT):
            os.kill(pid, sign)
            await asyncio.sleep(chance.uniform(0.02, 0.6))

    try:
        async with _again_and_again(flap):
            yield
    finally:
        os.kill(pid, signal.SIGCONT)


@asynccontextmanager
async def read_only(stand: Stand) -> AsyncIterator[None]:
    async with redis.Redis.from_url(stand.valkey.url()) as server:
        await server.replicaof("127.0.0.1", 1)
        try:
            yield
        finally:
            await server.replicaof("NO", "ONE")


@asynccontextmanager
async def poisoned(stand: Stand) -> AsyncIterator[None]:
    """Every key holds garbage, the value of another key, or something of another type, whoever writes it anew."""
    chance = random.Random(11)
    async with redis.Redis.from_url(stand.valkey.url()) as server:

        async def poison() -> None:
            keys = [str(key.decode()) async for key in server.scan_iter("retenir:*")]
            for key in keys:
                with suppress(redis.ResponseError):  # somebody wrote it meanwhile
                    await spoil(key, keys)
            await asyncio.sleep(0.005)

        async def spoil(key: str, keys: list[str]) -> None:
            another = chance.choice([key, *keys[:3]])
            if another != key:
                await server.copy(another, key, replace=True)
            elif chance.random() < 0.5:
                await server.set(key, b"garbage")
            else:
                await server.delete(key)
                await server.rpush(key, "a", "list")

        async with _again_and_again(poison):
            yield
        await server.flushall()


@asynccontextmanager
async def flushed(stand: Stand) -> AsyncIterator[None]:
    async with redis.Redis.from_url(stand.valkey.url()) as server:

        async def flush() -> None:
            await server.flushall()
            await asyncio.sleep(0.002)

        async with _again_and_again(flush):
            yield


@pytest.mark.parametrize("trouble", [refused, frozen, flapping, read_only, poisoned, flushed])
async def test_nobody_notices(stand: Stand, tenant: Tenant, client: httpx.AsyncClient, trouble: Trouble) -> None:
    people = [Person(client, number) for number in range(PEOPLE)]
    await asyncio.gather(*(person.live(time.monotonic() + 0.5) for person in people))
    await whole(client)
    for person in people:
        person.waited.clear()
    async with trouble(stand):
        until = time.monotonic() + SECONDS
        await asyncio.gather(*(person.live(until) for person in people))
    waited = [seconds for person in people for seconds in person.waited]
    assert len(waited) >= PEOPLE
    assert quantiles(waited, n=20)[-1] < SLOWEST
    await asyncio.gather(*(person.live(time.monotonic() + 0.5) for person in people))
    await whole(client)


class Person:
    """Writes a fact and asks for a context, several times over, and sees that it holds what was written last."""

    def __init__(self, client: httpx.AsyncClient, number: int) -> None:
        self._client = client
        self._headers = {"X-User-Id": f"person-{number}"}
        self._written = 0
        self.waited: list[float] = []
        """Seconds for each context."""

    async def live(self, until: float) -> None:
        """Until that moment. Every request succeeds."""
        while time.monotonic() < until:
            self._written += 1
            value = f"said {self._written} times"
            wrote = await self._post("/memory/facts/user", {"key": "said", "value": value})
            assert wrote.is_success, wrote.text
            blocks = {await self._block() for _ in range(4)}
            assert len(blocks) == 1
            assert value in blocks.pop()

    async def _block(self) -> str:
        began = time.monotonic()
        answer = await self._post("/memory/context", {"deadline_ms": 10_000})
        self.waited.append(time.monotonic() - began)
        assert answer.status_code == 200, answer.text
        assert answer.json()["degraded"] == []
        return str(answer.json()["block"])

    async def _post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return await self._client.post(path, json=body, headers=self._headers)
