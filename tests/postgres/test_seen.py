"""Marking what was seen: it waits for nobody, and nobody waits for it in turn."""

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.storage import PostgresStorage
from app.domain.subjects import Scope
from app.domain.tenancy import TenantScope
from tests.postgres.furnished import LATER

IDS = [UUID(int=2), UUID(int=9), UUID(int=10)]


async def test_a_row_that_somebody_writes_is_left_out(
    serving: AsyncEngine, superuser: AsyncEngine, orgs: tuple[TenantScope, str]
) -> None:
    scope, storage = orgs[0], PostgresStorage(serving, b"pepper")
    async with superuser.begin() as writer:
        held = "select from store_facts where org_id = :org and id = :id for no key update"
        await writer.execute(text(held), {"org": scope.org_id, "id": UUID(int=2)})
        async with storage.transaction(scope) as uow:
            await uow.ageing.mark_seen(IDS, LATER)
            records = await uow.facts.records(Scope.STORE, IDS)
    assert {record.fact.id.int: record.last_seen_at for record in records} == {2: None, 9: LATER, 10: LATER}


async def test_a_writer_refers_to_a_row_while_it_is_marked(
    serving: AsyncEngine, superuser: AsyncEngine, orgs: tuple[TenantScope, str]
) -> None:
    scope, storage = orgs[0], PostgresStorage(serving, b"pepper")
    async with storage.transaction(scope) as uow:
        await uow.ageing.mark_seen(IDS, LATER)
        async with superuser.begin() as writer:
            await writer.execute(text("set local lock_timeout = '200ms'"))
            referred = "select from store_facts where org_id = :org and id = :id for key share"
            found = await writer.execute(text(referred), {"org": scope.org_id, "id": UUID(int=2)})
            assert found.rowcount == 1
