"""How alembic reaches the database: by the connection it is handed, else by the owner's URL from the environment."""

import asyncio
import os

from alembic import context
from sqlalchemy import Connection, NullPool
from sqlalchemy.ext.asyncio import async_engine_from_config

from app.adapters.postgres import models
from app.adapters.postgres.base import Base

TABLES = (models,)  # importing them is what fills the metadata
URL = "sqlalchemy.url"

config = context.config


def is_ours(name: str | None, kind: str, _: object) -> bool:
    """Whether a revision made it: partitions come and go by themselves."""
    return kind != "table" or not str(name).startswith("observations_")


def migrate(connection: Connection) -> None:
    """Run the revisions asked for, each in its own transaction."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        compare_type=True,
        compare_server_default=True,
        include_name=is_ours,
        transaction_per_migration=True,
    )
    with context.begin_transaction():
        context.run_migrations()


async def connect_and_migrate() -> None:
    """Open a connection as the owner, migrate, close it."""
    engine = async_engine_from_config(config.get_section(config.config_ini_section, {}), poolclass=NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(migrate)
    await engine.dispose()


if url := os.environ.get("RETENIR_OWNER_DATABASE_URL"):
    config.set_main_option(URL, url.replace("%", "%%"))  # the parser of ini files interpolates %

if context.is_offline_mode():
    context.configure(url=config.get_main_option(URL), target_metadata=Base.metadata, literal_binds=True)
    with context.begin_transaction():
        context.run_migrations()
elif (handed := config.attributes.get("connection")) is not None:
    migrate(handed)
else:
    asyncio.run(connect_and_migrate())
