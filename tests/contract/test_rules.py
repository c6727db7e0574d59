"""Rules are kept in every version, to the byte, and come with the organisation."""

import asyncio

import pytest

from app.domain.errors import Conflict
from app.domain.organisations import Person
from app.domain.rules import NO_RULES, Rules
from app.domain.tenancy import Actor, ActorType, Role, TenantScope
from app.ports.paging import PageRequest
from app.ports.storage import Storage
from tests.contract.scopes import gathered, walked
from tests.unit.memories import ALICE, START, day

CARL = Actor(ActorType.PERSON, "carl")
KEY = Actor(ActorType.KEY, "01936d2c-7c5a-7cc3-9f43-0b1de1f3a001")
ODD = "# Règles\r\n\t- « 60 € »\u2028\n\n  \n"


def rules(version: int, author: Actor = ALICE, markdown: str = ODD) -> Rules:
    return Rules(version, markdown, author, day(version))


async def keep(storage: Storage, scope: TenantScope, *versions: Rules) -> None:
    async with storage.transaction(scope) as uow:
        for version in versions:
            await uow.rules.add(version)


async def standing(storage: Storage, scope: TenantScope) -> Rules | None:
    async with storage.transaction(scope) as uow:
        found = await uow.organisations.with_rules()
        assert (found[0] if found else None) == await uow.organisations.get()
        return found[1] if found else None


async def test_the_latest_stands_and_none_is_version_nought(storage: Storage, scope: TenantScope) -> None:
    assert await standing(storage, scope) == NO_RULES
    await keep(storage, scope, rules(1), rules(2, KEY, ""))
    assert await standing(storage, scope) == rules(2, KEY, "")
    await keep(storage, scope, rules(3))
    assert await standing(storage, scope) == rules(3)


async def test_of_an_organisation_that_is_gone_there_is_nothing(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, rules(1))
    async with storage.transaction(scope) as uow:
        await uow.organisations.delete()
    assert await standing(storage, scope) is None
    async with storage.transaction(scope) as uow:
        assert await gathered(uow.rules.everything()) == []


async def test_versions_are_listed_newest_first_and_taken_away_oldest_first(
    storage: Storage, scope: TenantScope
) -> None:
    versions = [rules(number, (ALICE, CARL, KEY)[number % 3], f"v{number}") for number in range(1, 8)]
    await keep(storage, scope, *versions)
    async with storage.transaction(scope) as uow:
        assert await walked(uow.rules.page, 3) == versions[::-1]
        assert (await uow.rules.page(PageRequest(2, with_total=True))).total == 7
        assert await gathered(uow.rules.everything()) == versions


async def test_a_version_is_written_once(storage: Storage, scope: TenantScope) -> None:
    await keep(storage, scope, rules(1))
    with pytest.raises(Conflict):
        await keep(storage, scope, rules(1, markdown="other"))
    assert await standing(storage, scope) == rules(1)


async def test_an_author_is_named_while_they_are_there_and_have_a_role(storage: Storage, scope: TenantScope) -> None:
    unsigned = Rules(1, ODD, None, day(1))
    await keep(storage, scope, rules(1, CARL))
    for person, expected in (
        (Person("carl", START), unsigned),
        (Person("carl", START, Role.MEMBER), rules(1, CARL)),
        (None, unsigned),
        (Person("carl", START, Role.ADMIN), unsigned),
    ):
        async with storage.transaction(scope) as uow:
            await (uow.people.save(person) if person else uow.people.delete("carl"))
        assert await standing(storage, scope) == expected
        async with storage.transaction(scope) as uow:
            assert (await uow.rules.page(PageRequest())).items == [expected]


async def test_whoever_changes_them_waits_for_the_one_before(storage: Storage, scope: TenantScope) -> None:
    async def one_more() -> None:
        async with storage.transaction(scope) as uow:
            found = await uow.organisations.with_rules(for_update=True)
            assert found is not None
            await uow.rules.add(rules(found[1].version + 1))

    await asyncio.gather(*(one_more() for _ in range(5)))
    assert await standing(storage, scope) == rules(5)


async def test_the_organisation_is_known_once_it_was_read_or_saved(storage: Storage, scope: TenantScope) -> None:
    async with storage.transaction(scope) as uow:
        read = await uow.organisations.known()
        assert read == await uow.organisations.get()
        assert read is not None
        await uow.organisations.delete()
        assert await uow.organisations.known() is None
