"""The composition root: it alone knows which adapter stands behind which port, and what a service is given."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

import structlog

from app.adapters.cache import ValkeyCache
from app.adapters.extractors.rules import RulesExtractor
from app.adapters.postgres.directory import PostgresDirectory, WrongDatabaseError
from app.adapters.postgres.platform import PostgresPlatformKeys
from app.adapters.postgres.storage import PostgresStorage, make_engine
from app.adapters.receipt_book import BatchedReceiptBook
from app.domain.errors import Unavailable
from app.domain.jobs import JobKind
from app.ports.clock import Clock
from app.ports.extractors import Extractor
from app.ports.platform import PlatformKeys
from app.services.api_keys import ApiKeys
from app.services.channels import Channels
from app.services.events import Events
from app.services.export import Export
from app.services.fact_editing import FactEditing
from app.services.fact_erasure import FactErasure
from app.services.facts import Facts
from app.services.jobs import JobRunner, Jobs
from app.services.learning import Learning
from app.services.organisations import Organisations
from app.services.people import People
from app.services.recall import Recall
from app.services.settings import Settings as MemorySettings
from app.services.stores import Stores
from app.services.turns import Turns
from app.settings import Settings

_AWAY: Final = "database_unavailable"
_log = structlog.stdlib.get_logger("retenir.start")


class StartRefusedError(Exception):
    """The service must not start as it is configured. The message says why, to the operator."""


def utc_now() -> datetime:
    """The present instant."""
    return datetime.now(UTC)


class Container:
    """Everything that one process stands on. `open` before use, `close` after.

    Raises StartRefusedError when the settings name no database or no secret: they come from `cli.boot.connected`.
    """

    def __init__(self, settings: Settings, clock: Clock = utc_now, extractor: Extractor | None = None) -> None:
        if settings.database_url is None or settings.secret is None:
            raise StartRefusedError("RETENIR_DATABASE_URL and RETENIR_SECRET are missing")
        self.settings = settings
        self.clock = clock
        self.secret = settings.secret.get_secret_value().encode()
        self._engine = make_engine(settings.database_url)
        self._checked = False
        self.on_work: Callable[[], None] | None = None
        self.storage = PostgresStorage(self._engine)
        self.directory = PostgresDirectory(self._engine)
        self.cache = ValkeyCache(settings.redis_url) if settings.redis_url else None

        self.organisations = Organisations(self.storage, clock)
        self.stores = Stores(self.storage, clock)
        self.people = People(self.storage, clock)
        self.channels = Channels(self.storage, clock)
        self.api_keys = ApiKeys(self.storage, clock, self.secret)
        self.memory_settings = MemorySettings(self.storage, clock)

        self.receipts = BatchedReceiptBook(self.storage, clock)
        self.facts = Facts(self.storage, clock)
        self.fact_editing = FactEditing(self.storage, clock)
        self.fact_erasure = FactErasure(self.storage, clock)
        self.recall = Recall(self.storage, self.receipts, clock)
        self.turns = Turns(self.storage, clock, self.work_waits)
        self.jobs = Jobs(self.storage, clock)
        learning = Learning(self.storage, extractor or RulesExtractor(), clock)
        self.job_runner = JobRunner(self.storage, clock, {JobKind.TURN: learning.run})
        self.events = Events(self.storage)
        self.export = Export(self.storage, clock)

    def work_waits(self) -> None:
        """Tell the worker of this process, if there is one, that a job was queued."""
        if self.on_work is not None:
            self.on_work()

    async def open(self) -> None:
        """Ready to serve, or, while the database cannot be reached, to say so and try again with each request.

        Raises StartRefusedError when it can be reached and is not what the service may run on.
        """
        try:
            await self._check()
        except Unavailable as error:
            if error.code != _AWAY:
                raise StartRefusedError(error.detail) from error
            _log.warning("database_unavailable", reason=error.detail)

    async def close(self) -> None:
        """What waits is written, and connections are given back."""
        await self.receipts.close()
        await self._engine.dispose()
        if self.cache is not None:
            await self.cache.close()

    async def require_checked(self) -> None:
        """The database was looked at and found good. Raises Unavailable while it cannot be reached or is another."""
        try:
            await self._check()
        except StartRefusedError as error:
            _log.critical("database_refused", reason=str(error))
            raise Unavailable(
                "database_refused", "The database cannot be used; the log of the service says why."
            ) from None

    async def _check(self) -> None:
        """Role and schema, until they were right once: row-level security must hold us before anything is read."""
        if self._checked:
            return
        try:
            await self.directory.check_role()
            await self.directory.ready()
        except WrongDatabaseError as error:
            raise StartRefusedError(str(error)) from error
        self._checked = True


@asynccontextmanager
async def platform_keys(settings: Settings) -> AsyncIterator[PlatformKeys]:
    """The platform's keys, by the role that owns the tables; serving never needs it.

    Raises StartRefusedError when the settings do not name that role's database.
    """
    if settings.owner_database_url is None:
        raise StartRefusedError("RETENIR_OWNER_DATABASE_URL is missing: the serving role makes no platform keys")
    engine = make_engine(settings.owner_database_url, pool_size=1)
    try:
        yield PostgresPlatformKeys(engine)
    finally:
        await engine.dispose()
