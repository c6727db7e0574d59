"""The memory block over HTTP, one connection kept: cold, warm, with a question, and the same rows by bare asyncpg."""

import asyncio
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg
import click

from app.cli.client import Service
from scripts.benchmarks.figures import heading, line, percentiles
from scripts.benchmarks.filling import AGENTS, PEOPLE, STORES, WORDS, copy_pattern, provide_pattern
from scripts.benchmarks.line import Line, request
from scripts.benchmarks.stand import Stand, stand

ROWS = (
    "select * from org_facts where org_id = $1 and agent_id = any($2) and archived_at is null",
    "select * from store_facts where org_id = $1 and agent_id = any($2) and archived_at is null and store_id = $3",
    "select * from user_facts where org_id = $1 and agent_id = any($2) and archived_at is null and user_id = $3",
)


@dataclass(frozen=True)
class Reader:
    """Who asks, where: a block of their own."""

    org_id: str
    key: str
    person: str
    store: str
    agent: str

    def asking(self, query: str | None = None) -> bytes:
        """The request for the block."""
        wanted = {"store_id": self.store, "agent_id": self.agent, "deadline_ms": 10_000}
        body = wanted if query is None else {**wanted, "query": query}
        return request("POST", "/memory/context", self.key, self.person, body)


@click.command()
@click.option("--organisations", default=1000, show_default=True, type=click.IntRange(min=2))
@click.option("--facts", default=200, show_default=True, type=click.IntRange(min=1), help="Of each organisation.")
@click.option("--requests", default=3000, show_default=True, type=click.IntRange(min=100), help="Of each kind.")
def context(organisations: int, facts: int, requests: int) -> None:
    """Time the memory block among many organisations: p50, p95, p99 in ms, and as a share of bare asyncpg's p50.

    Cold is the first request of a reader (person, store and agent of one organisation), warm every one after it.
    """
    with stand() as own:
        began = time.monotonic()
        keys = fill(own, organisations, facts)
        click.echo(f"{organisations} organisations x {facts} facts, filled in {time.monotonic() - began:.0f} s")
        with own.service() as address:
            asyncio.run(measure(own, address, keys, requests))


def fill(own: Stand, organisations: int, facts: int) -> list[str]:
    """A key of each organisation, all of them filled."""
    with own.service() as address, Service(address) as service:
        provide_pattern(service, own.platform_key, facts)

    async def copied() -> list[str]:
        connection = await own.superuser()
        try:
            return await copy_pattern(connection, organisations)
        finally:
            await connection.close()

    return asyncio.run(copied())


async def measure(own: Stand, address: str, keys: Sequence[str], requests: int) -> None:
    """Prints the table."""
    dice = random.Random(11)  # noqa: S311 the same readers in every run
    all_readers = [
        Reader(f"org-{number}", key, person, store, agent)
        for number, key in enumerate(keys)
        for person in PEOPLE
        for store in STORES
        for agent in AGENTS
    ]
    readers = dice.sample(all_readers, min(requests, len(all_readers)))
    again = dice.choices(readers, k=requests)
    words = [" ".join(dice.sample(WORDS, 3)) for _ in again]
    nothing = [request("GET", "/healthz")] * len(readers)
    http = await over_http(address, nothing)
    rows = (await by_asyncpg(own, [*again[:100], *readers]))[100:]  # once they are prepared
    cold = await over_http(address, [one.asking() for one in readers])
    warm = await over_http(address, [one.asking() for one in again])
    asked = await over_http(address, [one.asking(said) for one, said in zip(again, words, strict=True)])
    block = await answer_of(address, readers[0])
    heading("p50 ms", "p95 ms", "p99 ms", "x asyncpg")
    floor = percentiles(rows)[0]
    for name, times in {
        "an empty answer (/healthz)": http,
        "the same rows by asyncpg": rows,
        "context, cold": cold,
        "context, warm": warm,
        "context, warm, with a question": asked,
    }.items():
        line(name, *percentiles(times), percentiles(times)[0] / floor)
    click.echo(f"a block holds {block['tokens']['total']} tokens of {len(block['facts'])} facts")


async def over_http(address: str, requests: Sequence[bytes]) -> list[float]:
    """The milliseconds of each, one after the other over one connection; the first that it carries does not count."""
    times = []
    async with Line(address) as kept:
        await answered(kept, request("GET", "/healthz"))
        for asked in requests:
            began = time.perf_counter()
            await answered(kept, asked)
            times.append((time.perf_counter() - began) * 1000)
    return times


async def by_asyncpg(own: Stand, readers: Sequence[Reader]) -> list[float]:
    """The milliseconds in which a bare connection reads the rows of each."""
    times = []
    connection = await own.superuser()
    for reader in readers:
        began = time.perf_counter()
        await bare(connection, reader)
        times.append((time.perf_counter() - began) * 1000)
    await connection.close()
    return times


async def bare(connection: asyncpg.Connection, reader: Reader) -> None:
    """The live facts that the reader may be served, as one whom nothing holds back reads them."""
    pockets = ["atlas", reader.agent]
    shelves = ((), (reader.store,), (reader.person,))
    for statement, about in zip(ROWS, shelves, strict=True):
        await connection.fetch(statement, reader.org_id, pockets, *about)


async def answered(kept: Line, asked: bytes) -> bytes:
    """Raises ClickException when the answer is none."""
    status, body = await kept.ask(asked)
    if status != 200:
        raise click.ClickException(f"{status} {body.decode()}")
    return body


async def answer_of(address: str, reader: Reader) -> dict[str, dict[str, int]]:
    """One block as it is served."""
    async with Line(address) as kept:
        return dict(json.loads(await answered(kept, reader.asking())))
