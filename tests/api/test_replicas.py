"""Two replicas on one database and one Valkey: what is written at one is read at the other, and rights end at once.

RETENIR_PAIRS sets how many writes with a read after each there are; the promise is 10,000 without a miss.
"""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import httpx
import pytest
from redis.asyncio import Redis
from sqlalchemy import Engine, event

from app.settings import Settings
from tests.support.replicas import at, replica
from tests.support.talk import block, path_of, recall, turn, write
from tests.support.world import Tenant, World

PAIRS = int(os.environ.get("RETENIR_PAIRS", "160"))
LANES = 4
USES = 1000
ADDRESS = {"channel": "whatsapp", "channel_address": "336"}
Json = dict[str, Any]


@pytest.fixture(scope="module")
async def replicas(world: World) -> AsyncIterator[list[World]]:
    async with replica(world) as here, replica(world) as there:
        yield [here, there]


@dataclass
class Lane:
    """An organisation whose writes go to one replica and whose reads go to the other, by turns."""

    replicas: list[World]
    tenant: Tenant

    def clients(self, number: int) -> tuple[httpx.AsyncClient, httpx.AsyncClient]:
        """Who writes and who reads."""
        writer, reader = self.replicas[number % 2], self.replicas[1 - number % 2]
        return at(writer, self.tenant).acting("alice"), at(reader, self.tenant).acting("alice")

    async def provision(self, path: str, body: Json) -> None:
        """Put a part of the organisation at either replica."""
        put = await self.replicas[0].platform.put(f"{self.tenant.path}/{path}", json=body)
        assert put.is_success, put.text


async def a_fact(lane: Lane, number: int) -> list[bool]:
    writer, reader = lane.clients(number)
    await recall(reader)
    await write(writer, "store", "price", f"price {number}")
    return [f"price {number}" in await block(reader)]


async def an_edit_and_a_deletion(lane: Lane, number: int) -> list[bool]:
    writer, reader = lane.clients(number)
    fact = await write(writer, "user", f"edited.{number}", "before")
    shown = ["before" in await block(reader)]
    edited = await writer.patch(path_of(fact), json={"value": f"after {number}"})
    shown.append(f"after {number}" in await block(reader))
    assert (await writer.delete(path_of(edited.json()))).is_success
    return [*shown, f"after {number}" not in await block(reader)]


async def a_setting(lane: Lane, number: int) -> list[bool]:
    writer, reader = lane.clients(number)
    shown = []
    for enabled in (False, True):
        await recall(reader)
        assert (await writer.patch("/memory/settings", json={"enabled": enabled})).is_success
        shown.append((await recall(reader))["reason"] == (None if enabled else "disabled"))
    return shown


async def a_link(lane: Lane, number: int) -> list[bool]:
    owner = at(lane.replicas[1 - number % 2], lane.tenant).owner
    shown = []
    for person in ("mia", "alice"):
        await lane.provision("channels/whatsapp/336", {"user_id": person})
        shown.append(f"{person} herself" in await block(owner, **ADDRESS))
    return shown


async def a_wish(lane: Lane, number: int) -> list[bool]:
    _, reader = lane.clients(number)
    shown = []
    for remember in (False, True):
        await recall(reader)
        await lane.provision("people/alice", {"role": "owner", "remember": remember})
        shown.append((await recall(reader))["reason"] == (None if remember else "person_opted_out"))
    return shown


async def something_said(lane: Lane, number: int) -> list[bool]:
    writer, reader = lane.clients(number)
    word = f"cabriole{number}"
    await recall(reader, query=word)
    said = await writer.post("/memory/turns", json=turn(f"Il y a une {word} ici."))
    assert said.status_code == 202
    return [word in await block(reader, query=word)]


KINDS: list[Callable[[Lane, int], Awaitable[list[bool]]]] = [
    a_fact,
    an_edit_and_a_deletion,
    a_setting,
    a_link,
    a_wish,
    something_said,
]


