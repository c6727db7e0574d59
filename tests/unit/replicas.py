"""Replicas of the service that serves contexts, in memory: where they stand still, and how often they look, is told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.adapters.doubles.cache import InMemoryCache
from app.adapters.doubles.directory import InMemoryDirectory
from app.adapters.doubles.storage import InMemoryStorage
from app.domain.errors import Unavailable
from app.domain.events import Change
from app.domain.organisations import Organisation, OrgSettings
from app.domain.receipts import Receipt
from app.domain.tenancy import TenantScope
from app.ports.cache import Cache
from app.ports.storage import UnitOfWork
from app.services.context import Contexts
from app.services.finding import Questions
from app.services.recall import ContextIn, Recall
from tests.contract.scopes import scope_of
from tests.unit.memories import START, fact

US = scope_of("us")
ASKED = ContextIn("atlas", "shop1", deadline_ms=5000)


@dataclass
class Doors(InMemoryStorage):
    """A storage that counts who comes in, and lets nobody in while it is shut; `broken`: it fails them."""

    opened: asyncio.Event = field(default_factory=asyncio.Event)
    entered: int = 0
    broken: bool = False

    def __post_init__(self) -> None:
        super().__init__()
        self.opened.set()

    @asynccontextmanager
    async def transaction(self, scope: TenantScope) -> AsyncIterator[Any]:
        self.entered += 1
        await self.opened.wait()
        if self.broken:
            raise Unavailable("database_unavailable", "away")
        async with super().transaction(scope) as uow:
            yield uow


@dataclass
class SlowCache(InMemoryCache):
    """A cache that keeps nothing before the test lets it."""

    opened: asyncio.Event = field(default_factory=asyncio.Event)
    asked: int = 0

    def __post_init__(self) -> None:
        super().__init__()
        self.opened.set()

    async def put(self, scope: TenantScope, name: str, value: object, seconds: int) -> None:
        self.asked += 1
        await self.opened.wait()
        await super().put(scope, name, value, seconds)


class Book:
    """The receipts that were noted."""

    def __init__(self) -> None:
        self.noted: list[tuple[TenantScope, Receipt]] = []

    def note(self, scope: TenantScope, receipt: Receipt) -> None:
        self.noted.append((scope, receipt))

    def seen(self, scope: TenantScope, fact_ids: object) -> None: ...


class Replicas:
    """Services on one storage and one cache, with one clock."""

    def __init__(self) -> None:
        self.kept, self.read, self.cache, self.book = InMemoryStorage(), Doors(), SlowCache(), Book()
        self.read._states = self.kept._states
        self.now = START

    def one(self, cache: Cache | None = None) -> Contexts:
        recall = Recall(self.read, Questions(None, missed=False), self.clock)
        return Contexts(recall, InMemoryDirectory(self.kept), cache or self.cache, self.book, self.clock)

    def clock(self) -> datetime:
        return self.now

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[UnitOfWork]:
        async with self.kept.transaction(US) as uow:
            yield uow

    async def write(self, content: str, number: int = 1) -> None:
        async with self.writing() as uow:
            await uow.facts.apply([Change(None, fact(number, key=f"key.{number}", content=content))], START)

    async def settle(self, **settings: Any) -> None:
        async with self.writing() as uow:
            await uow.organisations.save(Organisation("us", "Us", START, OrgSettings(**settings)))
