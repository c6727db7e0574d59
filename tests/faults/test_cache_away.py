"""Valkey killed or frozen: the same answers, and health says that something is missing."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import redis

from tests.faults.load import Shop, every_turn_had_its_one_effect, no_job_waits
from tests.faults.stand import Stand, frozen

ASKED = {"store_id": "shop1", "deadline_ms": 10_000}


@contextmanager
def killed(stand: Stand) -> Iterator[None]:
    os.kill(valkey_pid(stand), signal.SIGKILL)
    try:
        yield
    finally:
        stand.valkey.start()


@contextmanager
def hanging(stand: Stand) -> Iterator[None]:
    with frozen(valkey_pid(stand)):
        yield


@pytest.mark.parametrize("away", [killed, hanging])
async def test_answers_are_the_same_without_it(stand: Stand, client: httpx.AsyncClient, away: Any) -> None:
    shop = Shop(client, "shop1")
    await shop.talk(asyncio.Event(), turns=1)
    await no_job_waits(client)
    before = await block(client)
    await whole(client)
    with away(stand):
        assert await ready(client) == ["cache"]
        assert await block(client) == before
        await shop.talk(asyncio.Event(), turns=3)
        await every_turn_had_its_one_effect(client, [shop])
    await whole(client)


def valkey_pid(stand: Stand) -> int:
    with redis.Redis.from_url(stand.valkey.url()) as server:
        return int(server.info("server")["process_id"])


async def ready(client: httpx.AsyncClient) -> list[str]:
    """What is degraded; the service is ready all the same."""
    answer = await client.get("/readyz")
    assert answer.status_code == 200
    return list(answer.json()["degraded"])


async def whole(client: httpx.AsyncClient) -> None:
    """Nothing is degraded, or soon not any more. Raises TimeoutError when something stays so."""
    async with asyncio.timeout(15):
        while await ready(client):
            await asyncio.sleep(0.1)


async def block(client: httpx.AsyncClient) -> str:
    answer = await client.post("/memory/context", json=ASKED)
    assert answer.status_code == 200
    assert answer.json()["facts"]
    return str(answer.json()["block"])
