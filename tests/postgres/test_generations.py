"""Generations: every repository that changes what readers are served raises theirs, last of all, and nobody else's."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.storage import PostgresStorage
from app.domain.events import Change
from app.domain.identifiers import uuid7
from app.domain.organisations import Organisation, Person, Store
from app.domain.subjects import OrgSubject, StoreSubject, Subject, UserSubject
from app.domain.tenancy import TenantScope
from app.ports.storage import UnitOfWork
from tests.postgres.changes import WRITES
from tests.postgres.furnished import scope_of
from tests.unit.memories import START, fact

Orgs = tuple[TenantScope, str]
EVERYBODY, SHOP, ALICE, BOB = "org", "store shop1", "user alice", "user bob"

RAISED: dict[str, set[str]] = {
    "stores.save": {SHOP},
    "people.save": {ALICE},
    "stores.restore": {SHOP},
    "people.restore": {ALICE},
    "organisations.restore": {EVERYBODY},
    "sources.restore": {ALICE},
    "channels.save": {ALICE},
    "messages.add": {ALICE},
    "facts.apply": {SHOP},
    "sources.begin": {ALICE},
    "sources.decide": {SHOP},
    "messages.reassign": {ALICE, BOB},
    "sources.reassign": {ALICE, BOB},
    "search.disown": {BOB},
    "sources.remove": {SHOP, ALICE},
    "sources.save": {ALICE},
    "sources.forget": {ALICE},
    "contradictions.save": {SHOP},
    "ageing.forget_messages_before": {BOB},
    "sources.remove_messages": {SHOP, ALICE},
    "channels.delete": {ALICE},
    "vectors.put": {SHOP},
    "people.delete": {EVERYBODY},
    "stores.delete": {EVERYBODY},
    "organisations.save": {EVERYBODY},
    "rules.add": {EVERYBODY},
    "ageing.retune": {SHOP},
}
"""What each way of writing in `WRITES` raises; the others touch nothing that a reader is served.

`sources.remove_said_by` and `messages.delete` find nothing left here; the contract tries them.
"""


@contextmanager
def spoken(engine: AsyncEngine) -> Iterator[list[str]]:
    """The statements that the engine sends meanwhile."""
    said: list[str] = []

    def hear(*told: object) -> None:
        said.append(str(told[2]))

    event.listen(engine.sync_engine, "before_cursor_execute", hear)
    try:
        yield said
    finally:
        event.remove(engine.sync_engine, "before_cursor_execute", hear)


async def numbers(superuser: AsyncEngine, org_id: str) -> dict[str, int]:
    query = text("select shelf, number from generations where org_id = :org")
    async with superuser.connect() as connection:
        return {shelf: int(number) for shelf, number in await connection.execute(query, {"org": org_id})}


@pytest.fixture
def storage(serving: AsyncEngine) -> PostgresStorage:
    return PostgresStorage(serving, b"pepper")


async def test_each_way_of_writing_raises_what_it_changes_last_of_all(
    storage: PostgresStorage, serving: AsyncEngine, superuser: AsyncEngine, orgs: Orgs
) -> None:
    ours, theirs = orgs
    others = await numbers(superuser, theirs)
    assert RAISED.keys() <= WRITES.keys()
    for name, write in WRITES.items():
        before = await numbers(superuser, ours.org_id)
        with spoken(serving) as said:
            async with storage.transaction(ours) as uow:
                await write(uow)
        after = await numbers(superuser, ours.org_id)
        moved = {shelf for shelf, number in after.items() if number != before.get(shelf, 0)}
        assert moved == RAISED.get(name, set()), name
        assert all(after[shelf] > before.get(shelf, 0) for shelf in moved), name
        raising = [place for place, statement in enumerate(said) if "raise_generations" in statement]
        assert raising == ([len(said) - 1] if moved else []), name
    assert await numbers(superuser, theirs) == others


async def test_all_parts_of_a_transaction_raise_once(
    storage: PostgresStorage, serving: AsyncEngine, orgs: Orgs
) -> None:
    with spoken(serving) as said:
        async with storage.transaction(orgs[0]) as uow:
            for about in (OrgSubject(), StoreSubject("shop1"), UserSubject("alice")):
                async with uow.savepoint():
                    await uow.facts.apply([Change(None, replace(fact(20, about=about), id=uuid7()))], START)
    assert sum("raise_generations" in statement for statement in said) == 1
    assert "raise_generations" in said[-1]


async def test_what_is_rolled_back_raises_nothing(storage: PostgresStorage, superuser: AsyncEngine, orgs: Orgs) -> None:
    before = await numbers(superuser, orgs[0].org_id)
    with suppress(ZeroDivisionError):
        async with storage.transaction(orgs[0]) as uow:
            await WRITES["facts.apply"](uow)
            raise ZeroDivisionError
    assert await numbers(superuser, orgs[0].org_id) == before


async def test_a_number_does_not_come_back_with_whom_it_stood_for(
    storage: PostgresStorage, superuser: AsyncEngine, orgs: Orgs
) -> None:
    ours = orgs[0]
    seen = [await numbers(superuser, ours.org_id)]
    async with storage.transaction(ours) as uow:
        await uow.people.delete("alice")
        await uow.stores.delete("shop1")
    assert (await numbers(superuser, ours.org_id)).keys().isdisjoint({SHOP, ALICE})
    async with storage.transaction(ours) as uow:
        await uow.organisations.delete()
    assert await numbers(superuser, ours.org_id) == {}
    async with storage.transaction(ours) as uow:
        await uow.organisations.save(Organisation(ours.org_id, "again", START))
        await uow.stores.save(Store("shop1", "again", START))
        await uow.people.save(Person("alice", START))
    again = await numbers(superuser, ours.org_id)
    assert all(again[shelf] > seen[0][shelf] for shelf in (EVERYBODY, SHOP, ALICE))


async def test_writers_in_any_order_do_not_wait_in_a_ring(storage: PostgresStorage, orgs: Orgs) -> None:
    chance = Random(5)
    everywhere: list[Subject] = [OrgSubject(), StoreSubject("shop1"), UserSubject("alice"), UserSubject("bob")]

    async def write(order: list[Subject]) -> None:
        async with storage.transaction(orgs[0]) as uow:
            for about in order:
                await uow.facts.apply([Change(None, replace(fact(20, about=about), id=uuid7()))], START)

    await asyncio.gather(*(write(chance.sample(everywhere, len(everywhere))) for _ in range(40)))


@pytest.fixture
async def held(storage: PostgresStorage, orgs: Orgs) -> AsyncIterator[UnitOfWork]:
    """A transaction about the organisation's facts that is under way as long as the test."""
    async with storage.transaction(orgs[0]) as uow:
        await uow.facts.apply([Change(None, fact(30, about=OrgSubject()))], START)
        yield uow


async def test_a_writer_under_way_holds_up_no_other(storage: PostgresStorage, orgs: Orgs, held: UnitOfWork) -> None:
    """The numbers are held for the commit alone."""
    async with asyncio.timeout(5), storage.transaction(scope_of(orgs[0].org_id)) as uow:
        await uow.facts.apply([Change(None, fact(31, about=OrgSubject()))], START)
