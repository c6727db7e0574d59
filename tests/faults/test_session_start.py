"""A session starts in time although consolidation hangs, as its caller sees it, and the work is then done once."""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from itertools import repeat

import httpx

from scripts.benchmarks.line import Line, request
from tests.faults.programs import Service
from tests.faults.stand import Stand, Tenant

CALLERS = int(os.environ.get("RETENIR_CALLERS", "10"))
ROUNDS = int(os.environ.get("RETENIR_ROUNDS", "5"))
"""The promise is of 100 callers."""
PROMISED_SECONDS = 0.55
PEOPLE = [f"person{number}" for number in range(CALLERS)]
SESSIONS = ("s1", "s2")


@asynccontextmanager
async def hanging(stand: Stand, org_id: str, people: Sequence[str]) -> AsyncIterator[None]:
    """For the block somebody else consolidates each of these people, and does not come to an end."""
    names = (repr(("consolidation", org_id, person)).encode() for person in people)
    numbers = [int.from_bytes(sha256(name).digest()[:8], signed=True) for name in names]
    async with stand.superuser() as connection, connection.transaction():
        await connection.execute("select pg_advisory_xact_lock(number) from unnest($1::bigint[]) as number", numbers)
        yield


async def test_consolidation_that_hangs_keeps_nobody_waiting(stand: Stand, service: Service, tenant: Tenant) -> None:
    headers = {"Authorization": f"Bearer {tenant.key}"}
    async with (
        AsyncExitStack() as opened,
        httpx.AsyncClient(base_url=service.address, headers=headers, timeout=30) as client,
    ):
        for person in PEOPLE:
            await observe(client, person)
        lines = [await opened.enter_async_context(Line(service.address)) for _ in PEOPLE]
        async with hanging(stand, tenant.org_id, PEOPLE):
            rounds = [await asyncio.gather(*map(start, lines, repeat(tenant.key), PEOPLE)) for _ in range(ROUNDS)]
        p99 = list(map(late, rounds))
        assert min(p99) <= PROMISED_SECONDS, p99  # the best, for the machine may be busy with something else
        for person in PEOPLE:
            assert await sessions_counted(client, person) == len(SESSIONS)


def late(times: Sequence[float]) -> float:
    """p99: how long 99 of 100 callers waited at most."""
    return sorted(times)[int(len(times) * 0.99) - 1]


async def observe(client: httpx.AsyncClient, person: str) -> None:
    ran = {"type": "tool_success", "user_id": person, "metadata": {"toolName": "get_order"}}
    body = {"items": [{**ran, "session_id": session} for session in SESSIONS]}
    while (answer := await client.post("/memory/observations", json=body)).status_code == 503:
        await asyncio.sleep(int(answer.headers["retry-after"]))
    assert answer.status_code == 202, answer.text


async def start(line: Line, key: str, person: str) -> float:
    """How long the caller waited for an answer that says that it is not the last word."""
    began = time.perf_counter()
    status, answer = await line.ask(request("POST", "/memory/consolidations", key, body={"user_id": person}))
    took = time.perf_counter() - began
    assert status == 200, answer
    assert "consolidation" in json.loads(answer)["degraded"]
    return took


async def sessions_counted(client: httpx.AsyncClient, person: str) -> int:
    """How often the person's one fact was reinforced, once it is consolidated."""
    while True:
        answer = (await client.post("/memory/consolidations", json={"user_id": person, "deadline_ms": 10_000})).json()
        if not answer["degraded"]:
            (fact,) = answer["facts"]
            return int(fact["reinforcement_count"])
