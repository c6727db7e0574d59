"""Locks 3 and 5: whatever is read or changed, each alone keeps organisations apart, the others being switched off.

Two organisations hold the same ids in every table. With both locks off they do see each other: that is what these
tests would notice.
"""

import inspect
import re
from typing import Any, get_type_hints

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from app.adapters.postgres.base import Scoped
from app.adapters.postgres.models import StoreRow
from app.adapters.postgres.session import ForeignTenantError, TenantSession, _ScopedSession
from app.adapters.postgres.storage import PostgresStorage
from app.domain.tenancy import TenantScope
from app.ports.storage import UnitOfWork
from tests.postgres.changes import WRITES
from tests.postgres.furnished import scope_of
from tests.postgres.locks import OF_NOBODY, TENANT_TABLES, dump, without
from tests.postgres.tenants import READS

Orgs = tuple[TenantScope, str]


async def shown(storage: PostgresStorage, scope: TenantScope) -> dict[str, str]:
    """What each way of reading shows, or the error that it meets."""
    found = {}
    for name, read in READS.items():
        try:
            async with storage.transaction(scope) as uow:
                found[name] = repr(await read(uow))
        except Exception as error:
            found[name] = repr(error)
    return found


def test_every_method_of_every_repository_is_tried() -> None:
    methods = {
        f"{noun}.{method}"
        for noun, port in inspect.getmembers(UnitOfWork, lambda member: isinstance(member, property))
        for method, _ in inspect.getmembers(get_type_hints(port.fget)["return"], inspect.isfunction)
        if not method.startswith("_")
    }
    assert methods == READS.keys() | WRITES.keys()


def test_every_table_with_an_organisation_bears_the_mark() -> None:
    assert all(issubclass(table, Scoped) for table in TENANT_TABLES)
    assert not any(hasattr(table, "org_id") for table in OF_NOBODY)


async def test_every_table_has_a_row_to_leak(superuser: AsyncEngine, orgs: Orgs) -> None:
    assert all((await dump(superuser, orgs[1])).values())


async def test_each_alone_stops_every_read(serving: AsyncEngine, superuser: AsyncEngine, orgs: Orgs) -> None:
    ours, theirs = orgs
    usual = await shown(PostgresStorage(serving, b"pepper"), ours)
    marked = re.compile(f"{ours.org_id}|alice|UUID|talk|(count|turns|total|words)=[1-9]")
    assert [name for name, answer in usual.items() if not marked.search(answer)] == []
    with without("before_flush", "after_begin"):
        lock_3 = await shown(PostgresStorage(superuser, b"pepper"), ours)
    with without("before_flush", "do_orm_execute"):
        lock_5 = await shown(PostgresStorage(serving, b"pepper"), ours)
    assert lock_3 == lock_5 == usual
    assert not any(theirs in answer for answer in usual.values())


async def test_without_both_every_read_leaks(serving: AsyncEngine, superuser: AsyncEngine, orgs: Orgs) -> None:
    usual = await shown(PostgresStorage(serving, b"pepper"), orgs[0])
    with without("do_orm_execute", "before_flush", "after_begin"):
        leaking = await shown(PostgresStorage(superuser, b"pepper"), orgs[0])
    assert [name for name in READS if leaking[name] == usual[name]] == []


async def change_everything(storage: PostgresStorage, scope: TenantScope) -> set[str]:
    """Tries every write; answers those that failed."""
    failed = set()
    for name, write in WRITES.items():
        try:
            async with storage.transaction(scope) as uow:
                await write(uow)
        except Exception:
            failed.add(name)
    return failed


@pytest.mark.parametrize("lock", [3, 5])
async def test_each_alone_keeps_every_write_at_home(
    serving: AsyncEngine, superuser: AsyncEngine, orgs: Orgs, lock: int
) -> None:
    ours, theirs = orgs
    before = await dump(superuser, theirs)
    with without("before_flush", "after_begin" if lock == 3 else "do_orm_execute"):
        failed = await change_everything(PostgresStorage(superuser if lock == 3 else serving, b"pepper"), ours)
    assert failed == set()
    assert await dump(superuser, theirs) == before
    assert not any((await dump(superuser, ours.org_id)).values())


async def test_without_both_writes_reach_the_others(superuser: AsyncEngine, orgs: Orgs) -> None:
    ours, theirs = orgs
    with without("do_orm_execute", "before_flush", "after_begin"):
        await change_everything(PostgresStorage(superuser, b"pepper"), ours)
    assert not any((await dump(superuser, theirs)).values())


@pytest.mark.parametrize("table", TENANT_TABLES, ids=lambda table: str(table.__tablename__))
async def test_lock_5_shows_a_plain_session_nothing_unless_told_and_then_ours_alone(
    serving: AsyncEngine, orgs: Orgs, table: Any
) -> None:
    tell = text("select set_config('app.org_id', :org, true)")
    async with AsyncSession(serving) as plain:
        assert (await plain.execute(select(table.org_id))).all() == []
        await plain.execute(tell, {"org": orgs[0].org_id})
        assert set((await plain.execute(select(table.org_id))).scalars()) == {orgs[0].org_id}
        await plain.rollback()
        assert (await plain.execute(select(table.org_id))).all() == []


async def test_a_session_without_a_scope_is_an_error(superuser: AsyncEngine) -> None:
    async with AsyncSession(superuser, sync_session_class=_ScopedSession) as unscoped:
        with pytest.raises(ForeignTenantError, match="without a tenant scope"):
            await unscoped.execute(select(StoreRow))


async def test_lock_3_knows_each_session_s_own_organisation(superuser: AsyncEngine, orgs: Orgs) -> None:
    """The filter is cached with the statement: its organisation must not be."""
    for scope in (orgs[0], scope_of(orgs[1]), orgs[0]):
        async with TenantSession(superuser, scope) as session:
            assert set((await session.execute(select(StoreRow.org_id))).scalars()) == {scope.org_id}
