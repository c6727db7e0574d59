"""The database ended, killed, frozen, locked or full: refusals in time, never an empty memory, and no cure by hand."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import httpx
import pytest

from app.adapters.embedded.roles import SERVING
from tests.faults.load import STATEMENT, Shop, every_turn_had_its_one_effect, no_job_waits, progress, talking
from tests.faults.programs import Service
from tests.faults.stand import Stand, Tenant

SECONDS = 12.0
"""The longest that a hanging database may keep a request waiting."""
BACK_SECONDS = 15.0
CUT = f"select pg_terminate_backend(pid) from pg_stat_activity where usename = '{SERVING}'"
BUSY = f"select count(*) from pg_stat_activity where usename = '{SERVING}' and state <> 'idle'"
ASKED = {"store_id": "shop1", "deadline_ms": 10_000}
ASKS: dict[str, Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]] = {
    "turn": lambda client: Shop(client, "shop1").repeat(1),
    "context": lambda client: client.post("/memory/context", json=ASKED),
    "facts": lambda client: client.get("/memory/facts/store"),
    "write": lambda client: client.post("/memory/facts/org", json={"key": "k", "value": 1}),
    "jobs": lambda client: client.get("/memory/jobs"),
    "export": lambda client: client.get("/memory/export"),
    "settings": lambda client: client.patch("/memory/settings", json={"language": "fr"}),
    "ready": lambda client: client.get("/readyz"),
}


@asynccontextmanager
async def ended(stand: Stand) -> AsyncIterator[None]:
    with stand.postgres_ended():
        yield


@asynccontextmanager
async def hanging(stand: Stand) -> AsyncIterator[None]:
    with stand.postgres_frozen():
        yield


@asynccontextmanager
async def locked_out(stand: Stand) -> AsyncIterator[None]:
    await stand.as_superuser(f"alter role {SERVING} nologin", CUT)
    try:
        yield
    finally:
        await stand.as_superuser(f"alter role {SERVING} login")


@asynccontextmanager
async def full(stand: Stand) -> AsyncIterator[None]:
    await stand.as_superuser(f"alter role {SERVING} connection limit 0", CUT)
    try:
        yield
    finally:
        await stand.as_superuser(f"alter role {SERVING} connection limit -1")


@pytest.mark.parametrize("away", [ended, hanging, locked_out, full])
async def test_refuses_in_time_and_is_back_by_itself(stand: Stand, client: httpx.AsyncClient, away: Any) -> None:
    shop = Shop(client, "shop1")
    await shop.talk(asyncio.Event(), turns=1)
    await no_job_waits(client)
    known = await block(client)
    async with away(stand):
        await asyncio.gather(*(refused(client, name) for name in ASKS for _ in range(5)))
        assert (await client.get("/healthz")).status_code == 200
    await back(client)
    assert await block(client) == known
    await shop.talk(asyncio.Event(), turns=3)
    await every_turn_had_its_one_effect(client, [shop])


async def test_a_restart_of_the_database_loses_nothing(stand: Stand, client: httpx.AsyncClient) -> None:
    shops = [Shop(client, f"shop{number}") for number in range(1, 5)]
    await shops[0].talk(asyncio.Event(), turns=1)
    await no_job_waits(client)
    reading = asyncio.create_task(never_empty(client))
    async with talking(shops):
        for away in (stand.postgres_ended, stand.postgres_killed):
            await progress(shops, 20)
            with away():
                await asyncio.sleep(1)
        await progress(shops, 1)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):  # and not: that it once was empty
        await reading
    await every_turn_had_its_one_effect(client, shops)


async def test_a_locked_table_is_not_waited_for_and_a_deadline_gives_its_connection_back(
    stand: Stand, client: httpx.AsyncClient
) -> None:
    async with stand.superuser() as connection:
        async with connection.transaction():
            await connection.execute("lock table messages, org_facts in access exclusive mode")
            hurried = {**ASKED, "deadline_ms": 50}
            asks = (client.post("/memory/context", json=hurried) for _ in range(40))
            for answer in await asyncio.gather(*asks):
                assert answer.status_code == 503 or {"core", "working"} <= set(answer.json()["degraded"])
            await asyncio.gather(*(refused(client, "turn") for _ in range(40)))
        assert all(answer.is_success for answer in await asyncio.gather(*(ASKS["turn"](client) for _ in range(10))))
        await every_connection_is_given_back(connection)


async def test_a_client_that_goes_away_leaves_no_half_turn(stand: Stand, service: Service, tenant: Tenant) -> None:
    async with tenant.client(service) as client, stand.superuser() as connection:
        client.timeout = httpx.Timeout(0.3)
        shops = [Shop(client, f"shop{number}") for number in range(3)]
        async with talking(shops):
            for _ in range(6):
                async with connection.transaction():
                    await connection.execute("lock table messages in access exclusive mode")
                    await asyncio.sleep(0.45)
                await progress(shops, 3)
        assert sum(shop.unknown for shop in shops) > 0
        client.timeout = httpx.Timeout(30)
        await every_turn_had_its_one_effect(client, shops)
        await every_connection_is_given_back(connection)


async def every_connection_is_given_back(connection: asyncpg.Connection) -> None:
    """None of the service's is left in a transaction."""
    async with asyncio.timeout(5):
        while await connection.fetchval(BUSY):
            await asyncio.sleep(0.05)


async def refused(client: httpx.AsyncClient, name: str) -> None:
    """The request is answered in time, with a problem that says when to come back."""
    began = time.monotonic()
    answer = await ASKS[name](client)
    assert answer.status_code == 503, (name, answer.text)
    assert answer.headers["content-type"] == "application/problem+json"
    assert int(answer.headers["retry-after"]) >= 1
    assert time.monotonic() - began < SECONDS


async def back(client: httpx.AsyncClient) -> None:
    """The service is ready again."""
    async with asyncio.timeout(BACK_SECONDS):
        while (await client.get("/readyz")).status_code != 200:
            await asyncio.sleep(0.1)


async def block(client: httpx.AsyncClient) -> str:
    """What the service remembers; never nothing."""
    answer = await ASKS["context"](client)
    assert answer.status_code == 200, answer.text
    assert STATEMENT in answer.json()["block"]
    return str(answer.json()["block"])


async def never_empty(client: httpx.AsyncClient) -> None:
    """Whoever asks is told what is known, or that nobody knows just now."""
    while True:
        answer = await ASKS["context"](client)
        assert answer.status_code == 503 or STATEMENT in answer.json()["block"], answer.text
        await asyncio.sleep(0.05)
