"""`retenir reembed`: everything that is remembered gets vectors of the model in use."""

import time

import click

from app.api.deps import platform_scope
from app.cli.direct import on_database
from app.container import Container
from app.ports.vectors import Progress

SAY_SECONDS = 2.0


@click.command()
def reembed() -> None:
    """Embed what has vectors of another model, or none, while the service serves; it may be ended and begun again."""
    done = on_database(_everybody)
    click.echo(f"done: {done.embedded:,} are embedded; {done.failed:,} failed, which a worker tries daily", err=True)


async def _everybody(container: Container) -> Progress:
    """How far all organisations have come together."""
    moving = container.reembedding
    if moving is None:
        raise click.ClickException("there is no embedder: RETENIR_EMBEDDER, or the extra `local`, is missing")
    click.echo(f"model: {moving.model}", err=True)
    embedded = failed = total = 0
    async for org_id in moving.organisations():
        said, last = 0.0, Progress(0, 0, 0)
        async for last in moving.move(platform_scope(org_id)):
            if (now := time.monotonic()) >= said + SAY_SECONDS:
                _say(org_id, last)
                said = now
        _say(org_id, last)
        embedded, failed, total = embedded + last.embedded, failed + last.failed, total + last.total
    return Progress(embedded, failed, total)


def _say(org_id: str, progress: Progress) -> None:
    click.echo(f"{org_id}: {progress.embedded:,} of {progress.total:,}", err=True)
