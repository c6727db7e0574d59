"""The organisation and its stores, people, channel links and keys."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.domain.errors import Conflict
from app.domain.organisations import (
    ApiKey,
    ChannelLink,
    Language,
    Organisation,
    OrgSettings,
    Person,
    ShareMessages,
    Store,
)
from app.domain.tenancy import Role, TenantScope
from app.ports.paging import PageRequest
from app.ports.storage import Storage, UnitOfWork
from tests.contract.scopes import scope_of, walked
from tests.unit.memories import START, day

SETTINGS = OrgSettings(False, Language.ENGLISH, "America/Montreal", ShareMessages.STORE)


async def test_an_organisation_is_made_changed_and_removed(storage: Storage, scope: TenantScope) -> None:
    changed = Organisation(scope.org_id, "Élan & fils", day(3), SETTINGS, 7)
    async with storage.transaction(scope) as uow:
        await uow.organisations.save(changed)
    async with storage.transaction(scope) as uow:
        assert await uow.organisations.get() == replace(changed, created_at=START)
        await uow.organisations.delete()
    async with storage.transaction(scope) as uow:
        assert await uow.organisations.get() is None
        assert await uow.stores.get("shop1") is None
        assert (await uow.people.page(PageRequest())).items == []


async def test_nothing_is_written_into_an_organisation_that_is_not_there(storage: Storage) -> None:
    nowhere = scope_of(f"nowhere-{uuid4().hex}")

    async def write() -> None:
        async with storage.transaction(nowhere) as uow:
            await uow.stores.ensure(Store("shop1", "Shop", START))

    with pytest.raises(Conflict):
        await write()


async def test_a_store_is_saved_or_only_ensured(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.stores.ensure(Store("shop1", "ignored", day(1), "Asia/Tokyo"))
        await uow.stores.ensure(Store("shop3", "made", day(1), "Asia/Tokyo"))
        await uow.stores.save(Store("shop2", "changed", day(1), "UTC"))
        await uow.stores.delete("nowhere")
    async with storage.transaction(scope) as uow:
        assert (await uow.stores.page(PageRequest(with_total=True))).items == [
            Store("shop1", "shop1", START),
            Store("shop2", "changed", START, "UTC"),
            Store("shop3", "made", day(1), "Asia/Tokyo"),
        ]


async def test_a_person_is_saved_or_only_ensured(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        await uow.people.ensure(Person("alice", day(1), None, "ignored"))
        await uow.people.ensure(Person("dora", day(1)))
        await uow.people.save(Person("bob", day(1), Role.OWNER, "Bob", False, "Europe/Paris"))
        await uow.people.delete("nobody")
        assert await uow.people.lock_owners() == {"alice", "bob"}
    async with storage.transaction(scope) as uow:
        assert (await uow.people.page(PageRequest())).items == [
            Person("alice", START, Role.OWNER),
            Person("bob", START, Role.OWNER, "Bob", False, "Europe/Paris"),
            Person("carl", START, Role.MEMBER),
            Person("dora", day(1)),
        ]
        assert await uow.people.get("nobody") is None


async def test_a_channel_link_is_made_moved_and_removed(storage: Storage, scope: TenantScope) -> None:
    link = ChannelLink("whatsapp", "33/6+00=", "bob", START, "shop1")
    async with storage.transaction(scope) as uow:
        await uow.channels.save(link)
        await uow.channels.save(replace(link, channel="sms", store_id=None))
        await uow.channels.save(replace(link, user_id="alice", created_at=day(1)))
    async with storage.transaction(scope) as uow:
        assert await uow.channels.get("whatsapp", "33/6+00=") == replace(link, user_id="alice")
        assert [one.channel for one in await uow.channels.of_person("bob")] == ["sms"]
        await uow.stores.delete("shop1")
        assert await uow.channels.of_person("alice") == [replace(link, user_id="alice", store_id=None)]
        assert await uow.channels.delete("sms", "33/6+00=")
        assert not await uow.channels.delete("sms", "33/6+00=")
        await uow.people.delete("alice")
        assert (await uow.channels.page(PageRequest())).items == []


@pytest.mark.parametrize("stranger", [{"user_id": "nobody"}, {"store_id": "nowhere"}])
async def test_a_channel_link_leads_to_somebody_who_is_there(
    storage: Storage, scope: TenantScope, stranger: dict[str, Any]
) -> None:
    async def write() -> None:
        async with storage.transaction(scope) as uow:
            await uow.channels.save(replace(ChannelLink("sms", "1", "bob", START), **stranger))

    with pytest.raises(Conflict):
        await write()


async def test_a_key_is_kept_without_what_makes_it_usable(storage: Storage, scope: TenantScope) -> None:
    limited = ApiKey(UUID(int=1), "one", Role.ADMIN, True, START, "alice", ("shop1",), (), day(9))
    plain = ApiKey(UUID(int=2), "two", Role.MEMBER, False, START, "alice")
    async with storage.transaction(scope) as uow:
        for key in (limited, plain):
            await uow.api_keys.add(key, uuid4().bytes)
    async with storage.transaction(scope) as uow:
        assert await uow.api_keys.get(limited.id) == limited
        assert (await uow.api_keys.page(PageRequest())).items == [plain, limited]
        await uow.api_keys.revoke(replace(limited, name="ignored", revoked_at=day(2)))
    async with storage.transaction(scope) as uow:
        assert await uow.api_keys.get(limited.id) == replace(limited, revoked_at=day(2))
        assert await uow.api_keys.get(uuid4()) is None


async def _make_stores(uow: UnitOfWork, names: list[str]) -> None:
    for name in names:
        await uow.stores.save(Store(name, name, START))


async def _make_people(uow: UnitOfWork, names: list[str]) -> None:
    for name in names:
        await uow.people.save(Person(name, START))


async def _make_links(uow: UnitOfWork, names: list[str]) -> None:
    for name in names:
        for channel in ("sms", "whatsapp"):
            await uow.channels.save(ChannelLink(channel, name, "bob", START))


Make = Callable[[UnitOfWork, list[str]], Awaitable[None]]


@pytest.mark.parametrize(
    ("make", "noun", "name"),
    [
        (_make_stores, "stores", lambda one: one.store_id),
        (_make_people, "people", lambda one: one.user_id),
        (_make_links, "channels", lambda one: (one.channel, one.address)),
    ],
)
async def test_pages_neither_skip_nor_repeat_while_rows_are_added(
    storage: Storage, scope: TenantScope, make: Make, noun: str, name: Callable[[Any], Any]
) -> None:
    before = [f"x{number:02}" for number in range(0, 40, 2)]
    later = iter(range(1, 40, 2))

    async def write(names: list[str]) -> None:
        async with storage.transaction(scope) as uow:
            await make(uow, names)

    async def read(request: PageRequest) -> Any:
        async with storage.transaction(scope) as uow:
            return await getattr(uow, noun).page(request)

    await write(before)
    whole = await walked(read, 200)
    seen = [name(one) for one in await walked(read, 3, lambda: write([f"x{next(later):02}"]))]
    assert seen == sorted(set(seen))
    assert {name(one) for one in whole} <= set(seen)
    assert (await read(PageRequest(1, with_total=True))).total > len(whole)


async def test_those_who_are_there_are_found_among_many(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        people = await uow.people.among({"alice", "bob", "nobody"})
        stores = await uow.stores.among({"shop2", "nowhere"})
        assert await uow.people.among(frozenset()) == []
        assert await uow.stores.among(frozenset()) == []
        assert sorted(people, key=lambda one: one.user_id) == [await uow.people.get(one) for one in ("alice", "bob")]
        assert stores == [await uow.stores.get("shop2")]
