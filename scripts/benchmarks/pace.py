"""Search at a pace that does not wait for it: questions arrive by the clock, as those of many callers would.

Beside it stand, one after the other, what a question's vector costs alone and what the nearest rows cost in bare SQL.
"""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import asyncpg
import click
import httpx

from app.adapters.embedders import embedder_of
from app.cli.boot import read_settings
from app.cli.client import Service
from app.domain.embedding import Vector
from scripts.benchmarks.figures import heading, line, percentiles
from scripts.benchmarks.locomo import load
from scripts.benchmarks.search import CHECKED, DATA
from scripts.benchmarks.stand import Stand, stand
from scripts.benchmarks.talk import Talk, move_in, say, wait_until_embedded

ALONE = 200
NEAREST = (
    "select document from vectors where org_id = $1 and kind in ('message', 'reply')"
    " order by embedding <#> $2::text::halfvec limit 22"
)


@click.command("pace")
@click.option("--rate", default=50, show_default=True, type=click.IntRange(min=1), help="Questions a second.")
@click.option("--seconds", default=20, show_default=True, type=click.IntRange(min=1))
def pace(rate: int, seconds: int) -> None:
    """Search one conversation at a fixed rate: p50, p95, p99 in ms; beside the bare embedder and bare SQL."""
    file = DATA / "locomo" / f"{CHECKED}.json"
    if not file.exists():
        click.echo(f"pace: nothing measured, there is no {file} (RETENIR_DATA names another data folder)")
        return
    transcript, questions = load(file)
    texts = [f"{asked.text} ({number})" for number, asked in zip(range(10**6), itertools.cycle(questions), strict=False)
             if number < rate * seconds + ALONE]  # fmt: skip
    with stand() as own, own.service(worker=True) as address, Service(address) as service:
        talk = move_in(service, own.platform_key, transcript, questions, "pace")
        say(service, talk, transcript)
        click.echo(f"{len(talk.said)} messages, embedded in {wait_until_embedded(service, talk):.0f} s")
        asyncio.run(_measure(own, address, talk, texts, rate))


async def _measure(own: Stand, address: str, talk: Talk, texts: Sequence[str], rate: int) -> None:
    alone, paced = texts[:ALONE], texts[ALONE:]
    heading("p50 ms", "p95 ms", "p99 ms")
    limits = httpx.Limits(max_connections=200)
    headers = {"Authorization": f"Bearer {talk.tenant.key}", "X-User-Id": talk.asker}
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60, limits=limits) as client:
        for text in texts[:20]:
            await _search(client, talk, f"{text}?")
        took = await _paced(lambda text: _search(client, talk, text), paced, rate)
        answered = [one for one in took if one is not None]
        line(f"search, {rate} a second, {len(answered)} of {len(took)}", *percentiles([one.took for one in answered]))
        click.echo(f"  {sum(one.hurried for one in answered)} of them by words alone, for their turn came late")
        line("search, one after the other", *percentiles([await _timed(_search(client, talk, f"{t}.")) for t in alone]))
    vectors = await _embedded(alone)
    if vectors:
        await _bare(own, talk, vectors)


@dataclass(frozen=True)
class Answered:
    """Milliseconds from when it was due, and whether it was by words alone."""

    took: float
    hurried: bool


async def _search(client: httpx.AsyncClient, talk: Talk, text: str) -> bool | None:
    """Whether it was answered by words alone; None where it was put off because too many ask."""
    store = talk.transcript.stores[0].id
    answer = await client.post("/memory/search", json={"query": text, "store_id": store, "limit": 10})
    if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
        return None
    answer.raise_for_status()
    return bool(answer.json()["degraded"])


async def _paced(
    ask: Callable[[str], Awaitable[bool | None]], texts: Sequence[str], rate: int
) -> list[Answered | None]:
    """Each is sent when its time has come, whoever still waits; None where it was put off."""
    began = time.perf_counter()

    async def one(place: int, text: str) -> Answered | None:
        due = began + place / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        hurried = await ask(text)
        return None if hurried is None else Answered((time.perf_counter() - due) * 1000, hurried)

    return list(await asyncio.gather(*(one(place, text) for place, text in enumerate(texts))))


async def _timed(work: Awaitable[object]) -> float:
    began = time.perf_counter()
    await work
    return (time.perf_counter() - began) * 1000


async def _embedded(texts: Sequence[str]) -> list[Vector]:
    """The vectors of the questions; prints what one costs."""
    embedder = embedder_of(read_settings())
    if embedder is None:
        return []
    try:
        await embedder.question("bonjour")
        vectors, times = [], []
        for text in texts:
            began = time.perf_counter()
            vectors.append(await embedder.question(text))
            times.append((time.perf_counter() - began) * 1000)
        line("the embedder alone", *percentiles(times))
        return [vector for vector in vectors if vector is not None]
    finally:
        await embedder.close()


async def _bare(own: Stand, talk: Talk, vectors: Sequence[Vector]) -> None:
    connection: asyncpg.Connection = await own.superuser()
    asked = await connection.prepare(NEAREST)
    told = [f"[{','.join(map(str, vector))}]" for vector in vectors]
    line("bare SQL, the nearest", *percentiles([await _timed(asked.fetch(talk.tenant.org_id, one)) for one in told]))
    await connection.close()
