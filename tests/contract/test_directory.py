"""What is read before a scope is known: who a key is, what a person is, and never a word more."""

from dataclasses import replace
from uuid import UUID, uuid4

from app.domain.organisations import ApiKey, Person
from app.domain.tenancy import Role, TenantScope
from app.ports.storage import Caller, Membership
from tests.contract.backends import PLATFORM_KEY, Backend
from tests.unit.memories import START, day


async def add(backend: Backend, scope: TenantScope, key: ApiKey) -> bytes:
    digest = uuid4().bytes
    async with backend.storage.transaction(scope) as uow:
        await uow.api_keys.add(key, digest)
    return digest


def key(**more: object) -> ApiKey:
    plain = ApiKey(UUID(int=1), "one", Role.ADMIN, True, START, "alice", ("shop1", "shop2"), ("maya",), day(5))
    return replace(plain, **more)  # type: ignore[arg-type]


async def test_a_key_is_known_by_its_digest_with_the_person_it_speaks_for(backend: Backend, scope: TenantScope) -> None:
    digest = await add(backend, scope, key())
    limits = frozenset({"shop1", "shop2"}), frozenset({"maya"})
    caller = Caller(scope.org_id, str(UUID(int=1)), Role.ADMIN, True, *limits, None)
    roles = {None: None, "alice": Role.OWNER, "carl": Role.MEMBER, "bob": None, "nobody": None}
    for person, role in roles.items():
        assert await backend.directory.find_key(digest, person, day(1)) == replace(caller, person_role=role)
    assert await backend.directory.find_key(uuid4().bytes, None, day(1)) is None


async def test_limits_of_none_and_of_nothing_differ(backend: Backend, scope: TenantScope) -> None:
    digest = await add(backend, scope, key(store_ids=None, agent_ids=()))
    caller = await backend.directory.find_key(digest, None, day(1))
    assert caller is not None
    assert (caller.stores, caller.agents) == (None, frozenset())


async def test_a_key_opens_until_it_expires_or_is_revoked_or_its_organisation_goes(
    backend: Backend, scope: TenantScope
) -> None:
    digest = await add(backend, scope, key())
    lasting = await add(backend, scope, key(id=UUID(int=2), expires_at=None))
    assert await backend.directory.find_key(digest, None, day(5)) is None
    assert await backend.directory.find_key(lasting, None, day(5000)) is not None
    async with backend.storage.transaction(scope) as uow:
        await uow.api_keys.revoke(key(revoked_at=day(1)))
    assert await backend.directory.find_key(digest, None, day(1)) is None
    async with backend.storage.transaction(scope) as uow:
        await uow.organisations.delete()
    assert await backend.directory.find_key(lasting, None, day(1)) is None


async def test_a_change_counts_from_its_commit_on(backend: Backend, scope: TenantScope) -> None:
    digest = await add(backend, scope, key())
    async with backend.storage.transaction(scope) as uow:
        await uow.people.save(Person("carl", START, Role.ADMIN))
        await uow.api_keys.revoke(key(revoked_at=day(1)))
        assert await backend.directory.find_membership(scope.org_id, "carl") == Membership(Role.MEMBER)
        assert await backend.directory.find_key(digest, None, day(1)) is not None
    assert await backend.directory.find_membership(scope.org_id, "carl") == Membership(Role.ADMIN)
    assert await backend.directory.find_key(digest, None, day(1)) is None


async def test_memberships_are_of_one_organisation(backend: Backend, scope: TenantScope) -> None:
    for person, known in {"alice": Membership(Role.OWNER), "bob": Membership(None), "eve": None}.items():
        assert await backend.directory.find_membership(scope.org_id, person) == known
    assert await backend.directory.find_membership("another", "alice") is None


async def test_the_platforms_key_is_known(backend: Backend) -> None:
    assert await backend.directory.find_platform_key(PLATFORM_KEY)
    assert not await backend.directory.find_platform_key(b"another")
    await backend.directory.ready()


async def test_organisations_are_listed_in_order_a_part_at_a_time(backend: Backend, scope: TenantScope) -> None:
    listed: list[str] = []
    while part := await backend.directory.organisations(3, listed[-1] if listed else None):
        listed += part
    assert listed == sorted(set(listed))
    assert scope.org_id in listed
    async with backend.storage.transaction(scope) as uow:
        await uow.organisations.delete()
    assert scope.org_id not in await backend.directory.organisations(len(listed))
