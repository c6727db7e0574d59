"""The partitions of observations: made ahead, dropped by age, and no write is lost where one is missing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.adapters.postgres.partitions import DAYS_AHEAD, PostgresPartitions
from app.adapters.postgres.storage import PostgresStorage
from app.domain.errors import Unavailable
from app.domain.identifiers import first_uuid7
from app.domain.organisations import Organisation, Person
from app.domain.tenancy import TenantScope
from tests.postgres.furnished import scope_of
from tests.support.servers import Servers
from tests.unit.observed import id_at, observed

TODAY = datetime(2030, 5, 10, 15, 30, tzinfo=UTC)
MIDNIGHT = datetime.combine(TODAY, time(), UTC)
REST = "observations_rest"


@pytest.fixture
async def engines(servers: Servers) -> AsyncIterator[tuple[AsyncEngine, AsyncEngine]]:
    """The owner's and the serving role's, on a database of this test's own, which was migrated long before."""
    name = f"t_parts_{uuid4().hex[:8]}"
    urls = await servers.database(name)
    owner, serving = (create_async_engine(url, poolclass=NullPool) for url in (urls.owner, urls.serving))
    yield owner, serving
    await owner.dispose()
    await serving.dispose()
    await servers.drop(name)


@pytest.fixture
def owner(engines: tuple[AsyncEngine, AsyncEngine]) -> AsyncEngine:
    return engines[0]


@pytest.fixture
def partitions(owner: AsyncEngine) -> PostgresPartitions:
    return PostgresPartitions(owner)


@pytest.fixture
async def scope(engines: tuple[AsyncEngine, AsyncEngine]) -> TenantScope:
    scope = scope_of("org")
    async with PostgresStorage(engines[1], b"pepper").transaction(scope) as uow:
        await uow.organisations.save(Organisation("org", "Org", TODAY))
        await uow.people.save(Person("alice", TODAY))
    return scope


async def keep(engines: tuple[AsyncEngine, AsyncEngine], scope: TenantScope, *instants: datetime) -> None:
    async with PostgresStorage(engines[1], b"pepper").transaction(scope) as uow:
        await uow.observations.add([observed(id=id_at(instant)) for instant in instants])


async def kept(engines: tuple[AsyncEngine, AsyncEngine], scope: TenantScope) -> list[UUID]:
    async with PostgresStorage(engines[1], b"pepper").transaction(scope) as uow:
        return [one.id async for one in uow.observations.everything(None)]


async def places(superuser_or_owner: AsyncEngine) -> dict[UUID, str]:
    """In which partition each observation lies, as the owner sees it, partition by partition."""
    async with superuser_or_owner.connect() as connection:
        names = await connection.scalars(
            text("select inhrelid::regclass::text from pg_inherits where inhparent = 'observations'::regclass")
        )
        return {
            UUID(str(row.id)): name
            for name in names.all()
            for row in await connection.execute(text(f'select id from "{name}"'))
        }


async def names(owner: AsyncEngine) -> set[str]:
    async with owner.connect() as connection:
        found = await connection.scalars(
            text("select inhrelid::regclass::text from pg_inherits where inhparent = 'observations'::regclass")
        )
        return set(found.all())


def name(day: datetime) -> str:
    return f"observations_{day:%Y%m%d}"


async def test_migrating_makes_the_days_to_come(owner: AsyncEngine) -> None:
    today = datetime.now(UTC)
    wanted = {name(today + timedelta(days=ahead)) for ahead in range(DAYS_AHEAD)}
    assert wanted | {REST} <= await names(owner)


async def test_are_made_ahead_and_only_once(partitions: PostgresPartitions, owner: AsyncEngine) -> None:
    before = await names(owner)
    await partitions.provide(TODAY)
    made = await names(owner) - before
    assert made == {name(TODAY + timedelta(days=ahead)) for ahead in range(-1, DAYS_AHEAD + 1)}
    await partitions.provide(TODAY + timedelta(days=1))
    assert await names(owner) - before - made == {name(TODAY + timedelta(days=DAYS_AHEAD + 1))}


