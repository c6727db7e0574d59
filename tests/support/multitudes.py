"""An organisation's rows many times over, which the planner has not looked at: it takes them for few."""

from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

_TABLES = (
    *("user_facts", "fact_sources", "messages", "observations", "receipts", "idempotency"),
    *("documents", "postings", "vectors", "events", "event_values"),
)
_COLUMNS = text(
    "select quote_ident(attname) as name, format_type(atttypid, null) as type from pg_attribute"
    " where attrelid = cast(:name as regclass) and attnum > 0 and not attisdropped"
    " and attgenerated = '' and attidentity <> 'a'"
)
_UNLIKE = frozenset({"key", "message_id"})
"""Texts in which two rows must differ."""


async def look(superuser_url: str) -> None:
    """The planner knows what is there."""
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.begin() as connection:
        await connection.execute(text("analyze"))


async def multiply(superuser_url: str, org_id: str, times: int) -> None:
    """Each row is there so many times more, with ids of its own that fit together."""
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.begin() as connection:
        # Parents and children come in any order.
        await connection.execute(text("set local session_replication_role = replica"))
        for table in _TABLES:
            await _multiply(connection, table, org_id, times)


async def _multiply(connection: AsyncConnection, table: str, org_id: str, times: int) -> None:
    columns = (await connection.execute(_COLUMNS, {"name": table})).all()
    named, taken = ", ".join(name for name, _ in columns), ", ".join(_other(name, type_) for name, type_ in columns)
    await connection.execute(
        text(
            f"insert into {table} ({named}) select {taken} from {table} as kept, generate_series(1, :times) as n"
            " where org_id = :org_id"
        ),
        {"times": times, "org_id": org_id},
    )


def _other(name: str, type_: str) -> str:
    if type_ == "uuid" and not name.endswith("ref"):
        return f"cast(md5(cast({name} as text) || n) as uuid)"
    if name in _UNLIKE:
        return f"{name} || n" if type_ == "text" else f"decode(md5(encode({name}, 'hex') || n), 'hex')"
    return name
