"""Switching the tenant locks off, one at a time, and seeing what stands in the tables."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres import session as hooks
from app.adapters.postgres.base import Base
from app.adapters.postgres.models import PlatformErasureRow, PlatformKeyRow

OF_NOBODY = (PlatformKeyRow, PlatformErasureRow)
"""The platform's own."""
TENANT_TABLES = sorted(
    (mapper.class_ for mapper in Base.registry.mappers if mapper.class_ not in OF_NOBODY),
    key=lambda table: str(table.__tablename__),
)
_HOOKS = {"do_orm_execute": hooks._filter, "before_flush": hooks._stamp, "after_begin": hooks._tell_the_database}


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Sessions lack these hooks for the block; row-level security is switched off by a superuser's engine instead."""
    with ExitStack() as back:
        for name in names:
            event.remove(hooks._ScopedSession, name, _HOOKS[name])
            back.callback(event.listen, hooks._ScopedSession, name, _HOOKS[name])
        yield


async def dump(superuser: AsyncEngine, org_id: str) -> dict[str, list[str]]:
    """All rows of an organisation, by table."""
    found = {}
    async with superuser.connect() as connection:
        for table in TENANT_TABLES:
            name = table.__tablename__
            query = text(f"select to_jsonb(t)::text from {name} t where org_id = :org order by 1")
            found[name] = list((await connection.execute(query, {"org": org_id})).scalars())
    return found
