"""The sealed trail in Postgres: what may be done to it, what is found, and that nothing comes late."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.adapters.postgres.directory import PostgresDirectory
from app.adapters.postgres.storage import PostgresStorage
from app.domain.events import EventKind, event
from app.domain.identifiers import uuid7
from app.domain.inspection import Break
from app.domain.organisations import Organisation, Person
from app.domain.tenancy import TenantScope
from app.services.seals import Seals
from tests.postgres.furnished import scope_of
from tests.unit.memories import ALICE, ME, START, day

REFUSED = "42501"


@pytest.fixture
async def storage(serving: AsyncEngine) -> PostgresStorage:
    return PostgresStorage(serving, b"pepper")


@pytest.fixture
async def scope(storage: PostgresStorage, superuser: AsyncEngine) -> AsyncIterator[TenantScope]:
    """An organisation with six events, of which five are sealed: three, then two."""
    scope = scope_of(f"sealed-{uuid4().hex}")
    seals = Seals(storage, PostgresDirectory(storage._engine), lambda: START)
    async with storage.transaction(scope) as uow:
        await uow.organisations.save(Organisation(scope.org_id, "Org", START))
        await uow.people.save(Person("alice", START))
    for count in (3, 2, 1):
        await happen(storage, scope, count)
        if count > 1:
            await seal(seals, scope)
    yield scope
    async with superuser.begin() as connection:
        await connection.execute(text("delete from organisations where org_id = :org"), {"org": scope.org_id})


@pytest.fixture
def seals(storage: PostgresStorage, serving: AsyncEngine) -> Seals:
    return Seals(storage, PostgresDirectory(serving), lambda: START)


async def happen(storage: PostgresStorage, scope: TenantScope, count: int = 1) -> None:
    made = [event(EventKind.PINNED, ALICE, day(n), subject=ME, fact_id=uuid7(), new=f"words {n}") for n in range(count)]
    async with storage.transaction(scope) as uow:
        await uow.events.append(made)


async def seal(seals: Seals, scope: TenantScope) -> int:
    upto = await seals.closed()
    assert upto is not None
    return await seals.seal(scope, upto)


async def broken(superuser: AsyncEngine, seals: Seals, scope: TenantScope, *statements: str) -> Break | None:
    """What is found after a superuser, whom no constraint holds, did this to the organisation."""
    async with superuser.begin() as connection:
        await connection.execute(text("set local session_replication_role = replica"))
        for statement in statements:
            done = await connection.execute(text(statement), {"org": scope.org_id})
            assert done.rowcount == 1, statement
    return (await seals.verify(scope)).broken


@pytest.mark.parametrize("table", ["events", "event_seals"])
@pytest.mark.parametrize("statement", ["update {} set org_id = org_id", "delete from {}", "truncate {} cascade"])
async def test_the_serving_role_changes_nothing_of_the_trail(serving: AsyncEngine, table: str, statement: str) -> None:
    async with serving.connect() as connection:
        with pytest.raises(DBAPIError) as refused:
            await connection.execute(text(statement.format(table)))
    assert getattr(refused.value.orig, "sqlstate", None) == REFUSED


async def test_the_serving_role_removes_words_and_changes_none(serving: AsyncEngine) -> None:
    async with serving.connect() as connection:
        with pytest.raises(DBAPIError) as refused:
            await connection.execute(text("update event_values set reason = null"))
    assert getattr(refused.value.orig, "sqlstate", None) == REFUSED


NTH = "(select {column} from {table} where org_id = :org order by {column} offset {offset} limit 1)"
SECOND = f"org_id = :org and id = {NTH.format(table='events', column='id', offset=1)}"
SPOKEN = f"org_id = :org and event_id = {NTH.format(table='events', column='id', offset=1)}"
FLIPS: dict[str, tuple[str, dict[str, str]]] = {
    "events": (
        SECOND,
        {
            "org_id": "'elsewhere'",
            "id": "gen_random_uuid()",
            "kind": "'unpinned'",
            "scope": "'org'",
            "subject_ref": "gen_random_uuid()",
            "fact_id": "gen_random_uuid()",
            "actor_type": "'key'",
            "actor_ref": "gen_random_uuid()",
            "digest": "translate(digest, '01234567', '12345670')",
            "created_at": "created_at + interval '1 microsecond'",
        },
    ),
    "event_values": (
        SPOKEN,
        {
            "event_id": "gen_random_uuid()",
            "old": "'1'",
            "new": "to_jsonb('words 2'::text)",
            "reason": "'why'",
            "salt": "salt || '0'",
        },
    ),
    "event_seals": (
        "org_id = :org and seq = 1",
        {
            "org_id": "'elsewhere'",
            "seq": "7",
            "first_place": "first_place + 1",
            "last_place": "last_place + 1",
            "count": "count + 1",
            "previous": "'0'",
            "digest": "translate(digest, '01234567', '12345670')",
            "leaves": "set_byte(leaves, 9, get_byte(leaves, 9) # 1)",
            "sealed_at": "sealed_at + interval '1 microsecond'",
        },
    ),
}


@pytest.mark.parametrize(
    ("table", "column"), [(table, column) for table, (_, columns) in FLIPS.items() for column in columns]
)
async def test_a_flip_of_any_column_is_found(
    superuser: AsyncEngine, seals: Seals, scope: TenantScope, table: str, column: str
) -> None:
    assert (await seals.verify(scope)).broken is None
    where, columns = FLIPS[table]
    assert await broken(superuser, seals, scope, f"update {table} set {column} = {columns[column]} where {where}")


async def test_every_column_is_flipped(superuser: AsyncEngine) -> None:
    """But for `place`, which only the owner can move, and whose the words are: see the next."""
    async with superuser.connect() as connection:
        for table, (_, columns) in FLIPS.items():
            query = "select column_name from information_schema.columns where table_name = :table"
            names = set((await connection.execute(text(query), {"table": table})).scalars())
            aside = {"events": {"place"}, "event_values": {"org_id"}, "event_seals": set()}
            assert names == columns.keys() | aside[table]


async def test_words_that_were_given_to_another_organisation_are_found_there(
    superuser: AsyncEngine, storage: PostgresStorage, seals: Seals, scope: TenantScope
) -> None:
    other = scope_of(f"other-{uuid4().hex}")
    async with storage.transaction(other) as uow:
        await uow.organisations.save(Organisation(other.org_id, "Other", START))
    await broken(superuser, seals, scope, f"update event_values set org_id = '{other.org_id}' where {SPOKEN}")
    assert (await seals.verify(other)).broken is not None
    async with storage.transaction(other) as uow:
        await uow.organisations.delete()


AGAIN = (
    "insert into events (org_id, id, kind, actor_type, digest, created_at, place) overriding system value"
    " select :org, gen_random_uuid(), 'pinned', 'key', '', now(), {place} from events where org_id = :org"
    " order by place limit 1"
)


@pytest.mark.parametrize(
    "statement",
    [
        f"delete from events where {SECOND}",
        "delete from event_seals where org_id = :org and seq = 1",
        "delete from event_seals where org_id = :org and seq = 2",
        AGAIN.format(place="-1"),
        AGAIN.format(place="0"),
        "insert into event_values (org_id, event_id, salt) values (:org, gen_random_uuid(), '')",
    ],
)
async def test_what_is_taken_out_or_put_in_is_found(
    superuser: AsyncEngine, seals: Seals, scope: TenantScope, statement: str
) -> None:
    assert await broken(superuser, seals, scope, statement)


async def test_what_is_moved_is_found(superuser: AsyncEngine, seals: Seals, scope: TenantScope) -> None:
    async with superuser.begin() as connection:
        await connection.execute(text("alter table events alter place set generated by default"))
    move = f"update events set place = place + 100000 where {SECOND}"
    found = await broken(superuser, seals, scope, move)
    async with superuser.begin() as connection:
        await connection.execute(text("alter table events alter place set generated always"))
    assert found is not None
    assert found.seal == 1


async def test_words_of_what_is_not_sealed_yet_are_checked_too(
    superuser: AsyncEngine, seals: Seals, scope: TenantScope
) -> None:
    last = NTH.format(table="events", column="id", offset=5)
    flip = f"update event_values set salt = '' where org_id = :org and event_id = {last}"
    found = await broken(superuser, seals, scope, flip)
    assert found is not None
    assert found.seal is None
    assert found.event_id is not None


async def test_who_still_writes_is_waited_for(
    storage: PostgresStorage, superuser: AsyncEngine, seals: Seals, scope: TenantScope
) -> None:
    """An event that was written first and committed last comes under the seal as well, in its place."""
    async with storage.transaction(scope) as uow:
        await uow.events.append([event(EventKind.PINNED, ALICE, day(1))])
        await happen(storage, scope)
        closing = asyncio.create_task(seals.closed())
        done, _ = await asyncio.wait({closing}, timeout=0.6)
        assert not done
    upto = await closing
    assert upto is not None
    assert await seals.seal(scope, upto) == 3
    report = await seals.verify(scope)
    assert (report.broken, report.unsealed) == (None, 0)


async def test_who_writes_elsewhere_is_not_waited_for(urls: Any, seals: Seals, scope: TenantScope) -> None:
    """A transaction that has touched no event is nobody's hindrance, however long it lasts."""
    engine = create_async_engine(urls.serving, poolclass=NullPool)
    async with engine.connect() as other:
        await other.execute(text("select count(*) from events"))
        upto = await asyncio.wait_for(seals.closed(), 5)
        assert upto is not None
    await engine.dispose()
    assert await seals.seal(scope, upto) == 1