async def test_a_write_at_the_edge_lies_on_its_own_side(
    partitions: PostgresPartitions, engines: tuple[AsyncEngine, AsyncEngine], scope: TenantScope
) -> None:
    await partitions.provide(TODAY)
    last, first = MIDNIGHT + timedelta(days=1, milliseconds=-1), MIDNIGHT + timedelta(days=1)
    beyond = MIDNIGHT + timedelta(days=DAYS_AHEAD + 1)
    await keep(engines, scope, last, first, beyond)
    assert await places(engines[0]) == {
        id_at(last): name(TODAY),
        id_at(first): name(first),
        id_at(beyond): REST,
    }
    assert await kept(engines, scope) == [id_at(last), id_at(first), id_at(beyond)]


async def test_what_came_before_its_partition_is_moved_into_it(
    partitions: PostgresPartitions, engines: tuple[AsyncEngine, AsyncEngine], scope: TenantScope
) -> None:
    await keep(engines, scope, MIDNIGHT, TODAY, TODAY - timedelta(days=40))
    assert set((await places(engines[0])).values()) == {REST}
    await partitions.provide(TODAY)
    assert await places(engines[0]) == {
        id_at(MIDNIGHT): name(TODAY),
        id_at(TODAY): name(TODAY),
        id_at(TODAY - timedelta(days=40)): REST,
    }
    assert await kept(engines, scope) == sorted([id_at(TODAY - timedelta(days=40)), id_at(MIDNIGHT), id_at(TODAY)])


async def test_days_over_age_are_dropped_with_what_is_in_them(
    partitions: PostgresPartitions, engines: tuple[AsyncEngine, AsyncEngine], scope: TenantScope
) -> None:
    await partitions.provide(TODAY)
    old = TODAY - timedelta(days=40)
    await keep(engines, scope, old, MIDNIGHT - timedelta(hours=1), MIDNIGHT, TODAY)
    await partitions.drop_before(MIDNIGHT - timedelta(milliseconds=1))
    assert name(MIDNIGHT - timedelta(days=1)) in await names(engines[0])
    await partitions.drop_before(MIDNIGHT)
    assert name(MIDNIGHT - timedelta(days=1)) not in await names(engines[0])
    assert await kept(engines, scope) == [id_at(MIDNIGHT), id_at(TODAY)]


async def test_writers_go_on_while_partitions_come_and_go(
    partitions: PostgresPartitions, engines: tuple[AsyncEngine, AsyncEngine], scope: TenantScope
) -> None:
    """None of them is refused, and all that they wrote is there."""
    instants = [MIDNIGHT + timedelta(minutes=10 * number) for number in range(200)]

    async def write() -> None:
        for instant in instants:
            await keep(engines, scope, instant)

    writing = asyncio.create_task(write())
    for ahead in range(5):
        with suppress(Unavailable):
            await partitions.provide(TODAY + timedelta(days=ahead))
            await partitions.drop_before(MIDNIGHT)
    await writing
    assert await kept(engines, scope) == [id_at(instant) for instant in instants]


async def test_a_table_in_use_is_not_waited_for(
    partitions: PostgresPartitions, engines: tuple[AsyncEngine, AsyncEngine], scope: TenantScope
) -> None:
    async with PostgresStorage(engines[1], b"pepper").transaction(scope) as uow:
        await uow.observations.people_with_unconsolidated(1)
        with pytest.raises(Unavailable):
            await partitions.provide(TODAY)
    await partitions.provide(TODAY)
    assert name(TODAY) in await names(engines[0])


async def test_one_who_finds_another_at_it_leaves_it_to_them(
    partitions: PostgresPartitions, owner: AsyncEngine
) -> None:
    async with owner.begin() as other:
        await other.execute(text("select pg_advisory_xact_lock(:turn)"), {"turn": 0x50415254})
        await partitions.provide(TODAY)
    assert name(TODAY) not in await names(owner)


async def test_several_at_once_make_what_one_does(partitions: PostgresPartitions, owner: AsyncEngine) -> None:
    await asyncio.gather(*(partitions.provide(TODAY) for _ in range(4)))
    await partitions.provide(TODAY)
    assert {name(TODAY + timedelta(days=ahead)) for ahead in range(DAYS_AHEAD + 1)} <= await names(owner)


def test_the_first_id_of_an_instant_is_below_all_of_it_and_above_what_was_before() -> None:
    assert first_uuid7(TODAY) <= id_at(TODAY, 0) < id_at(TODAY, 1) < first_uuid7(TODAY + timedelta(milliseconds=1))
    assert first_uuid7(TODAY).version == 7
