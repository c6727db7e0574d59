"""Organisations whose export does not stay in memory, and what an export under way holds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import asyncpg
import httpx
from fastapi import FastAPI, Response

from app.adapters.postgres.models import StoreFactRow
from app.api.edge import install
from app.api.export import DocumentResponse
from app.api.routing import router
from app.domain.events import Change
from app.domain.sources import Decision, Source
from app.domain.subjects import KeyRef, Scope, Subject
from app.domain.tenancy import TenantScope
from app.ports.storage import Storage, UnitOfWork
from app.services.export import Export
from tests.api.furnished import ROLES, owner_of
from tests.support.readers import SlowReader
from tests.support.world import Tenant, World, speaking
from tests.unit.memories import START, fact

EXPORT: Final = "/memory/export"


async def stuffed(world: World, facts: int) -> Tenant:
    """An organisation with so many facts: one made in the usual way, and the others copied from it."""
    tenant = await world.organisation(ROLES)
    async with world.container.storage.transaction(owner_of(tenant.org_id)) as uow:
        await uow.facts.apply([Change(None, fact(1, content="Livraison « offerte » dès 60 € 🎁 " * 10))], START)
    copied = ", ".join(column.name for column in StoreFactRow.__table__.columns if column.name not in ("id", "key"))
    async with database(world) as connection, connection.transaction():
        await connection.execute("select set_config('app.org_id', $1, true)", tenant.org_id)
        await connection.execute(
            f"insert into store_facts (id, key, {copied}) "
            f"select gen_random_uuid(), key || n, {copied} from store_facts, generate_series(2, {facts}) n"
        )
    return tenant


@asynccontextmanager
async def database(world: World) -> AsyncIterator[asyncpg.Connection]:
    url = str(world.settings.database_url).replace("+asyncpg", "")
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def open_transactions(world: World) -> int:
    """How many connections of this database hold a transaction that waits for its client."""
    async with database(world) as connection:
        count = await connection.fetchval(
            "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in tra%'"
        )
        return int(count)


def unnamed_files() -> int:
    """Open files of this process that no folder lists."""
    count = 0
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            count += entry.readlink().name.endswith("(deleted)")
    return count


class Halted:
    """The storage; its snapshots come to the sources, and there they wait until they may go on."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self.there, self.go = asyncio.Event(), asyncio.Event()

    def transaction(self, scope: TenantScope) -> AbstractAsyncContextManager[UnitOfWork]:
        return self._storage.transaction(scope)

    @asynccontextmanager
    async def snapshot(self, scope: TenantScope) -> AsyncIterator[UnitOfWork]:
        async with self._storage.snapshot(scope) as uow:
            yield cast(UnitOfWork, _HaltedUnit(uow, self))


class _HaltedUnit:
    def __init__(self, uow: UnitOfWork, halted: Halted) -> None:
        self._uow = uow
        self._halted = halted

    @property
    def sources(self) -> "_HaltedUnit":
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._uow, name)

    async def everything(self, scope: Scope, subject: Subject | None) -> AsyncIterator[tuple[KeyRef, Source]]:
        self._halted.there.set()
        await self._halted.go.wait()
        async for found in self._uow.sources.everything(scope, subject):
            yield found

    def all_decisions(self, scope: Scope, subject: Subject | None) -> AsyncIterator[tuple[KeyRef, Decision]]:
        return self._uow.sources.all_decisions(scope, subject)


@dataclass(frozen=True)
class Taking:
    """Exports of one organisation, in an application of their own, that stop before they come to the sources."""

    world: World
    tenant: Tenant
    patience: float = 60.0
    app: FastAPI = field(default_factory=FastAPI)
    export: Export = field(init=False)
    halted: Halted = field(init=False)

    def __post_init__(self) -> None:
        container, routes, scope = self.world.container, router(), owner_of(self.tenant.org_id)
        object.__setattr__(self, "halted", Halted(container.storage))
        object.__setattr__(self, "export", Export(self.halted, container.clock))

        @routes.get(EXPORT)
        async def answer() -> Response:
            return DocumentResponse(self.export.document(scope), patience=self.patience)

        self.app.include_router(routes)
        install(self.app)

    @property
    def client(self) -> httpx.AsyncClient:
        return speaking(self.app)

    def reader(self) -> SlowReader:
        """Somebody who takes what they are told to take."""
        return SlowReader(self.app, self.client, EXPORT)