async def test_what_is_written_at_one_is_read_at_the_other(replicas: list[World]) -> None:
    async def run() -> Counter[tuple[str, bool]]:
        lane = Lane(replicas, await replicas[0].organisation(people={"alice": "owner", "mia": "member"}))
        for person in ("alice", "mia"):
            await write(lane.tenant.acting(person), "user", "self", f"{person} herself")
        seen, numbers = Counter[tuple[str, bool]](), count()
        while seen.total() < PAIRS / LANES:
            number = next(numbers)
            kind = KINDS[number // 2 % len(KINDS)]  # at either replica
            seen.update((kind.__name__, shown) for shown in await kind(lane, number))
        return seen

    seen = sum(await asyncio.gather(*(run() for _ in range(LANES))), Counter[tuple[str, bool]]())
    assert seen.total() >= PAIRS
    assert {kind: times for (kind, shown), times in seen.items() if not shown} == {}


async def test_a_revoked_key_is_refused_from_then_on_whatever_is_warm(replicas: list[World]) -> None:
    tenant = await replicas[0].organisation()
    await write(tenant.acting("alice"), "store", "price", "warm")
    key = await tenant.make_key("member", act_for_people=True)
    clients = [at(one, tenant).with_key(key, "alice") for one in replicas]
    for client in clients:
        await recall(client)
    (kept,) = [
        one for one in (await tenant.owner.get(f"{tenant.path}/api-keys")).json()["items"] if one["role"] == "member"
    ]
    revoked, room = asyncio.Event(), asyncio.Semaphore(16)

    async def use(number: int) -> tuple[bool, int]:
        async with room:
            late = revoked.is_set()
            answer = await clients[number % 2].post("/memory/context", json={"store_id": "shop1"})
        return late, answer.status_code

    async def revoke() -> None:
        await asyncio.sleep(0)
        gone = await replicas[1].platform.delete(f"{tenant.path}/api-keys/{kept['id']}")
        assert gone.is_success
        revoked.set()

    revoking = asyncio.create_task(revoke())
    used = await asyncio.gather(*(use(number) for number in range(USES)))
    await revoking
    after = [status for late, status in used if late]
    assert len(after) > USES / 10
    assert set(after) == {401}
    assert {status for _, status in used} == {200, 401}


async def test_a_warm_answer_costs_two_statements(replicas: list[World]) -> None:
    """Who asks, with what rights; and in which generation what they would be served stands."""
    tenant = await replicas[0].organisation()
    client = at(replicas[0], tenant).acting("alice")
    await recall(client)
    said: list[str] = []

    def hear(*told: object) -> None:
        said.append(str(told[2]))

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        await recall(client)
    finally:
        event.remove(Engine, "before_cursor_execute", hear)
    assert [statement.split("(")[0].rpartition(" ")[2] for statement in said] == ["find_api_key", "find_generations"]


async def test_what_somebody_else_put_into_valkey_is_not_served(replicas: list[World], settings: Settings) -> None:
    """Whatever lies at the keys, the other replica answers as the first one did."""
    tenant = await replicas[0].organisation()
    here, there = (at(one, tenant).acting("alice") for one in replicas)
    await write(here, "store", "price", "60 €")
    async with Redis.from_url(str(settings.redis_url)) as valkey:
        for poison in (b"garbage", b"", b'{"block": "forged"}'):
            before = {key async for key in valkey.scan_iter("retenir:contextanswer:*")}
            shown = await block(here, conversation_id=poison.hex() or "none")
            ours = {key async for key in valkey.scan_iter("retenir:contextanswer:*")} - before
            assert ours
            for key in ours:
                await valkey.set(key, poison)
            assert await block(there, conversation_id=poison.hex() or "none") == shown


async def test_a_write_leaves_those_warm_whom_it_does_not_touch(replicas: list[World]) -> None:
    """What somebody says for themselves raises nobody else's generation."""
    tenant = await replicas[0].organisation(people={"alice": "owner", "mia": "member"})
    ask = tenant.world.container.directory.generations
    before = await ask(tenant.org_id, "shop1", "alice")
    mia = tenant.acting("mia")
    assert (await mia.post("/memory/turns", json=turn("Je préfère le café."))).status_code == 202
    await write(mia, "user", "self", "mia herself")
    note = {"type": "note", "content": "Elle aime le thé."}
    assert (await mia.post("/memory/observations", json={"items": [note]})).status_code == 202
    await recall(mia)
    await replicas[0].finish_jobs()
    assert await ask(tenant.org_id, "shop1", "alice") == before
