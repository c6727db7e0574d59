"""Rows by the million: handed over some at once, never held all together."""

from collections.abc import AsyncIterator
from typing import Any, Final

from sqlalchemy import Select

from app.adapters.postgres.session import TenantSession

AT_ONCE: Final = 200


async def rows_of(session: TenantSession, query: Select[Any]) -> AsyncIterator[Any]:
    """The rows of the query, one after another. The database is asked, and the event loop left, once for many."""
    found = await session.stream(query.execution_options(yield_per=AT_ONCE))
    async for some in found.partitions():
        for row in some:
            yield row


async def entities_of(session: TenantSession, query: Select[Any]) -> AsyncIterator[Any]:
    """As `rows_of`, where a row is one entity."""
    async for row in rows_of(session, query):
        yield row[0]
