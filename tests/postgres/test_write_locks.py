"""Locks 4 and 6: what the session refuses to write, and what the keys refuse, with every other lock switched off."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.exc import IntegrityError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from app.adapters.postgres.base import Base
from app.adapters.postgres.models import StoreRow
from app.adapters.postgres.session import ForeignTenantError, TenantSession
from app.adapters.postgres.storage import PostgresStorage
from app.domain.events import Change, EventKind, event
from app.domain.jobs import Job, JobKind
from app.domain.organisations import Person, Store
from app.domain.tenancy import TenantScope
from tests.postgres.furnished import SUBJECTS, message, scope_of
from tests.postgres.locks import dump, without
from tests.unit.memories import ALICE, START, fact

Orgs = tuple[TenantScope, str]


def new_store(org_id: str | None = None) -> StoreRow:
    row = StoreRow(store_id="new", ref=UUID(int=9), name="New", created_at=START)
    if org_id is not None:
        row.org_id = org_id
    return row


async def save(superuser: AsyncEngine, scope: TenantScope, row: Any) -> None:
    async with TenantSession(superuser, scope) as session, session.begin():
        session.add(row)


async def row_of(session: AsyncSession, org_id: str) -> StoreRow:
    """An organisation's row, whoever asks."""
    return (await session.execute(select(StoreRow).where(StoreRow.org_id == org_id))).scalar_one()


async def test_lock_4_stamps_a_new_row(superuser: AsyncEngine, orgs: Orgs) -> None:
    with without("do_orm_execute", "after_begin"):
        await save(superuser, orgs[0], new_store())
    assert len((await dump(superuser, orgs[0].org_id))["stores"]) == 2


@pytest.mark.parametrize("how", ["add", "change", "move here", "move there", "delete"])
async def test_lock_4_alone_refuses_to_flush_a_row_of_others(superuser: AsyncEngine, orgs: Orgs, how: str) -> None:
    ours, theirs = orgs
    before = await dump(superuser, theirs)
    with without("do_orm_execute", "after_begin"):
        async with TenantSession(superuser, ours) as session:
            if how == "add":
                session.add(new_store(theirs))
            elif how == "delete":
                await session.delete(await row_of(session, theirs))
            elif how == "change":
                (await row_of(session, theirs)).name = "changed"
            else:
                home, away = (ours.org_id, theirs) if how == "move there" else (theirs, ours.org_id)
                (await row_of(session, home)).org_id = away
            with pytest.raises(ForeignTenantError, match="StoreRow"):
                await session.flush()
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
    new = {"org_id": theirs, "store_id": "new", "ref": UUID(int=9), "name": "New", "created_at": START}
    mine = update(StoreRow).where(StoreRow.org_id == ours.org_id)
    for statement in (insert(StoreRow).values(new), mine.values(org_id=theirs)):
        async with AsyncSession(serving) as plain:
            await plain.execute(text("select set_config('app.org_id', :org, true)"), {"org": ours.org_id})
            with pytest.raises(ProgrammingError, match="row-level security"):
                await plain.execute(statement)


ROW = UUID(int=99)
ROWS = ("superseded_by", "merged_into")
REFERENCES: list[tuple[str, str, object]] = [
    *(
        (table, "user_id", "only-theirs")
        for table in ("messages", "observations", "user_facts", "channel_links", "jobs", "documents", "generations")
    ),
    ("checkpoints", "user_id", "only-theirs"),
    *(
        (table, "store_id", "only-theirs")
        for table in ("messages", "observations", "store_facts", "channel_links", "documents", "generations")
    ),
    *((table, f"{who}_id", "only-theirs") for table in ("fact_sources", "fact_decisions") for who in ("store", "user")),
    *((table, name, ROW) for table in ("org_facts", "store_facts", "user_facts") for name in ROWS),
    *(("contradictions", f"{who}_id", "only-theirs") for who in ("store", "user")),
    ("event_values", "event_id", ROW),
    ("postings", "document", ROW),
    ("vectors", "document", ROW),
    ("vectors", "beside", ROW),
    ("import_records", "job_id", ROW),
]
FILLED = {"postings.document": "shelf = 'org' and char_length(term) > 20", "vectors.document": "shelf = 'org'"}
"""Which rows are pointed elsewhere, where it is not all that point anywhere: of the terms one that names its owner."""


@pytest.mark.parametrize(("table", "column", "value"), REFERENCES)
async def test_lock_6_alone_refuses_a_reference_to_a_row_of_others(
    serving: AsyncEngine, superuser: AsyncEngine, orgs: Orgs, table: str, column: str, value: object
) -> None:
    """A superuser's plain statement, which no other lock holds."""
    ours, theirs = orgs
    async with PostgresStorage(serving, b"pepper").transaction(scope_of(theirs)) as uow:
        await uow.people.save(Person("only-theirs", START))
        await uow.stores.save(Store("only-theirs", "Theirs", START))
        await uow.facts.apply([Change(None, fact(99, about=about)) for about in SUBJECTS], START)
        await uow.messages.add([message(theirs, 99)])
        await uow.jobs.add(Job(ROW, JobKind.IMPORT, "import", {}, ALICE, START))
        await uow.events.append([replace(event(EventKind.READ, ALICE, START), id=ROW, values=None)])
    filled = "true" if column in ROWS else FILLED.get(f"{table}.{column}", f"{column} is not null")
    refer = text(f"update {table} set {column} = :value where org_id = :org and {filled}")
    async with superuser.connect() as plain:
        await plain.execute(text("set constraints all immediate"))
        with pytest.raises(IntegrityError, match="foreign key"):
            await plain.execute(refer, {"value": value, "org": ours.org_id})
        await plain.rollback()
        await plain.execute(text("set constraints all immediate"))
        assert (await plain.execute(refer, {"value": value, "org": theirs})).rowcount > 0


def test_lock_6_is_tried_on_every_key_that_names_a_row_of_the_organisation() -> None:
    keys = {
        (table.name, foreign.column_keys[-1])
        for table in Base.metadata.tables.values()
        for foreign in table.foreign_key_constraints
        if len(foreign.column_keys) > 1
    }
    assert {(table, column) for table, column, _ in REFERENCES} == keys
