"""Erasures and the ledger: what is closed is not there, and what was struck is nowhere."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.domain.erasures import (
    Erasure,
    ErasureKind,
    Extent,
    PlatformErasure,
    Thing,
    ThingKind,
    message_thing,
    person_thing,
)
from app.domain.errors import Conflict
from app.domain.idempotency import ERASED_ANSWER, Outcome
from app.domain.organisations import Person, Store
from app.domain.subjects import Scope
from app.domain.tenancy import TenantScope
from app.domain.values import JsonValue
from app.ports.facts import FactFilter
from app.ports.storage import Directory, Storage
from tests.contract.backends import Backend
from tests.postgres.furnished import ALL, ASKED, DONE, KEY, LATER, ONE, furnish
from tests.unit.memories import ME, START, said

PERSON, STORE = Extent(ErasureKind.PERSON, "alice"), Extent(ErasureKind.STORE, "shop1")
MEMORY, WHOLE = Extent(ErasureKind.MEMORY), Extent(ErasureKind.ORGANISATION)
NUMBER = UUID(int=77)


@pytest.fixture
async def scope(storage: Storage) -> TenantScope:
    """Of an organisation with something in every place."""
    scope = await furnish(storage, f"org-{uuid4().hex}")
    async with storage.transaction(scope) as uow:
        await uow.jobs.cancel([ONE], LATER)  # no worker of another test is to find it
    return scope


@pytest.fixture
def directory(backend: Backend) -> Directory:
    return backend.directory


def opened(extent: Extent) -> Erasure:
    return Erasure(NUMBER, extent, LATER)


async def everything(rows: AsyncIterator[Any]) -> list[Any]:
    return [row async for row in rows]


@pytest.mark.parametrize("extent", [PERSON, STORE, Extent(ErasureKind.SHARED), MEMORY], ids=lambda one: one.kind.value)
async def test_what_is_struck_place_by_place_is_nowhere(storage: Storage, scope: TenantScope, extent: Extent) -> None:
    async with storage.transaction(scope) as uow:
        before = await uow.erasures.size(extent, 1000)
        assert before > 0
        for place in uow.erasures.places:
            if place not in ("people", "stores"):
                while await uow.erasures.strike(place, extent, 2):
                    pass
        if extent.kind is ErasureKind.PERSON:
            await uow.people.delete("alice")
        if extent.kind is ErasureKind.STORE:
            await uow.stores.delete("shop1")
        assert await uow.erasures.size(extent, 1000) == await uow.erasures.remaining(extent) == 0
        assert await uow.erasures.messages(extent, 5) == []
        assert (await uow.people.get("bob")) is not None


async def test_striking_takes_no_more_than_it_is_told_and_says_how_many(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        struck = [await uow.erasures.strike("messages", MEMORY, 2) for _ in range(3)]
    assert struck == [2, 1, 0]


async def write_into(storage: Storage, scope: TenantScope, extent: Extent) -> None:
    async with storage.transaction(scope) as uow:
        if extent is PERSON:
            await uow.people.ensure(Person("alice", START))
        else:
            await uow.sources.add(KEY, said(50, "x", 0))


@pytest.mark.parametrize("extent", [PERSON, MEMORY, WHOLE], ids=lambda one: one.kind.value)
async def test_what_is_closed_is_not_there_and_takes_nothing(
    storage: Storage, scope: TenantScope, extent: Extent
) -> None:
    async with storage.transaction(scope) as uow:
        await uow.erasures.save(opened(extent))
    async with storage.transaction(scope) as uow:
        assert uow.erasures.closings.extents == {extent}
        assert await everything(uow.messages.everything("alice")) == []
        rows = (await uow.facts.page(FactFilter(Scope.USER, LATER, min_score=0.0), ALL)).items
        assert [one for one in rows if one.fact.ref.subject == ME] == []
    with pytest.raises(Conflict, match="erasing"):
        await write_into(storage, scope, extent)
    if extent is not WHOLE:
        async with storage.transaction(scope) as uow:
            await uow.erasures.save(replace(opened(extent), completed_at=LATER))
        async with storage.transaction(scope) as uow:
            assert not uow.erasures.closings
            assert len(await everything(uow.messages.everything("alice"))) == 3


async def test_a_closed_store_hides_what_is_of_it_and_nothing_else(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.erasures.save(opened(STORE))
    async with storage.transaction(scope) as uow:
        assert await uow.stores.get("shop1") is None
        assert await everything(uow.messages.everything(None)) == []
        assert len((await uow.facts.page(FactFilter(Scope.ORG, LATER, min_score=0.0), ALL)).items) == 1
        assert (await uow.facts.page(FactFilter(Scope.STORE, LATER, min_score=0.0), ALL)).items == []
        assert await uow.people.get("alice") is not None
        with pytest.raises(Conflict, match="erasing"):
            await uow.stores.ensure(Store("shop1", "again", START))


async def test_nobody_erases_twice_at_once(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.erasures.save(opened(PERSON))
    with pytest.raises(Conflict, match="erasing"):
        async with storage.transaction(scope) as uow:
            await uow.erasures.save(replace(opened(PERSON), receipt_id=UUID(int=78)))


async def test_a_receipt_is_read_by_whom_it_names_and_tells_of_its_kind_alone(
    storage: Storage, scope: TenantScope
) -> None:
    done = replace(opened(PERSON), erased={"facts": 3}, kept=(ASKED,), completed_at=LATER, searched=("facts",))
    async with storage.transaction(scope) as uow:
        await uow.erasures.save(done, [person_thing("alice")])
        assert await uow.erasures.get(NUMBER, "bob") is None
        kept = await uow.erasures.get(NUMBER, "alice")
        assert kept == replace(done, extent=Extent(ErasureKind.PERSON))
        await uow.messages.delete([ONE])
        assert await uow.erasures.get(NUMBER) == replace(done, extent=Extent(ErasureKind.PERSON), kept=())
        assert await uow.erasures.get(UUID(int=79)) is None


async def test_the_ledger_knows_things_by_their_hashes_and_the_latest_time(
    storage: Storage, scope: TenantScope
) -> None:
    gone, there = message_thing(replace(ASKED, message_id="gone")), message_thing(ASKED)
    async with storage.transaction(scope) as uow:
        await uow.ledger.add([gone, person_thing("carl")], START)
        await uow.ledger.add([gone], LATER)
        await uow.ledger.add([gone], START)
        await uow.ledger.add([], START)
    async with storage.transaction(scope) as uow:
        assert dict(await uow.ledger.among([gone, there, person_thing("carl")])) == {
            gone: LATER,
            person_thing("carl"): START,
        }
        lines = await everything(uow.ledger.everything())
        assert {line.digest: line.at for line in lines if line.digest == uow.ledger.digest(gone)} == {
            uow.ledger.digest(gone): LATER
        }
        await uow.ledger.restore([replace(line, at=LATER + timedelta(days=1)) for line in lines])
        assert (await uow.ledger.among([gone]))[gone] == LATER + timedelta(days=1)


async def test_answers_that_name_them_are_forgotten(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        answers: tuple[tuple[bytes, JsonValue], ...] = (
            (b"one", {"id": "carl"}),
            (b"two", {"id": "carla"}),
            (b"three", ["x", "carl"]),
        )
        for key, answer in answers:
            claim = replace(DONE, key=key)
            await uow.idempotency.claim(claim)
            await uow.idempotency.finish(claim, Outcome(200, answer))
        assert await uow.erasures.forget_answers(["carl"]) == 2
        assert await uow.erasures.forget_answers(["carl"]) == 0
        kept = await uow.idempotency.claim(replace(DONE, key=b"one"))
        assert kept is not None
        assert kept.outcome == Outcome(200, ERASED_ANSWER)


async def test_what_outlives_the_organisation_is_summed_up(
    storage: Storage, directory: Directory, scope: TenantScope
) -> None:
    thing = Thing(ThingKind.ORGANISATION, (scope.org_id,))
    number = uuid4()
    one = PlatformErasure(number, ErasureKind.ORGANISATION, START)
    async with storage.transaction(scope) as uow:
        await uow.erasures.tell_platform(one, thing, 2)
    found = await directory.find_erasure(number)
    assert found is not None
    assert (found.completed_at, found.digest) == (None, directory.erased_digest(thing))
    for at, counts in ((LATER, {"facts": 2}), (LATER, {"facts": 1, "jobs": 4})):
        async with storage.transaction(scope) as uow:
            await uow.erasures.tell_platform(replace(one, erased=counts, completed_at=at), thing, -1)
    found = await directory.find_erasure(number)
    assert found is not None
    assert (found.erased, found.completed_at, found.remaining) == ({"facts": 3, "jobs": 4}, LATER, 0)
    assert found in await directory.erasures(1000)
