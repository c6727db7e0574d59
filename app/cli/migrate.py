"""`retenir migrate`: the database's schema becomes the one this code wants."""

import asyncio
from pathlib import Path

import click
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, NullPool, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from app.cli.boot import connected, read_settings
from app.container import utc_now
from app.domain.errors import RetenirError
from app.owner import provide_partitions

CONFIGURATION = Path(__file__).parents[2] / "alembic.ini"
NEWEST = "head"
TURN = 0x4D494752  # an advisory lock: of several who migrate at once, each finds the work of the one before done
PATIENCE = {"timeout": 5}
LIMITS = {"server_settings": {"lock_timeout": "5s"}}  # a migration gives up before it holds up the service


@click.command()
def migrate() -> None:
    """Bring the schema up to date, as the role that owns the tables."""
    with connected(read_settings()) as settings:
        if settings.owner_database_url is None:
            raise click.ClickException("RETENIR_OWNER_DATABASE_URL is missing: the serving role may not migrate")
        bring_up_to_date(settings.owner_database_url)


class DatabaseAway(click.ClickException):
    """The database does not answer, so nothing is known of its schema."""


def bring_up_to_date(owner_url: str) -> None:
    """The schema is this code's. Raises ClickException with the reason when it cannot become so."""
    try:
        asyncio.run(upgrade(owner_url))
    except OSError as error:
        raise DatabaseAway(f"the database of RETENIR_OWNER_DATABASE_URL does not answer: {error}") from None
    except (CommandError, SQLAlchemyError, RetenirError) as error:
        raise click.ClickException(f"the schema could not be brought up to date: {error}") from None


async def upgrade(owner_url: str, revision: str = NEWEST) -> None:
    """The schema is at `revision`; the newest has its partitions. Safe while others do the same: they take turns.

    The turn is a lock of a transaction on a connection of its own, so it works behind a pooler too, and each
    revision still commits by itself.
    """
    waiting = create_async_engine(owner_url, poolclass=NullPool, connect_args=PATIENCE)
    working = create_async_engine(owner_url, poolclass=NullPool, connect_args=LIMITS)
    async with waiting.begin() as turn:
        await turn.execute(text("select pg_advisory_xact_lock(:turn)"), {"turn": TURN})
        async with working.connect() as connection:
            await connection.run_sync(_upgrade, revision)
        if revision == NEWEST:
            await provide_partitions(owner_url, utc_now())


def _upgrade(connection: Connection, revision: str) -> None:
    configuration = Config(CONFIGURATION)
    configuration.attributes["connection"] = connection
    command.upgrade(configuration, revision)
