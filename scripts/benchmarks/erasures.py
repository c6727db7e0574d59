"""A large organisation erased, while whoever is at it is killed again and again."""

import asyncio
import random
import time

import click

from app.adapters.postgres.models import ErasureRow, OrgFactRow, SourceRow
from app.cli.client import Service
from scripts.benchmarks.export import ORG, fill, furnish
from scripts.benchmarks.stand import Stand, stand

PATIENCE_SECONDS = 1800
_TABLES = (OrgFactRow.__tablename__, SourceRow.__tablename__, ErasureRow.__tablename__)


@click.command("erasures")
@click.option("--facts", default=100_000, show_default=True, type=click.IntRange(min=20_000))
@click.option("--kills", default=20, show_default=True, type=click.IntRange(min=0))
def erasures_command(facts: int, kills: int) -> None:
    """Erase an organisation of many facts, each with its source; its worker is killed so often, then left alone."""
    with stand() as own, own.service() as address:
        furnish(own, address)
        asyncio.run(fill(own, facts))
        with Service(address, timeout=60) as service:
            began = time.monotonic()
            receipt = service.call("DELETE", f"/orgs/{ORG}", key=own.platform_key)
            click.echo(f"{facts:,} facts: closed after {time.monotonic() - began:.2f} s, job {receipt['job_id']}")
            for _ in range(kills):
                with own.worker() as worker:
                    time.sleep(random.uniform(1.0, 3.0))  # noqa: S311
                    worker.kill()
                asyncio.run(_end_leases(own))
            with own.worker():
                done = _finished(service, own, str(receipt["receipt_id"]))
        left = asyncio.run(_left(own))
    click.echo(f"{kills} kills, finished {time.monotonic() - began:.0f} s after it was asked for: {done['erased']}")
    click.echo(f"remaining: {done['remaining']}; rows left in {', '.join(_TABLES)}: {left}")


def _finished(service: Service, own: Stand, receipt_id: str) -> dict[str, object]:
    patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patience:
        found: dict[str, object] = service.call("GET", f"/erasures/{receipt_id}", key=own.platform_key)
        if found["completed_at"] is not None:
            return found
        time.sleep(0.2)
    raise click.ClickException("it did not finish")


async def _end_leases(own: Stand) -> None:
    """As if the minute were over after which a worker is taken for dead."""
    connection = await own.superuser()
    await connection.execute("update jobs set lease_until = now() - interval '1 second' where status = 'running'")
    await connection.close()


async def _left(own: Stand) -> int:
    connection = await own.superuser()
    counted = [await connection.fetchval(f'select count(*) from "{table}"') for table in _TABLES]  # noqa: S608 ours
    await connection.close()
    return sum(counted)
