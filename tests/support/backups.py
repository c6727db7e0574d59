"""A backup of one organisation as a superuser takes it, and its restore over what is there by then."""

import json
from typing import Any

from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

Backup = dict[str, list[Any]]
_TABLES = text(
    "select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'"
    " where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition"
)


async def backup(superuser_url: str, org_id: str) -> Backup:
    """Every row of the organisation, by table."""
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.connect() as connection:
        kept: Backup = {}
        for name in (await connection.execute(_TABLES)).scalars().all():
            rows = await connection.execute(
                text(f'select to_jsonb(t) from "{name}" t where org_id = :org_id'), {"org_id": org_id}
            )
            kept[name] = list(rows.scalars())
    return kept


async def restore(superuser_url: str, org_id: str, kept: Backup) -> None:
    """The organisation is as it was when the backup was made."""
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.begin() as connection:
        await connection.execute(text("set local session_replication_role = 'replica'"))  # no keys are looked after
        for name in kept:
            await connection.execute(text(f'delete from "{name}" where org_id = :org_id'), {"org_id": org_id})
            if kept[name]:
                await _put_back(connection, name, kept[name])


async def _put_back(connection: AsyncConnection, name: str, rows: list[Any]) -> None:
    read = f'select * from jsonb_populate_recordset(null::"{name}", cast(:rows as jsonb))'
    statement = f'insert into "{name}" overriding system value {read}'
    await connection.execute(text(statement), {"rows": json.dumps(rows)})
