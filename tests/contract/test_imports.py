"""What imports ask of the repositories: records that wait, and things that are put back as they were."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from app.domain.events import Change, EventKind, event
from app.domain.export import Section
from app.domain.identifiers import uuid7
from app.domain.imports import Staged, Step
from app.domain.jobs import Job, JobKind
from app.domain.organisations import Person, Store
from app.domain.sources import Verdict
from app.domain.subjects import KeyRef
from app.domain.tenancy import ATLAS, Role, TenantScope
from app.ports.events import EventFilter
from app.ports.facts import FactRecord
from app.ports.storage import Storage
from tests.unit.memories import ALICE, ME, SHOP, START, decided, fact, said

LATER = START + timedelta(days=3)
KEY = KeyRef(SHOP, ATLAS, "shipping.free_from")


def waiting(seq: int, step: Step = Step.BELIEFS, place: str = "", **names: object) -> Staged:
    told = {"user_id": None, "said": f"Offert dès {seq} € « ça » \U0001f381", "n": 1.5}
    return replace(Staged(step, Section.SOURCES, seq, told, place), **names)  # type: ignore[arg-type]


@pytest.fixture
async def job_id(storage: Storage, scope: TenantScope) -> UUID:
    made = Job(uuid7(), JobKind.IMPORT, "import", {}, ALICE, START)
    async with storage.transaction(scope) as uow:
        await uow.jobs.add(made)
    return made.id


async def test_records_come_step_by_step_in_order_of_place_and_whole_places(
    storage: Storage, scope: TenantScope, job_id: UUID
) -> None:
    told = [
        waiting(1, place="b"),
        waiting(2, place="a"),
        waiting(3, place="b"),
        waiting(4, Step.EVENTS),
        waiting(5, Step.STORES),
        waiting(6, place="c"),
    ]
    async with storage.transaction(scope) as uow:
        await uow.imports.add(job_id, told)
    async with storage.transaction(scope) as uow:
        assert await uow.imports.next(job_id, 50) == [told[4]]
        beliefs = await uow.imports.next(job_id, 2, told[4])
        assert beliefs == [told[1], told[0], told[2]]
        assert await uow.imports.next(job_id, 50, beliefs[-1]) == [told[5]]
        assert await uow.imports.at(job_id, {"b", "z"}) == [told[0], told[2]]
        await uow.imports.remove(job_id, [1, 2, 3, 5, 6])
    async with storage.transaction(scope) as uow:
        assert await uow.imports.next(job_id, 50) == [told[3]]
        assert await uow.imports.next(uuid7(), 50) == []


async def test_what_a_record_names_is_kept_and_found_to_be_forgotten(
    storage: Storage, scope: TenantScope, job_id: UUID
) -> None:
    ids: dict[str, Any] = {"id": UUID(int=1), "fact_id": UUID(int=2), "store_id": "s"}
    ids |= {"conversation_id": "c", "message_id": "m"}
    told = [waiting(1, user_id="ana", **ids), waiting(2, author_id="ana"), waiting(3, user_id="bo")]
    async with storage.transaction(scope) as uow:
        await uow.imports.add(job_id, told)
        assert await uow.imports.next(job_id, 50) == told
        assert await uow.imports.forget_person("ana", uuid7()) == 0
        assert await uow.imports.forget_person("ana", job_id) == 2
        assert await uow.imports.next(job_id, 50) == told[2:]
        assert await uow.imports.forget_person("bo") == 1


async def test_people_and_stores_are_put_back_as_old_as_they_were(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        organisation = await uow.organisations.get()
        assert organisation is not None
        restored = replace(organisation, name="As it was", version=7, created_at=LATER)
        await uow.organisations.restore(restored)
        for store in (Store("shop1", "Old", LATER), Store("new", "New", LATER, "Europe/Rome")):
            await uow.stores.restore(store)
        for person in (Person("alice", LATER, Role.ADMIN, "Alice", False), Person("dana", LATER)):
            await uow.people.restore(person)
    async with storage.transaction(scope) as uow:
        assert await uow.organisations.get() == restored
        assert [await uow.stores.get(one) for one in ("shop1", "new")] == [
            Store("shop1", "Old", LATER),
            Store("new", "New", LATER, "Europe/Rome"),
        ]
        assert await uow.people.get("alice") == Person("alice", LATER, Role.ADMIN, "Alice", False)
        assert await uow.people.get("dana") == Person("dana", LATER)


async def test_entries_that_are_there_stay_and_new_ones_are_told(storage: Storage, scope: TenantScope) -> None:
    source, decision = said(1, "60 €", 0), decided(Verdict.PIN, 1, 1)
    async with storage.transaction(scope) as uow:
        assert await uow.sources.restore([(KEY, source), (KEY, decision)]) == {source.id, decision.id}
        assert await uow.sources.restore([(KEY, replace(source, content="other")), (KEY, decision)]) == frozenset()
        again = replace(source, id=uuid7())  # the same message states the same
        assert await uow.sources.restore([(KEY, again)] if source.message else []) == frozenset()
        assert sorted(map(str, await uow.sources.entries(KEY))) == sorted(map(str, [source, decision]))


async def test_lines_of_another_trail_are_added_once_with_their_words(storage: Storage, scope: TenantScope) -> None:
    told = event(EventKind.PINNED, ALICE, START, subject=ME, new={"n": 1})
    silent = replace(event(EventKind.DELETED, ALICE, START, subject=ME), values=None)
    async with storage.transaction(scope) as uow:
        assert await uow.events.restore([told, silent]) == 2
        assert await uow.events.restore([told, silent]) == 0
        found = {one.id: one async for one in uow.events.everything(EventFilter(unveiled=True))}
    assert (found[told.id], found[silent.id]) == (told, silent)


async def test_a_row_is_as_old_and_as_often_changed_as_it_is_told(storage: Storage, scope: TenantScope) -> None:
    rows = [fact(1, about=SHOP), fact(2, about=ME)]
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, row) for row in rows], START)
        await uow.facts.stamp([FactRecord(rows[0], LATER, 9, LATER, LATER), FactRecord(rows[1], LATER, 2)])
    async with storage.transaction(scope) as uow:
        assert await uow.facts.get(rows[0].ref.subject.scope, rows[0].id) == FactRecord(rows[0], LATER, 9, LATER)
        assert await uow.facts.get(rows[1].ref.subject.scope, rows[1].id) == FactRecord(rows[1], LATER, 2)
