"""Locks 4 and 6: what the session refuses to write, and what the keys refuse, with every other lock switched off."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.exc import IntegrityError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from app.adapters.postgres.models import EventValuesRow, JobRow, StoreRow, UserFactRow
from app.adapters.postgres.session import ForeignTenantError, TenantSession
from app.adapters.postgres.storage import PostgresStorage
from app.domain.tenancy import TenantScope
from tests.postgres.locks import dump, without
from tests.postgres.tenants import START, furnish

Orgs = tuple[TenantScope, str]


def new_store(org_id: str | None = None) -> StoreRow:
    row = StoreRow(store_id="new", ref=UUID(int=9), name="New", created_at=START)
    if org_id is not None:
        row.org_id = org_id
    return row


async def save(superuser: AsyncEngine, scope: TenantScope, row: Any) -> None:
    async with TenantSession(superuser, scope) as session, session.begin():
        session.add(row)


async def the_others(session: AsyncSession, org_id: str) -> StoreRow:
    """Another organisation's row, got hold of somehow."""
    return (await session.execute(select(StoreRow).where(StoreRow.org_id == org_id))).scalar_one()


async def test_lock_4_stamps_a_new_row(superuser: AsyncEngine, orgs: Orgs) -> None:
    with without("do_orm_execute", "after_begin"):
        await save(superuser, orgs[0], new_store())
    assert len((await dump(superuser, orgs[0].org_id))["stores"]) == 2


@pytest.mark.parametrize("how", ["add", "change", "move here", "move there", "delete"])
async def test_lock_4_alone_refuses_to_flush_a_row_of_others(superuser: AsyncEngine, orgs: Orgs, how: str) -> None:
    ours, theirs = orgs
    before = await dump(superuser, theirs)
    with without("do_orm_execute", "after_begin"), pytest.raises(ForeignTenantError, match="StoreRow"):
        async with TenantSession(superuser, ours) as session, session.begin():
            if how == "add":
                session.add(new_store(theirs))
            elif how == "move there":
                row = await the_others(session, ours.org_id)
                row.org_id = theirs
            else:
                row = await the_others(session, theirs)
                row.org_id, row.name = (ours.org_id, "ours") if how == "move here" else (theirs, "changed")
                if how == "delete":
                    await session.delete(row)
    assert await dump(superuser, theirs) == before


async def test_lock_4_refuses_an_insertion_for_others(superuser: AsyncEngine, orgs: Orgs) -> None:
    row = {"org_id": orgs[1], "store_id": "new", "ref": UUID(int=9), "name": "New", "created_at": START}
    async with TenantSession(superuser, orgs[0]) as session:
        with pytest.raises(ForeignTenantError, match="StoreRow"):
            session.insertion(StoreRow, [row])
        with pytest.raises(ForeignTenantError, match="not made by"):
            await session.execute(insert(StoreRow).values(row))


async def test_without_lock_4_the_row_is_written(superuser: AsyncEngine, orgs: Orgs) -> None:
    with without("do_orm_execute", "after_begin", "before_flush"):
        await save(superuser, orgs[0], new_store(orgs[1]))
    assert len((await dump(superuser, orgs[1]))["stores"]) == 2


async def test_lock_5_alone_refuses_to_write_for_others(serving: AsyncEngine, orgs: Orgs) -> None:
    ours, theirs = orgs
    for statement in (
        insert(JobRow).from_select(["org_id"], select(text(f"'{theirs}'"))),
        update(StoreRow).where(StoreRow.org_id == ours.org_id).values(org_id=theirs),
    ):
        async with AsyncSession(serving) as plain:
            await plain.execute(text("select set_config('app.org_id', :org, true)"), {"org": ours.org_id})
            with pytest.raises(ProgrammingError, match="row-level security"):
                await plain.execute(statement)


REFERENCES: list[tuple[str, dict[str, object]]] = [
    ("messages", {"user_id": "only-theirs"}),
    ("messages", {"store_id": "only-theirs"}),
    ("user_facts", {"user_id": "only-theirs"}),
    ("store_facts", {"store_id": "only-theirs"}),
    ("fact_sources", {"store_id": "only-theirs"}),
    ("fact_decisions", {"store_id": "only-theirs"}),
    ("channel_links", {"user_id": "only-theirs"}),
    ("channel_links", {"store_id": "only-theirs"}),
    ("jobs", {"user_id": "only-theirs"}),
    ("org_facts", {"superseded_by": UUID(int=99)}),
    ("event_values", {"event_id": UUID(int=99)}),
]


@pytest.mark.parametrize(("table", "reference"), REFERENCES)
async def test_lock_6_alone_refuses_a_reference_to_a_row_of_others(
    superuser: AsyncEngine, orgs: Orgs, table: str, reference: dict[str, object]
) -> None:
    ours, theirs = orgs
    column, value = next(iter(reference.items()))
    async with superuser.connect() as plain:
        await plain.execute(
            text(
                "insert into people select org_id, 'only-theirs', ref, role, display_name, remember, time_zone,"
                " created_at from people where org_id = :org and user_id = 'alice'"
            ),
            {"org": theirs},
        )
        await plain.execute(
            text(
                "insert into stores select org_id, 'only-theirs', ref, name, time_zone, created_at from stores"
                " where org_id = :org"
            ),
            {"org": theirs},
        )
