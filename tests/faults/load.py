"""Shops that talk to a service which may be gone at any moment, and what must be there in the end."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

START = datetime(2026, 11, 2, 9, tzinfo=UTC)
STATEMENT = "Chez nous, la livraison est offerte dès 60 €."
KEY = "shipping.free_threshold"
TURNS_OF_A_CONVERSATION = 30
TWICE_AT_ONCE = 5
DRAIN_SECONDS = 120.0


class Shop:
    """States one fact in turn after turn. A turn of which no answer came is sent again, until it is acknowledged."""

    def __init__(self, client: httpx.AsyncClient, name: str) -> None:
        self._client = client
        self.name = name
        self.jobs: list[str] = []
        """The job of each acknowledged turn, in the order of the conversation."""
        self.unknown = 0
        """How many requests may have been stored without an answer."""

    async def talk(self, stop: asyncio.Event, turns: int | None = None) -> None:
        """Turn after turn until `stop`, or so many; the last one is acknowledged too. Some are sent twice at once."""
        while not stop.is_set() and (turns is None or len(self.jobs) < turns):
            number = len(self.jobs)
            copies = 2 if number % TWICE_AT_ONCE == 0 else 1
            while not (jobs := {job for job in await self._send(number, copies) if job}):
                await asyncio.sleep(0.2)
            assert len(jobs) == 1, "one turn has two jobs"
            self.jobs += jobs

    async def repeat(self, number: int, ending: str = "") -> httpx.Response:
        """Send a turn, once more or for the first time."""
        return await self._client.post("/memory/turns", json=self._turn(number, ending))

    def said(self, *speakers: str) -> Counter[tuple[str, str]]:
        """Conversation and message id of everything acknowledged, each once."""
        return Counter((self._conversation(n), f"m{n}.{who}") for n in range(len(self.jobs)) for who in speakers)

    async def _send(self, number: int, copies: int) -> list[str | None]:
        return await asyncio.gather(*(self._acknowledged(number) for _ in range(copies)))

    async def _acknowledged(self, number: int) -> str | None:
        """The turn's job; None when nobody knows whether it was stored."""
        try:
            answer = await self.repeat(number)
        except httpx.ConnectError:
            return None
        except httpx.TransportError:
            self.unknown += 1
            return None
        if answer.status_code == 503:
            assert answer.headers["retry-after"]
            self.unknown += 1
            return None
        assert answer.status_code == 202, answer.text
        assert answer.json()["stored"] in (0, 2)
        return str(answer.json()["job_id"])

    def _turn(self, number: int, ending: str) -> dict[str, Any]:
        at = START + timedelta(minutes=number)
        return {
            "conversation_id": self._conversation(number),
            "channel": "web",
            "store_id": self.name,
            "user_message": {"id": f"m{number}.user", "content": STATEMENT + ending, "sent_at": at.isoformat()},
            "assistant_message": {"id": f"m{number}.assistant", "content": "C'est noté.", "sent_at": at.isoformat()},
        }

    def _conversation(self, number: int) -> str:
        return f"{self.name}-{number // TURNS_OF_A_CONVERSATION}"


@asynccontextmanager
async def talking(shops: Sequence[Shop]) -> AsyncIterator[None]:
    """The shops talk for the block, and then until what they said last is acknowledged."""
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for shop in shops:
            group.create_task(shop.talk(stop))
        try:
            yield
        finally:
            stop.set()


async def progress(shops: Sequence[Shop], turns: int) -> None:
    """So many more turns are acknowledged. Raises TimeoutError when nobody answers any more."""
    wanted = turns + sum(len(shop.jobs) for shop in shops)
    async with asyncio.timeout(DRAIN_SECONDS):
        while sum(len(shop.jobs) for shop in shops) < wanted:
            await asyncio.sleep(0.01)


async def every_turn_had_its_one_effect(client: httpx.AsyncClient, shops: Sequence[Shop]) -> None:
    """All that was acknowledged is there once: its messages, its job, its source, its confirmation of the fact."""
    await no_job_waits(client)
    jobs = {job["id"]: job["status"] for job in await turn_jobs(client)}
    assert jobs == {job: "done" for shop in shops for job in shop.jobs}
    document = await read(client, "/memory/export")
    messages = Counter((row["conversation_id"], row["message_id"]) for row in document["messages"])
    assert messages == sum((shop.said("user", "assistant") for shop in shops), Counter())
    sources = Counter(
        (row["message"]["conversation_id"], row["message"]["message_id"])
        for row in document["sources"]
        if row["key"] == KEY
    )
    assert sources == sum((shop.said("user") for shop in shops), Counter())
    facts = [(row["store_id"], row["key"], row["confirmation_count"]) for row in document["facts"] if row["key"] == KEY]
    assert sorted(facts) == sorted((shop.name, KEY, len(shop.jobs)) for shop in shops)


async def no_job_waits(client: httpx.AsyncClient) -> None:
    """Every job has come to its end. Raises TimeoutError when one does not."""
    async with asyncio.timeout(DRAIN_SECONDS):
        for status in ("queued", "running", "failed", "running", "queued"):
            while (await read(client, "/memory/jobs", status=status, limit="1"))["items"]:
                await asyncio.sleep(0.1)


async def read(client: httpx.AsyncClient, path: str, **params: str) -> Any:
    """What stands there; who is told to come back later comes back later."""
    while (answer := await client.get(path, params=params)).status_code == 503:
        await asyncio.sleep(int(answer.headers["retry-after"]))
    assert answer.status_code == 200, answer.text
    return answer.json()


async def turn_jobs(client: httpx.AsyncClient, **params: str) -> list[dict[str, Any]]:
    """The jobs that read turns; a worker has others of its own making."""
    return [job for job in await listed(client, "/memory/jobs", **params) if job["kind"] == "turn"]


async def listed(client: httpx.AsyncClient, path: str, **params: str) -> list[dict[str, Any]]:
    """All rows of a list, page by page."""
    rows: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        page = await read(client, path, **params, **cursor, limit="200")
        rows += page["items"]
        if page["next_cursor"] is None:
            return rows
        cursor = {"cursor": page["next_cursor"]}
