"""The audit trail: it comes back as told, its words can be erased, and each reader sees what is theirs to see."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings

from app.domain.errors import Conflict
from app.domain.events import Change, EventKind, MemoryEvent, event
from app.domain.identifiers import uuid7
from app.domain.subjects import Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Actor, ActorType, TenantScope
from app.ports.events import EventFilter
from app.ports.paging import PageRequest
from app.ports.storage import Storage
from tests.contract.scopes import gathered, walked
from tests.contract.strategies import events
from tests.unit.memories import ALICE, COMPANY, ME, SHOP, START, day, fact

WILD = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
BOB, CARL, EVE = (Actor(ActorType.PERSON, name) for name in ("bob", "carl", "eve"))
BOBS, SHOP2 = UserSubject("bob"), StoreSubject("shop2")
WORKER, KEY = Actor(ActorType.WORKER, "worker"), Actor(ActorType.KEY, str(UUID(int=7)))
WHOLE = EventFilter(unveiled=True)


def told(
    actor: Actor,
    subject: Subject | None,
    kind: EventKind = EventKind.CREATED,
    at: float = 0,
    fact_id: int | None = None,
) -> MemoryEvent:
    named = UUID(int=fact_id) if fact_id else None
    return event(kind, actor, day(at), subject=subject, fact_id=named, new=f"words about {subject}")


async def append(storage: Storage, scope: TenantScope, *made: MemoryEvent) -> None:
    async with storage.transaction(scope) as uow:
        await uow.events.append(made)


async def read(storage: Storage, scope: TenantScope, wanted: EventFilter) -> list[MemoryEvent]:
    """The same by page and as a stream."""
    async with storage.transaction(scope) as uow:
        page = await uow.events.page(wanted, PageRequest(200, with_total=True))
        assert page.total == len(page.items)
        assert await gathered(uow.events.everything(wanted)) == list(page.items)[::-1]
    return list(page.items)


@WILD
@given(wild=events())
async def test_every_field_comes_back(storage: Storage, scope: TenantScope, wild: MemoryEvent) -> None:
    wild = replace(wild, id=uuid7())
    await append(storage, scope, wild)
    assert wild in await read(storage, scope, WHOLE)


async def test_an_event_is_appended_once_and_only_where_there_is_an_organisation(
    storage: Storage, scope: TenantScope
) -> None:
    one = told(ALICE, COMPANY)
    await append(storage, scope, one)
    await append(storage, scope)
    for refused, where in ((one, scope), (told(ALICE, None), replace(scope, org_id=f"none-{uuid4().hex}"))):
        with pytest.raises(Conflict):
            await append(storage, where, refused)
    assert await read(storage, scope, WHOLE) == [one]


async def test_words_can_be_erased_and_the_event_stays(storage: Storage, scope: TenantScope) -> None:
    first, second, other = (told(ALICE, SHOP, fact_id=number) for number in (1, 1, 2))
    await append(storage, scope, first, second, other)
    async with storage.transaction(scope) as uow:
        assert await uow.events.erase_values([UUID(int=1), UUID(int=9)]) == 2
        assert await uow.events.erase_values([UUID(int=1)]) == 0
        assert await uow.events.erase_values([]) == 0
    assert await read(storage, scope, WHOLE) == [other, replace(second, values=None), replace(first, values=None)]


async def test_who_is_gone_has_no_name_any_more_nor_has_who_comes_after(storage: Storage, scope: TenantScope) -> None:
    by, about, of_shop = told(BOB, COMPANY), told(ALICE, BOBS), told(ALICE, SHOP)
    await append(storage, scope, by, about, of_shop, told(EVE, UserSubject("eve")))
    async with storage.transaction(scope) as uow:
        person, store = await uow.people.get("bob"), await uow.stores.get("shop1")
        assert person is not None
        assert store is not None
        await uow.people.delete("bob")
        await uow.stores.delete("shop1")
        await uow.people.save(person)
        await uow.stores.save(store)
    named = [(one.actor, one.subject, one.scope) for one in await read(storage, scope, WHOLE)]
    assert named == [
        (None, None, Scope.USER),
        (ALICE, None, Scope.STORE),
        (ALICE, None, Scope.USER),
        (None, COMPANY, Scope.ORG),
    ]


SEEN: list[tuple[str, MemoryEvent, dict[str | None, tuple[bool, bool]]]] = [
    # What happened, and to whom it shows (its subject and words, its actor).
    ("an operator on the shop", told(CARL, SHOP), {None: (True, True), "alice": (True, True), "bob": (True, True)}),
    ("a contact on the shop", told(BOB, SHOP), {None: (True, False), "alice": (True, False), "bob": (True, True)}),
    ("about no fact", told(CARL, None), {None: (True, True), "bob": (True, True)}),
    ("one's own", told(ALICE, ME), {None: (False, False), "alice": (True, True), "carl": (False, False)}),
    ("a contact's own", told(BOB, BOBS), {None: (False, False), "alice": (False, False), "bob": (True, True)}),
    ("an operator on a contact", told(CARL, BOBS), {None: (False, True), "alice": (False, True), "bob": (True, True)}),
    ("the worker on a person", told(WORKER, ME), {None: (False, True), "alice": (True, True), "bob": (False, True)}),
    ("a key on the shop", told(KEY, SHOP), {None: (True, True), "bob": (True, True)}),
    (
        "a skipped turn",
        told(CARL, None, EventKind.TURN_SKIPPED),
        {None: (True, False), "alice": (True, False), "carl": (True, True)},
    ),
]


@pytest.mark.parametrize(("what", "happened", "readers"), SEEN, ids=[what for what, _, _ in SEEN])
async def test_each_reader_sees_what_is_theirs(
    storage: Storage, scope: TenantScope, what: str, happened: MemoryEvent, readers: dict[str | None, tuple[bool, bool]]
) -> None:
    await append(storage, scope, happened)
    assert await read(storage, scope, WHOLE) == [happened]
    for reader, (says, names) in readers.items():
        shown = happened if says else replace(happened, subject=None, values=None)
        expected = shown if names else replace(shown, actor=None)
        assert await read(storage, scope, EventFilter(reader=reader)) == [expected], (what, reader)


async def test_what_is_hidden_cannot_be_filtered_by(storage: Storage, scope: TenantScope) -> None:
    await append(storage, scope, told(BOB, BOBS), told(CARL, None, EventKind.TURN_SKIPPED))
    for hidden in ({"subject": BOBS}, {"actor": "bob"}, {"actor": "carl"}):
        assert await read(storage, scope, EventFilter(reader="alice", **hidden)) == [], hidden
        assert await read(storage, scope, EventFilter(**hidden)) == [], hidden
    assert len(await read(storage, scope, EventFilter(reader="bob", subject=BOBS, actor="bob"))) == 1


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, [0, 1, 2, 3, 4, 5]),
        ({"fact_id": UUID(int=2)}, [1]),
        ({"kind": EventKind.PINNED}, [2, 3]),
        ({"actor": "carl"}, [1, 2]),
        ({"actor": KEY.id}, [3]),
        ({"actor": "nobody"}, []),
        ({"since": day(2)}, [2, 3, 4, 5]),
        ({"until": day(2)}, [0, 1]),
        ({"since": day(1), "until": day(3)}, [1, 2]),
        ({"scope": Scope.ORG}, [0, 4]),
        ({"scope": Scope.STORE}, [1, 2, 3]),
        ({"scope": Scope.USER}, [5]),
        ({"subject": SHOP}, [1, 3]),
        ({"subject": COMPANY}, [0]),
        ({"subject": ME}, [5]),
        ({"stores": frozenset({"shop2"})}, [0, 2, 4, 5]),
        ({"stores": frozenset()}, [0, 4, 5]),
        ({"agents": frozenset({"maya"})}, [0, 1, 4]),
        ({"agents": frozenset()}, [0, 4]),
        ({"kind": EventKind.PINNED, "subject": SHOP2, "until": day(9)}, [2]),
    ],
)
async def test_each_filter_lets_through_what_it_says(
    storage: Storage, scope: TenantScope, chosen: dict[str, Any], expected: list[int]
) -> None:
    happened = [
        told(ALICE, COMPANY, EventKind.CREATED, 0, 1),
        told(CARL, SHOP, EventKind.CREATED, 1, 2),
        told(CARL, SHOP2, EventKind.PINNED, 2, 3),
        told(KEY, SHOP, EventKind.PINNED, 3, 4),
        told(WORKER, None, EventKind.SETTINGS_CHANGED, 4),
        told(ALICE, ME, EventKind.UPDATED, 5, 5),
    ]
    rows = [fact(1, about=COMPANY), fact(2, agent_id="maya"), fact(3, about=SHOP2, agent_id="otis")]
    async with storage.transaction(scope) as uow:
        await uow.facts.apply([Change(None, row) for row in rows], START)
    await append(storage, scope, *happened)
    found = await read(storage, scope, EventFilter(reader="alice", **chosen))
    assert [happened.index(one) for one in found] == expected[::-1]


async def test_pages_neither_skip_nor_repeat_while_events_are_added(storage: Storage, scope: TenantScope) -> None:
    happened = [told(ALICE, COMPANY) for _ in range(20)]
    await append(storage, scope, *happened)

    async def page(request: PageRequest) -> Any:
        async with storage.transaction(scope) as uow:
            return await uow.events.page(WHOLE, request)

    assert await walked(page, 3, lambda: append(storage, scope, told(ALICE, COMPANY))) == happened[::-1]
