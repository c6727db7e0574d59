"""The platform's own keys in Postgres. Only the role that owns the tables writes them."""

from datetime import datetime

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.models import PlatformKeyRow
from app.domain.identifiers import uuid7


class PostgresPlatformKeys:
    """The keys, on an engine of the owner role."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, name: str, digest: bytes, now: datetime) -> None:
        row = {"id": uuid7(), "digest": digest, "name": name, "created_at": now}
        async with self._engine.begin() as connection:
            await connection.execute(insert(PlatformKeyRow).values(row))
