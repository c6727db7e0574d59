"""What is done as the role that owns the tables, which serving never needs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from app.adapters.postgres.partitions import PostgresPartitions
from app.adapters.postgres.platform import PostgresPlatformKeys
from app.adapters.postgres.storage import make_engine
from app.container import StartRefusedError
from app.ports.platform import PlatformKeys
from app.settings import Settings


async def provide_partitions(owner_url: str, now: datetime) -> None:
    """The tables that lie in partitions have those of the days to come. Raises Unavailable."""
    engine = make_engine(owner_url, pool_size=2)
    try:
        await PostgresPartitions(engine).provide(now)
    finally:
        await engine.dispose()


@asynccontextmanager
async def platform_keys(settings: Settings) -> AsyncIterator[PlatformKeys]:
    """The platform's keys.

    Raises StartRefusedError when the settings do not name that role's database.
    """
    if settings.owner_database_url is None:
        raise StartRefusedError("RETENIR_OWNER_DATABASE_URL is missing: the serving role makes no platform keys")
    engine = make_engine(settings.owner_database_url, pool_size=2)
    try:
        yield PostgresPlatformKeys(engine)
    finally:
        await engine.dispose()
