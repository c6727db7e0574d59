"""`retenir worker`: does the jobs of all organisations, beside any number of others."""

import asyncio

import click

from app.cli.boot import connected, read_settings
from app.container import StartRefusedError
from app.worker import work


@click.command()
def worker() -> None:
    """Do jobs until Ctrl-C or SIGTERM; those under way are then finished."""
    with connected(read_settings()) as settings:
        try:
            asyncio.run(work(settings))
        except StartRefusedError as error:
            raise click.ClickException(str(error)) from None
