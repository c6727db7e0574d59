"""The service's database and its two roles: one that owns the tables and migrates, one that serves and owns nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from app.adapters.embedded.files import keep_secret

DRIVER = "asyncpg"
DATABASE = "retenir"
OWNER = "retenir_owner"
SERVING = "retenir_app"
# No request may hold the database longer than its client waits.
SERVING_LIMITS = {"statement_timeout": "3s", "lock_timeout": "500ms", "idle_in_transaction_session_timeout": "5s"}
_TURN = 0x52455445  # an advisory lock: `create role if not exists` is not to be had, and two may come at once


class Reachable(Protocol):
    """A server with a superuser: the embedded one, or one that the tests bring."""

    def url(self, *, driver: str = ..., user: str = ..., password: str | None = ..., database: str = ...) -> str:
        """The address as this user; with no password given it is the superuser's."""
        ...


@dataclass(frozen=True, slots=True)
class DatabaseUrls:
    """How to reach one database as each role, by SQLAlchemy with asyncpg."""

    owner: str
    serving: str


async def provide_database(postgres: Reachable, secrets: Path, database: str = DATABASE) -> DatabaseUrls:
    """The database is there, with pgvector, the owner's, and both roles enter it by the passwords kept in `secrets`.

    Whatever was there before is set right, so it may be called at every start, and by several at once.
    """
    passwords = {role: keep_secret(secrets / f"{role}.password") for role in (OWNER, SERVING)}
    async with _connection(postgres.url(driver=DRIVER)) as connection:
        await connection.execute(text("select pg_advisory_lock(:turn)"), {"turn": _TURN})
        for role, password in passwords.items():
            await _provide_role(connection, role, password)
        for name, value in SERVING_LIMITS.items():
            await connection.exec_driver_sql(f"alter role {SERVING} set {name} = '{value}'")
        if not await _exists(connection, "pg_database where datname", database):
            await connection.exec_driver_sql(f'create database "{database}" owner {OWNER}')
        await connection.exec_driver_sql(f'revoke all on database "{database}" from public')
        await connection.exec_driver_sql(f'grant connect on database "{database}" to {SERVING}')
        async with _connection(postgres.url(driver=DRIVER, database=database)) as inside:
            await inside.exec_driver_sql("create extension if not exists vector")
    owner, serving = (
        postgres.url(driver=DRIVER, user=role, password=password, database=database)
        for role, password in passwords.items()
    )
    return DatabaseUrls(owner, serving)


@asynccontextmanager
async def _connection(url: str) -> AsyncIterator[AsyncConnection]:
    """One connection whose every statement is a transaction; its end gives the lock back."""
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool, hide_parameters=True)
    async with engine.connect() as connection:
        yield connection
    await engine.dispose()


async def _provide_role(connection: AsyncConnection, role: str, password: str) -> None:
    if not await _exists(connection, "pg_roles where rolname", role):
        await connection.exec_driver_sql(f"create role {role}")
    powers = "login nosuperuser nocreatedb nocreaterole noreplication nobypassrls"
    await connection.exec_driver_sql(f"alter role {role} {powers} password '{password}'")  # of url-safe letters


async def _exists(connection: AsyncConnection, where: str, name: str) -> bool:
    return bool(await connection.scalar(text(f"select exists(select from {where} = :name)"), {"name": name}))  # noqa: S608
