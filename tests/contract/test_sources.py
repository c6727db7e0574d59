"""The entries of the folds: kept as they were said, once each, and forgotten when asked."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings

from app.domain.errors import Conflict
from app.domain.sources import Entry, MessageRef, Source, Verdict
from app.domain.subjects import KeyRef, Scope, StoreSubject, UserSubject
from app.domain.tenancy import ATLAS, Actor, ActorType, TenantScope
from app.ports.storage import Storage
from tests.contract.scopes import gathered
from tests.contract.strategies import decisions, refs, sources
from tests.unit.memories import COMPANY, ME, SHIPPING, SHOP, decided, said, wrote

WILD = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
BOB = Actor(ActorType.PERSON, "bob")
OWN = replace(SHIPPING, subject=ME)
COMPANY_S = replace(SHIPPING, subject=COMPANY)


def ids(entries: Sequence[Entry]) -> set[int]:
    return {entry.id.int for entry in entries}


async def keep(storage: Storage, scope: TenantScope, entries: dict[KeyRef, list[Entry]]) -> None:
    async with storage.transaction(scope) as uow:
        for ref, listed in entries.items():
            for entry in listed:
                if isinstance(entry, Source):
                    assert await uow.sources.add(ref, entry)
                else:
                    await uow.sources.decide(ref, entry)


@WILD
@given(ref=refs, source=sources, decision=decisions)
async def test_every_field_comes_back(storage: Storage, scope: TenantScope, ref: KeyRef, **entries: Entry) -> None:
    source, decision = entries["source"], entries["decision"]
    await keep(storage, scope, {ref: [source, decision]})
    async with storage.transaction(scope) as uow:
        assert await uow.sources.entries(ref) == [source, decision]
        kind = ref.subject.scope
        assert await gathered(uow.sources.everything(kind, ref.subject)) == [(ref, source)]
        assert await gathered(uow.sources.all_decisions(kind, None)) == [(ref, decision)]
        await uow.sources.remove(ref, [source.id, decision.fact_id])  # type: ignore[union-attr]
    async with storage.transaction(scope) as uow:
        assert await uow.sources.entries(ref) == []


@pytest.mark.parametrize("ref", [SHIPPING, OWN, COMPANY_S])
async def test_a_message_states_a_value_for_a_key_once(storage: Storage, scope: TenantScope, ref: KeyRef) -> None:
    first = said(1, "60 €", 0)
    again = replace(said(2, "80 €", 1), message=first.message)
    elsewhere = [replace(ref, agent_id="maya"), replace(ref, key="other"), replace(ref, subject=UserSubject("bob"))]
    async with storage.transaction(scope) as uow:
        assert await uow.sources.add(ref, first)
        assert not await uow.sources.add(ref, first)
        assert not await uow.sources.add(ref, again)
        for number, other in enumerate(elsewhere, 3):
            assert await uow.sources.add(other, replace(again, id=UUID(int=number)))
        assert await uow.sources.add(ref, said(9, "60 €", 0))
    async with storage.transaction(scope) as uow:
        assert ids(await uow.sources.entries(ref)) == {1, 9}
        assert not await uow.sources.add(ref, again)


async def test_where_a_key_holds_many_a_message_states_each_value_once(storage: Storage, scope: TenantScope) -> None:
    talk = MessageRef("talk", "m1", "web")
    stated = [said(number, value, 0, many=True) for number, value in enumerate(("Colissimo", "COLISSIMO", "DHL"), 1)]
    async with storage.transaction(scope) as uow:
        new = [await uow.sources.add(SHIPPING, replace(source, message=talk)) for source in stated]
    assert new == [True, False, True]


async def test_what_is_written_by_hand_counts_each_time(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, {SHIPPING: [wrote(1, "60 €", 0), wrote(2, "60 €", 0)]})
    async with storage.transaction(scope) as uow:
        assert ids(await uow.sources.entries(SHIPPING)) == {1, 2}


async def test_a_decision_is_kept_once_and_belongs_to_somebody(storage: Storage, scope: TenantScope) -> None:
    pinned, strangers = decided(Verdict.PIN, 1, 0), replace(OWN, subject=UserSubject("nobody"))
    await keep(storage, scope, {SHIPPING: [pinned]})
    for ref, decision in ((SHIPPING, pinned), (strangers, decided(Verdict.PIN, 2, 0))):
        with pytest.raises(Conflict):
            await keep(storage, scope, {ref: [decision]})


async def test_looks_by_message_by_author_and_by_subject(storage: Storage, scope: TenantScope) -> None:
    talk = MessageRef("talk", "m1", "web")
    await keep(
        storage,
        scope,
        {
            SHIPPING: [said(1, "60 €", 0), replace(said(2, "70 €", 0), author=BOB)],
            OWN: [replace(said(3, "vouvoiement", 0), message=talk)],
            COMPANY_S: [replace(said(4, "Paris", 0), author=BOB)],
            replace(OWN, subject=UserSubject("bob")): [wrote(5, "tutoiement", 0)],
        },
    )
    async with storage.transaction(scope) as uow:
        assert set(await uow.sources.refs_of([talk])) == {SHIPPING, OWN}
        assert set(await uow.sources.refs_of([MessageRef("talk", "m2", "sms"), MessageRef("other", "m1", "web")])) == {
            SHIPPING
        }
        assert await uow.sources.refs_of([]) == []
        assert await uow.sources.messages_of([]) == []
        assert await uow.sources.messages_of([UUID(int=3), UUID(int=5)]) == [talk]
        assert set(await uow.sources.refs_said_by("bob")) == {SHIPPING, COMPANY_S}
        assert set(await uow.sources.refs_said_by("alice")) == {SHIPPING}
        assert await uow.sources.refs_about("alice") == [OWN]


async def test_removing_takes_what_was_named_and_nothing_else(storage: Storage, scope: TenantScope) -> None:
    talk = MessageRef("talk", "m1", "web")
    other_key = replace(SHIPPING, key="other")
    await keep(
        storage,
        scope,
        {
            SHIPPING: [said(1, "60 €", 0), said(2, "80 €", 1), decided(Verdict.PIN, 1, 1), decided(Verdict.PIN, 2, 1)],
            other_key: [replace(said(3, "Paris", 0), message=talk, author=BOB)],
            OWN: [replace(said(4, "x", 0), author=BOB)],
        },
    )
    async with storage.transaction(scope) as uow:
        await uow.sources.remove(SHIPPING, [UUID(int=1), UUID(int=3)])
        left = await uow.sources.entries(SHIPPING)
        assert [entry.id.int if isinstance(entry, Source) else entry.fact_id.int for entry in left] == [2, 2]
        await uow.sources.remove_messages([MessageRef("talk", "m2", "web")])
        await uow.sources.remove_messages([])
        assert [type(entry).__name__ for entry in await uow.sources.entries(SHIPPING)] == ["Decision"]
        assert await uow.sources.remove_said_by("bob", [SHIPPING, other_key, OWN]) == [UUID(int=3)]
        assert await uow.sources.remove_said_by("bob", [SHIPPING, other_key, OWN]) == []
        assert await uow.sources.entries(other_key) == []
        assert ids(await uow.sources.entries(OWN)) == {4}


async def test_everything_of_a_scope_comes_in_order_of_id(storage: Storage, scope: TenantScope) -> None:
    shop2 = replace(SHIPPING, subject=StoreSubject("shop2"))
    await keep(
        storage,
        scope,
        {
            SHIPPING: [said(3, "c", 0), said(1, "a", 1), decided(Verdict.PIN, 1, 1)],
            shop2: [said(2, "b", 0), decided(Verdict.PIN, 2, 0)],
            OWN: [said(4, "d", 0)],
        },
    )
    async with storage.transaction(scope) as uow:
        every = await gathered(uow.sources.everything(Scope.STORE, None))
        assert [(ref, source.id.int) for ref, source in every] == [(SHIPPING, 1), (shop2, 2), (SHIPPING, 3)]
        assert [ref for ref, _ in await gathered(uow.sources.everything(Scope.STORE, SHOP))] == [SHIPPING, SHIPPING]
        assert [ref for ref, _ in await gathered(uow.sources.all_decisions(Scope.STORE, None))] == [shop2, SHIPPING]
        assert await gathered(uow.sources.all_decisions(Scope.STORE, StoreSubject("none"))) == []
        assert len(await gathered(uow.sources.everything(Scope.USER, ME))) == 1


async def test_an_heir_takes_over_what_is_about_a_person_and_said_by_them(storage: Storage, scope: TenantScope) -> None:
    mine: list[Entry] = [replace(said(1, "a", 0), author=BOB), replace(decided(Verdict.PIN, 1, 0), author=BOB)]
    await keep(storage, scope, {replace(OWN, subject=UserSubject("bob")): [*mine, said(2, "b", 0)]})
    async with storage.transaction(scope) as uow:
        await uow.sources.reassign("bob", "carl")
    async with storage.transaction(scope) as uow:
        assert await uow.sources.refs_about("bob") == []
        entries = await uow.sources.entries(KeyRef(UserSubject("carl"), ATLAS, SHIPPING.key))
        assert sorted(entry.author.id for entry in entries) == ["alice", "carl", "carl"]


async def test_a_deleted_subject_takes_its_entries_with_it(storage: Storage, scope: TenantScope) -> None:
    entries: dict[KeyRef, list[Entry]] = {
        ref: [said(number, "x", 0), decided(Verdict.PIN, number, number)]
        for number, ref in enumerate((SHIPPING, OWN, COMPANY_S), 1)
    }
    await keep(storage, scope, entries)
    async with storage.transaction(scope) as uow:
        await uow.people.delete("alice")
        await uow.stores.delete("shop1")
    async with storage.transaction(scope) as uow:
        assert [len(await uow.sources.entries(ref)) for ref in (SHIPPING, OWN, COMPANY_S)] == [0, 0, 2]


async def test_what_crosses_two_keys_is_found_by_the_row_it_names(storage: Storage, scope: TenantScope) -> None:
    other = {"other": str(UUID(int=9)), "key": "another"}
    elsewhere = replace(SHIPPING, key="another")
    entries: dict[KeyRef, list[Entry]] = {
        SHIPPING: [decided(Verdict.OVERTAKE, 1, 1, **other), decided(Verdict.MERGE, 1, 2, into=other["other"])],
        elsewhere: [decided(Verdict.OPPOSE, 2, 3, other=str(UUID(int=1)), key=SHIPPING.key, newer=True)],
        OWN: [decided(Verdict.OPPOSE, 3, 4, newer=False, **other)],
        replace(SHIPPING, agent_id="maya"): [decided(Verdict.OPPOSE, 4, 5, newer=False, **other)],
    }
    await keep(storage, scope, entries)
    async with storage.transaction(scope) as uow:
        found = await uow.sources.crossing(ATLAS, [UUID(int=9), UUID(int=8)])
        assert sorted((ref.key, one.fact_id.int) for ref, one in found) == [(SHIPPING.key, 1), (OWN.key, 3)]
        assert [ref for ref, _ in await uow.sources.crossing(ATLAS, [UUID(int=1)])] == [elsewhere]
        assert await uow.sources.crossing(ATLAS, []) == []
