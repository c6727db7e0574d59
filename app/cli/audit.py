"""`retenir verify-audit`: whether the audit trail is as it was sealed."""

from collections.abc import AsyncIterator

import click

from app.api.deps import platform_scope
from app.cli.direct import ID, on_database
from app.container import Container
from app.domain.errors import NotFound
from app.domain.inspection import Report

ORGANISATIONS_AT_ONCE = 500


@click.command("verify-audit")
@click.option("--org", "org_id", type=ID, help="This organisation alone; all of them where it is not given.")
def verify_audit(org_id: str | None) -> None:
    """Check the seals on the audit trail, and the words that are there against its digests.

    One line for each organisation; at the first that is broken the exit code is 1. Note the digests of the heads
    elsewhere: who may write anything in the database could make a whole chain anew.
    """
    if broken := on_database(lambda container: _verify(container, org_id)):
        raise click.ClickException(f"{broken} of the audit trails are not as they were sealed")


async def _verify(container: Container, only: str | None) -> int:
    """Prints what each trail is like; answers how many are broken."""
    broken = 0
    async for org_id in _organisations(container, only):
        try:
            report = await container.seals.verify(platform_scope(org_id))
        except NotFound:
            if only is not None:
                raise
            continue  # it went meanwhile
        click.echo(_told(org_id, report))
        broken += report.broken is not None
    return broken


async def _organisations(container: Container, only: str | None) -> AsyncIterator[str]:
    last = None
    found = [only] if only is not None else await container.directory.organisations(ORGANISATIONS_AT_ONCE)
    while found:
        for last in found:
            yield last
        found = [] if only is not None else await container.directory.organisations(ORGANISATIONS_AT_ONCE, last)


def _told(org_id: str, report: Report) -> str:
    counts = (
        f"{report.events} events, {report.sealed} sealed in {report.seals} seals, {report.unsealed} unsealed;"
        f" words of {report.checked} checked, of {report.erased} erased"
    )
    state = f"BROKEN at {report.broken}" if report.broken else f"head {report.head or 'none'}"
    return f"{org_id}: {counts}; {state}"
