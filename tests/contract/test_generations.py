"""Generations, as the directory tells them: whatever changes what somebody is served moves theirs, and no other's."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import uuid4

import pytest

from app.domain.decay import Tier
from app.domain.events import Change
from app.domain.generations import Generations
from app.domain.messages import Message, Speaker
from app.domain.organisations import ChannelLink, Organisation, Person, Store
from app.domain.rules import Rules
from app.domain.sources import MessageRef
from app.domain.subjects import KeyRef, OrgSubject, Scope, StoreSubject, UserSubject
from app.domain.tenancy import ATLAS, Role, TenantScope
from app.domain.tiers import TierRule
from app.ports.storage import UnitOfWork
from tests.contract.backends import Backend
from tests.contract.scopes import scope_of
from tests.unit.memories import ALICE, START, fact, said
from tests.unit.observed import id_at, observed

QUICK = dict.fromkeys(Tier, TierRule(9.0, 9))
ASKED = MessageRef("talk", "m1", "web")
FACTS = {
    "organisation": fact(1, about=OrgSubject()),
    "store": fact(2, about=StoreSubject("shop1")),
    "person": fact(3, about=UserSubject("alice")),
}
KEYS = {place: KeyRef(one.ref.subject, ATLAS, "said") for place, one in FACTS.items()}


def message(user_id: str = "alice") -> Message:
    names = ASKED.conversation_id, ASKED.message_id, ASKED.channel
    return Message(id_at(), *names, Speaker.USER, "hello", START, None, user_id, None, ATLAS, START)


async def _rename(uow: UnitOfWork) -> None:
    organisation = await uow.organisations.get()
    assert organisation is not None
    await uow.organisations.save(replace(organisation, name="changed"))


Write = Callable[[UnitOfWork], Awaitable[object]]


def _applied(change: Change) -> Write:
    return lambda uow: uow.facts.apply([change], START)


MOVES: dict[str, tuple[set[str], Write]] = {
    "the organisation changes": ({"organisation"}, _rename),
    "rules are written": ({"organisation"}, lambda uow: uow.rules.add(Rules(1, "# Rules", ALICE, START))),
    "a tier fades otherwise": ({"store"}, lambda uow: uow.ageing.retune(Scope.STORE, QUICK, 5)),
    "a store changes": ({"store"}, lambda uow: uow.stores.save(Store("shop1", "changed", START))),
    "another store changes": (set(), lambda uow: uow.stores.save(Store("shop2", "changed", START))),
    "a store goes": ({"organisation"}, lambda uow: uow.stores.delete("shop2")),
    "a role changes": ({"person"}, lambda uow: uow.people.save(Person("alice", START, Role.MEMBER))),
    "another person changes": (set(), lambda uow: uow.people.save(Person("bob", START, Role.MEMBER))),
    "a person goes": ({"organisation"}, lambda uow: uow.people.delete("bob")),
    "who is there already is named": (set(), lambda uow: uow.people.ensure(Person("alice", START))),
    "an address is linked": (
        {"person"},
        lambda uow: uow.channels.save(ChannelLink("sms", "336", "alice", START, "shop1")),
    ),
    "an address is let go": ({"person"}, lambda uow: uow.channels.delete("whatsapp", "337")),
    "something is said": (
        {"person"},
        lambda uow: uow.messages.add([replace(message(), id=id_at(number=9), message_id="m9")]),
    ),
    "it is said again": (set(), lambda uow: uow.messages.add([message()])),
    "it is erased": ({"person"}, lambda uow: uow.messages.delete([id_at()])),
    "it has had its time": ({"person"}, lambda uow: uow.ageing.forget_messages_before(START.replace(year=2040), 5)),
    "it is quoted no more": ({"person"}, lambda uow: uow.search.disown([id_at()])),
    "it becomes another's": ({"person"}, lambda uow: uow.messages.reassign("alice", "bob", None)),
    "what was stated is taken back": (
        {"organisation", "store", "person"},
        lambda uow: uow.sources.remove_messages([ASKED]),
    ),
    "what somebody stated is taken back": (
        {"organisation", "store", "person"},
        lambda uow: uow.sources.remove_said_by("alice", list(KEYS.values())),
    ),
    "something is observed": (set(), lambda uow: uow.observations.add([observed(number=4)])),
    "somebody is served": (set(), lambda uow: uow.ageing.mark_seen([FACTS["store"].id], START)),
    **{
        f"a fact of the {place} {what}": ({place}, _applied(Change(one, after)))
        for place, one in FACTS.items()
        for what, after in {"changes": replace(one, content="changed"), "goes": None}.items()
    },
}


@pytest.fixture
async def furnished(backend: Backend, scope: TenantScope) -> TenantScope:
    async with backend.storage.transaction(scope) as uow:
        await uow.channels.save(ChannelLink("whatsapp", "337", "alice", START))
        await uow.messages.add([message()])
        await uow.facts.apply([Change(None, one) for one in FACTS.values()], START)
        for number, ref in enumerate(KEYS.values(), 11):
            await uow.sources.add(ref, replace(said(number, "60", 0), message=ASKED))
    return scope


async def numbers(backend: Backend, scope: TenantScope) -> Generations:
    return await backend.directory.generations(scope.org_id, "shop1", "alice")


@pytest.mark.parametrize("name", MOVES)
async def test_a_write_moves_the_numbers_of_those_whom_it_touches(
    backend: Backend, furnished: TenantScope, name: str
) -> None:
    expected, write = MOVES[name]
    before = await numbers(backend, furnished)
    async with backend.storage.transaction(furnished) as uow:
        await write(uow)
    after = await numbers(backend, furnished)
    moved = {place for place in Generations.__slots__ if getattr(after, place) != getattr(before, place)}
    assert moved == expected
    assert all(getattr(after, place) > getattr(before, place) for place in expected)


async def test_nobody_knows_numbers_of_whom_is_not_there(backend: Backend, furnished: TenantScope) -> None:
    whole = await numbers(backend, furnished)
    ask = backend.directory.generations
    assert await ask(furnished.org_id, None, None) == Generations(whole.organisation)
    assert await ask(furnished.org_id, "nowhere", "nobody") == Generations(whole.organisation)
    assert await ask("nothing", "shop1", "alice") == Generations()


async def test_another_organisation_s_numbers_are_their_own(backend: Backend, furnished: TenantScope) -> None:
    before, theirs = await numbers(backend, furnished), scope_of(f"other-{uuid4().hex}")
    async with backend.storage.transaction(theirs) as uow:
        await uow.organisations.save(Organisation(theirs.org_id, "Other", START))
        await uow.stores.save(Store("shop1", "Theirs", START))
        await uow.people.save(Person("alice", START))
        await uow.facts.apply([Change(None, one) for one in FACTS.values()], START)
    assert await numbers(backend, furnished) == before
    assert await numbers(backend, theirs) != Generations()
