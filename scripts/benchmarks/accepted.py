"""How many turns and observations are accepted a second, and whether all that was accepted is there."""

import asyncio
import itertools
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import click

from app.cli.client import Service
from scripts.benchmarks.figures import heading, line, percentiles
from scripts.benchmarks.line import Line, request
from scripts.benchmarks.stand import Stand, stand

Body = dict[str, Any]
ACCEPTED, BUSY = 202, 503
RETRY_SECONDS = 1
"""What a 503 asks to wait."""
STATEMENTS = (
    "Chez nous, la livraison est offerte dès 60 €.",
    "Je préfère que tu me tutoies, merci.",
    "Quelles sont les commandes en retard cette semaine ?",
    "We ship to Spain and Portugal.",
    "Merci, c'est parfait !",
)
"""What is said in turns: some of it states something, some does not."""
COUNT_MESSAGES = "select message_id from messages where speaker = 'user' and org_id like 'org-%'"
COUNT_OBSERVATIONS = "select id::text from observations where org_id like 'org-%'"


@dataclass
class Load:
    """What is sent to one route, and how its acceptance is told and found again."""

    path: str
    body: Callable[[int, int], Body]
    """The body of this number, with so many items."""
    accepted: Callable[[Body, Body], list[str]]
    """The ids that body and answer say to be kept."""
    kept: str
    """The statement that reads the ids of all that is kept."""
    acknowledged: set[str] = field(default_factory=set)
    refused: int = 0
    """How often it was asked to come back later."""


def options(command: Callable[..., None]) -> Callable[..., None]:
    """What both commands let be chosen."""
    for name, default, told in (
        ("--seconds", 10, "Of each measurement."),
        ("--at-once", 16, "Connections that ask at the same time."),
        ("--organisations", 4, "That they ask for."),
        ("--items", 100, "In a request of the second kind."),
    ):
        command = click.option(name, default=default, show_default=True, type=click.IntRange(min=1), help=told)(command)
    return command


@click.command()
@options
def turns(**chosen: int) -> None:
    """Count the turns that are accepted a second, one a request and many, with the worker beside and without."""
    measure(Load("/memory/turns", _turns, _turns_accepted, COUNT_MESSAGES), **chosen)


@click.command()
@options
def observations(**chosen: int) -> None:
    """Count the observations that are accepted a second, one a request and many, with the worker and without."""
    load = Load("/memory/observations", _observations, _observations_accepted, COUNT_OBSERVATIONS)
    measure(load, **chosen)


def measure(load: Load, seconds: int, at_once: int, organisations: int, items: int) -> None:
    """Prints the table. Raises ClickException when something that was accepted is not there."""
    with stand() as own:
        with own.service() as address:
            keys = _organisations(own, address, organisations)
        heading("requests/s", "items/s", "p50 ms", "p95 ms", "p99 ms", "503s")
        numbers = itertools.count()
        for worker in (False, True):
            for size in (1, items):
                load.refused = 0
                with own.service(worker=worker) as address:
                    times, took = asyncio.run(_sent(load, address, keys, numbers, size, seconds, at_once))
                name = f"{size} a request, {'with' if worker else 'without'} a worker"
                line(name, len(times) / took, len(times) * size / took, *percentiles(times), load.refused)
        missing = load.acknowledged - asyncio.run(_kept(own, load.kept))
        if missing:
            raise click.ClickException(f"{len(missing)} of {len(load.acknowledged)} accepted are not there")
        click.echo(f"all {len(load.acknowledged)} that were accepted are there")


def _organisations(own: Stand, address: str, organisations: int) -> list[str]:
    """A key of each."""
    wanted = {"name": "bench", "role": "owner", "act_for_people": True}
    keys = []
    with Service(address) as service:
        for number in range(organisations):
            path = f"/orgs/org-{number}"
            service.call("PUT", path, key=own.platform_key, body={"name": path})
            keys.append(service.call("POST", f"{path}/api-keys", key=own.platform_key, body=wanted)["key"])
    return keys


async def _sent(
    load: Load, address: str, keys: list[str], numbers: Iterator[int], size: int, seconds: int, at_once: int
) -> tuple[list[float], float]:
    """The milliseconds of each accepted request, and the seconds of all."""
    times: list[float] = []
    began = time.perf_counter()
    until = began + seconds

    async def send() -> None:
        async with Line(address) as kept:
            while time.perf_counter() < until:
                number = next(numbers)
                body = load.body(number, size)
                asked = request("POST", load.path, keys[number % len(keys)], body=body)
                before = time.perf_counter()
                status, answer = await kept.ask(asked)
                if status == BUSY:
                    load.refused += 1
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
                if status != ACCEPTED:
                    raise click.ClickException(f"{status} {answer.decode()}")
                times.append((time.perf_counter() - before) * 1000)
                load.acknowledged.update(load.accepted(body, json.loads(answer)))

    await asyncio.gather(*(send() for _ in range(at_once)))
    return times, time.perf_counter() - began


async def _kept(own: Stand, statement: str) -> set[str]:
    connection = await own.superuser()
    try:
        return {row[0] for row in await connection.fetch(statement)}
    finally:
        await connection.close()


def _turns(number: int, size: int) -> Body:
    items = [_turn(f"{number}.{place}") for place in range(size)]
    return items[0] if size == 1 else {"items": items}


def _turn(name: str) -> Body:
    said = STATEMENTS[sum(map(ord, name)) % len(STATEMENTS)]
    message = {"id": name, "content": said, "sent_at": datetime.now(UTC).isoformat()}
    answer = {"id": f"{name}.answer", "content": "C'est noté.", "sent_at": message["sent_at"]}
    number = int(name.partition(".")[0])
    where = {"conversation_id": f"c{number // 200}", "channel": "web", "user_id": f"p{number % 50}"}
    return {**where, "user_message": message, "assistant_message": answer}


def _turns_accepted(body: Body, answer: Body) -> list[str]:
    pairs = zip(body.get("items", [body]), answer.get("items", [answer]), strict=True)
    return [turn["user_message"]["id"] for turn, told in pairs if told.get("stored") == 2]


def _observations(number: int, size: int) -> Body:
    where = {"user_id": f"p{number % 50}", "session_id": f"s{number // 100}"}
    ran = {"type": "tool_success", "metadata": {"toolName": f"tool_{number % 7}", "durationMs": 120}}
    return {"items": [{**ran, **where} for _ in range(size)]}


def _observations_accepted(body: Body, answer: Body) -> list[str]:
    return [item["id"] for item in answer["items"] if item["status"] == "stored"]
