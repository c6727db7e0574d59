"""A large organisation taken away: when its first byte comes, and how much memory it costs the service, however slowly
its reader reads.
"""

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import click
import httpx

from app.adapters.postgres.models import OrgFactRow, SourceRow
from app.cli.client import Service
from app.domain.export import LINES
from scripts.benchmarks.stand import Stand, stand

ORG = "org-0"
CHUNK = 256 * 1024
MIB = 1024 * 1024
SAMPLE_SECONDS = 0.05


@click.command("export")
@click.option(
    "--facts", default=100_000, show_default=True, type=click.IntRange(min=1000), help="1,000,000 are promised."
)
@click.option("--seconds", default=60.0, show_default=True, help="How long the reader takes for the whole of it.")
def export_command(facts: int, seconds: float) -> None:
    """Export many facts, each with its source, as lines, to a reader who takes its time."""
    with stand() as own:
        with own.service() as address:
            key = furnish(own, address)
            size = facts * _weight(address, key)
            began = time.monotonic()
            asyncio.run(fill(own, facts))
            click.echo(f"{facts:,} facts and as many sources, filled in {time.monotonic() - began:.0f} s")
        with own.service() as address:
            _measure(address, key, seconds / size)


def furnish(own: Stand, address: str, org_id: str = ORG) -> str:
    """An organisation with one fact. Answers an owner's key of it."""
    with Service(address) as service:
        path, platform = f"/orgs/{org_id}", own.platform_key
        service.call("PUT", path, key=platform, body={"name": org_id})
        made = service.call("POST", f"{path}/api-keys", key=platform, body={"name": "bench", "role": "owner"})
        said = {"key": "shipping", "value": "Livraison « offerte » dès 60 €, sauf en Corse. " * 4}
        service.call("POST", "/memory/facts/org", key=made["key"], body=said)
        return str(made["key"])


async def fill(own: Stand, facts: int) -> None:
    """Copies of the one fact and its source, under keys and ids of their own."""
    connection = await own.superuser()
    async with connection.transaction():
        await connection.execute(
            f"create temporary table made as select gen_random_uuid() as id, n from generate_series(2, {facts:d}) n"  # noqa: S608
        )
        for table in (OrgFactRow, SourceRow):
            columns = ", ".join(
                f'kept."{column.name}"' for column in table.__table__.columns if column.name not in _OWN
            )
            named = ", ".join(f'"{column.name}"' for column in table.__table__.columns if column.name not in _OWN)
            name = table.__tablename__
            await connection.execute(
                f"insert into {name} (id, key, {named}) select made.id, kept.key || made.n, {columns} "  # noqa: S608 ours
                f"from {name} kept, made where kept.org_id = '{ORG}'"
            )
    await connection.execute("vacuum analyze")
    await connection.close()


_OWN = frozenset({"id", "key"})


def _weight(address: str, key: str) -> int:
    """How many bytes of an export are the one fact and its source."""
    headers = {"Authorization": f"Bearer {key}", "Accept": LINES}
    lines = httpx.get(f"{address}/memory/export", headers=headers).content.splitlines(keepends=True)
    return sum(len(line) for line in lines if line.startswith((b'{"type":"fact"', b'{"type":"source"')))


def _measure(address: str, key: str, pace: float) -> None:
    process = _serving()
    headers = {"Authorization": f"Bearer {key}"}
    for _ in range(3):  # whatever the process needs once, it has then
        httpx.get(f"{address}/memory/settings", headers=headers)
    before, began = _resident(process), time.monotonic()
    with (
        _watched(process) as peak,
        httpx.Client(timeout=1800) as client,
        client.stream("GET", f"{address}/memory/export", headers={**headers, "Accept": LINES}) as answer,
    ):
        taken = _taken(answer, pace)
    click.echo(
        f"{taken.size / MIB:,.0f} MiB, first byte after {taken.first - began:.1f} s, "
        f"all of it after {taken.last - began:.1f} s, {'whole' if taken.whole else 'NOT WHOLE'}"
    )
    click.echo(
        f"memory of the service: {before / MIB:.0f} MiB before, {max(peak) / MIB:.0f} MiB at its peak, "
        f"{(max(peak) - before) / MIB:.0f} MiB more"
    )


@dataclass(frozen=True)
class _Taken:
    """What came: bytes, when the first and the last of them did, and whether the manifest was among the last."""

    size: int
    first: float
    last: float
    whole: bool


def _taken(answer: httpx.Response, pace: float) -> _Taken:
    """The answer, taken by one who takes `pace` seconds for a byte."""
    size, first, end = 0, 0.0, b""
    for chunk in answer.iter_raw(CHUNK):
        first = first or time.monotonic()
        size, end = size + len(chunk), (end + chunk)[-CHUNK:]
        time.sleep(max(0.0, first + pace * size - time.monotonic()))
    return _Taken(size, first, time.monotonic(), b'"manifest"' in end)


@contextmanager
def _watched(process: int) -> Iterator[list[int]]:
    """The memory of the process meanwhile, as a list that holds its highest."""
    peak, over = [_resident(process)], Event()

    def watch() -> None:
        while not over.wait(SAMPLE_SECONDS):
            peak[0] = max(peak[0], _resident(process))

    watching = Thread(target=watch)
    watching.start()
    try:
        yield peak
    finally:
        over.set()
        watching.join()


def _resident(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _serving() -> int:
    """The process that serves: a child of this one."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    for child in children:
        if Path(f"/proc/{child}/cmdline").read_bytes().endswith(b"\0serve\0"):
            return int(child)
    raise click.ClickException("the process of the service was not found")
