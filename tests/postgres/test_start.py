"""What the service finds out about its database before it serves: the role it is, and the schema that is there."""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from sqlalchemy import NullPool, make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.adapters.embedded.roles import OWNER, DatabaseUrls
from app.adapters.postgres.directory import PostgresDirectory, WrongDatabaseError
from app.domain.errors import Unavailable


@pytest.fixture
async def newcomer(superuser: AsyncEngine, urls: DatabaseUrls) -> AsyncIterator[tuple[str, str]]:
    """A role without any right, and the address as which it comes."""
    role = f"newcomer_{uuid4().hex[:8]}"
    async with superuser.begin() as connection:
        await connection.execute(text(f"create role {role} login password 'newcomer'"))
        await connection.execute(text(f'grant connect on database "{make_url(urls.owner).database}" to {role}'))
    yield role, make_url(urls.serving).set(username=role, password="newcomer").render_as_string(hide_password=False)
    async with superuser.begin() as connection:
        await connection.execute(text(f"drop owned by {role}"))
        await connection.execute(text(f"drop role {role}"))


def directory(url: str) -> PostgresDirectory:
    return PostgresDirectory(create_async_engine(url, poolclass=NullPool))


async def test_the_serving_role_is_taken(urls: DatabaseUrls) -> None:
    await directory(urls.serving).check_role()
    await directory(urls.serving).ready()


async def test_the_owner_and_a_superuser_are_refused(urls: DatabaseUrls, superuser_url: str) -> None:
    for url in (urls.owner, superuser_url):
        with pytest.raises(WrongDatabaseError, match="serving role"):
            await directory(url).check_role()


@pytest.mark.parametrize("power", [f"grant {OWNER} to {{role}}", "alter role {role} bypassrls"])
async def test_a_role_is_refused_for_what_it_may_become(
    superuser: AsyncEngine, newcomer: tuple[str, str], power: str
) -> None:
    role, url = newcomer
    await directory(url).check_role()
    async with superuser.begin() as connection:
        await connection.execute(text(power.format(role=role)))
    with pytest.raises(WrongDatabaseError, match="serving role"):
        await directory(url).check_role()


async def test_not_being_let_in_is_told_from_being_away(urls: DatabaseUrls) -> None:
    wrong = make_url(urls.serving).set(password="wrong").render_as_string(hide_password=False)
    nowhere = make_url(urls.serving).set(database="nowhere").render_as_string(hide_password=False)
    for url in (wrong, nowhere):
        with pytest.raises(WrongDatabaseError, match="does not let us in"):
            await directory(url).check_role()
        with pytest.raises(Unavailable, match="does not let us in"):
            await directory(url).ready()
    with pytest.raises(Unavailable, match="database_unavailable"):
        await directory("postgresql+asyncpg://nobody@127.0.0.1:9/nothing").check_role()


async def test_a_role_without_rights_finds_no_schema(newcomer: tuple[str, str]) -> None:
    with pytest.raises(Unavailable, match="retenir migrate"):
        await directory(newcomer[1]).ready()
