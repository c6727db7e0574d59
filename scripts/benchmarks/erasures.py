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
NEIGHBOUR = "neighbour"
_NEIGHBOURS = ("organisations", "api_keys", "org_facts", "fact_sources", "postings", "events")
"""Tables in which nobody but the eraser could touch the neighbour's rows meanwhile."""
_TABLES = (OrgFactRow.__tablename__, SourceRow.__tablename__, ErasureRow.__tablename__)


@click.command("erasures")
@click.option("--facts", default=100_000, show_default=True, type=click.IntRange(min=20_000))
@click.option("--kills", default=20, show_default=True, type=click.IntRange(min=0))
def erasures_command(facts: int, kills: int) -> None:
    """Erase an organisation of many facts, each with its source; its worker is killed so often, then left alone."""
    with stand() as own, own.service() as address:
        furnish(own, address)
        asyncio.run(fill(own, facts))
        furnish(own, address, NEIGHBOUR)
        before = asyncio.run(_digests(own))
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
        left, after = asyncio.run(_left(own)), asyncio.run(_digests(own))
    click.echo(f"{kills} kills, finished {time.monotonic() - began:.0f} s after it was asked for: {done['erased']}")
    click.echo(f"remaining: {done['remaining']}; rows left in {', '.join(_TABLES)}: {left}")
    changed = [table for table in before if after[table] != before[table]]
    click.echo(f"another organisation's rows: changed in {', '.join(changed) or 'no table'}")


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
    query = 'select count(*) from "{}" where org_id <> $1'
    counted = [await connection.fetchval(query.format(table), NEIGHBOUR) for table in _TABLES]
    await connection.close()
    return sum(counted)


async def _digests(own: Stand) -> dict[str, str]:
    """The neighbour's rows, a digest of each table; without what a worker writes of its own accord, for it may: that
    facts were compared, and a trail sealed.
    """
    connection = await own.superuser()
    row = "(to_jsonb(t) - 'seals' - 'compared_at')::text"
    query = f"select md5(string_agg({row}, '' order by {row})) from \"{{}}\" t where org_id = $1"  # noqa: S608 ours
    told = {table: await connection.fetchval(query.format(table), NEIGHBOUR) for table in _NEIGHBOURS}
    await connection.close()
    return told
