"""The composition root: it alone knows which adapter stands behind which port, and what a service is given."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from app.adapters.cache import NoCache, Valkey, ValkeyCache, ValkeyCounters
from app.adapters.embedders import RecentQuestions, UnfitEmbedderError, embedder_of
from app.adapters.extractors.models import model_extractor
from app.adapters.extractors.rules import RulesExtractor
from app.adapters.near_cache import NearCache
from app.adapters.postgres.directory import PostgresDirectory, WrongDatabaseError
from app.adapters.postgres.partitions import PostgresPartitions
from app.adapters.postgres.storage import PostgresStorage, make_engine
from app.adapters.rate_limits import CountedRateLimits
from app.adapters.receipt_book import BatchedReceiptBook
from app.adapters.signing_keys import signing_keys_of
from app.domain.errors import Unavailable
from app.domain.jobs import JobKind
from app.ports.cache import Cache
from app.ports.clock import Clock
from app.ports.embedders import Embedder
from app.ports.extractors import Extractor
from app.ports.storage import Storage
from app.services.api_keys import ApiKeys
from app.services.channels import Channels
from app.services.consolidation_jobs import ConsolidationJobs
from app.services.context import Contexts
from app.services.contradictions import Contradictions
from app.services.duplicates import Duplicates
from app.services.embedding import Embedding, embedding_handler
from app.services.erasures import Erasures
from app.services.events import Events
from app.services.export import Export
from app.services.fact_editing import FactEditing
from app.services.fact_erasure import FactErasure
from app.services.facts import Facts
from app.services.finding import Questions
from app.services.idempotency import Idempotency
from app.services.imports import Imports
from app.services.jobs import Handler, JobRunner, Jobs
from app.services.learning import Learning
from app.services.merging import Merging
from app.services.message_erasure import MessageErasure
from app.services.observations import Observations
from app.services.organisations import Organisations
from app.services.people import People
from app.services.pruning import Pruning
from app.services.recall import Recall
from app.services.reembedding import Reembedding
from app.services.rules import Rules
from app.services.seals import Seals
from app.services.search import Search
from app.services.session_start import SessionStart
from app.services.settings import Settings as MemorySettings
from app.services.stats import Stats
from app.services.stores import Stores
from app.services.turns import Turns
from app.services.usage import Usage
from app.services.wishes import Wishes
from app.settings import Settings

CLOSE_SECONDS: Final = 3.0
_AWAY: Final = "database_unavailable"
_log = structlog.stdlib.get_logger("retenir.start")


class StartRefusedError(Exception):
    """The service must not start as it is configured. The message says why, to the operator."""


def utc_now() -> datetime:
    """The present instant."""
    return datetime.now(UTC)


def _log_fault(error: BaseException) -> None:
    """A fault of ours that no caller is told of."""
    _log.error("consolidation_broke", exc_info=error)


class Container:
    """Everything that one process stands on. `open` before use, `close` after. Raises StartRefusedError for settings
    that name no database or no secret, or an embedder that cannot be.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock = utc_now,
        extractor: Extractor | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        if not settings.database_url or not settings.secret:
            raise StartRefusedError("RETENIR_DATABASE_URL and RETENIR_SECRET are missing")
        self._own_embedder = _embedder(settings) if embedder is None else None
        self.embedder: Embedder | None = embedder or self._own_embedder
        self.settings, self.clock = settings, clock
        self.secret = settings.secret.get_secret_value().encode()
        self._engine = make_engine(settings.database_url)
        # Who asks is looked up on connections apart, in one round trip: who holds one of the others never waits for it.
        self._doorway = make_engine(settings.database_url, pool_size=8, isolation_level="AUTOCOMMIT")
        self._checked = self._serves = False
        self.on_work: Callable[[], None] | None = None
        self.storage = PostgresStorage(self._engine, self.secret)
        self.directory = PostgresDirectory(self._doorway, timedelta(seconds=settings.job_lease_seconds), self.secret)
        self._valkey = Valkey(settings.redis_url) if settings.redis_url else None
        self.cache: Cache = NearCache(ValkeyCache(self._valkey, self.secret) if self._valkey else NoCache())
        counters = ValkeyCounters(self._valkey) if self._valkey else None
        self.rate_limits = CountedRateLimits(settings.requests_per_minute, counters, clock)
        self.signing_keys = signing_keys_of(settings)
        self.receipts = BatchedReceiptBook(self.storage, clock)
        questions = Questions(self.embedder, missed=settings.embedder != "none")
        self.recall = Recall(self.storage, questions, clock)
        self.contexts = Contexts(self.recall, self.directory, self.cache, self.receipts, clock)
        self.search = Search(self.storage, questions, clock)
        self.session_start = SessionStart(self.storage, clock, _log_fault)
        self.export = Export(self.storage, clock)
        self._furnish(self.storage, settings.observation_patience_ms / 1000)
        self._employ(extractor)
        self.idempotency = Idempotency(self.storage, clock, self.secret)
        self.seals = Seals(self.storage, self.directory, clock)
        self._owner = make_engine(settings.owner_database_url, pool_size=2) if settings.owner_database_url else None
        self.partitions = PostgresPartitions(self._owner) if self._owner else None

    def _employ(self, extractor: Extractor | None) -> None:
        """Who does the jobs."""
        self.model = model_extractor(self.settings) if extractor is None else None
        learning = Learning(self.storage, extractor or self.model or RulesExtractor(), self.clock, self.duplicates)
        told = (self.clock, self.settings.job_lease_seconds / 3)
        self.embedding = Embedding(self.storage, self.embedder, *told) if self.embedder else None
        self.reembedding = Reembedding(self.directory, self.embedding) if self.embedding else None
        known: dict[JobKind, Handler] = {JobKind.TURN: learning.run, JobKind.CONSOLIDATION: self.consolidation_jobs.run}
        known |= {JobKind.EMBEDDING: embedding_handler(self.embedding, self.clock), JobKind.ERASURE: self.erasures.run}
        self.job_runner = JobRunner(self.storage, self.clock, known | {JobKind.IMPORT: self.imports.run})

    def _furnish(self, storage: Storage, patience: float | None) -> None:
        """The services whose every act is a transaction of `storage`."""
        clock = self.clock
        self.organisations = Organisations(storage, clock)
        self.stores = Stores(storage, clock)
        self.people = People(storage, clock)
        self.channels = Channels(storage, clock)
        self.api_keys = ApiKeys(storage, clock, self.secret)
        self.memory_settings = MemorySettings(storage, clock, self.work_waits)
        self.rules = Rules(storage, clock)
        self.wishes = Wishes(storage, clock)
        self.facts = Facts(storage, clock, self.receipts)
        self.fact_editing = FactEditing(storage, clock)
        self.fact_erasure = FactErasure(storage, clock, self.cache)
        self.merging = Merging(storage, clock)
        self.contradictions = Contradictions(storage, clock)
        self.message_erasure = MessageErasure(storage, clock, self.cache)
        self.pruning = Pruning(storage, clock)
        self.stats = Stats(storage, clock, self.embedder.profile.name if self.embedder else None)
        self.usage = Usage(storage)
        self.turns = Turns(storage, clock, self.work_waits)
        self.observations = Observations(storage, clock, self.settings.observation_days, patience)
        self.jobs = Jobs(storage, clock)
        self.duplicates = Duplicates(storage, clock, self.embedder)
        self.consolidation_jobs = ConsolidationJobs(storage, clock, self.duplicates, self.work_waits)
        self.imports = Imports(storage, clock, self.work_waits)
        self.events = Events(storage)
        self.erasures = Erasures(storage, self.storage, self.directory, clock, self.cache, self.work_waits)

    def within(self, storage: Storage) -> "Container":
        """The same, with those services on another storage: one transaction. Whoever opened it tells the worker."""
        other = copy(self)
        other.on_work = None
        other._furnish(storage, patience=None)
        return other

    @property
    def model_answers(self) -> bool:
        """Whether the model that reads turns, if any does, is thought to be there."""
        return self.model is None or self.model.answers

    @property
    def embedder_answers(self) -> bool:
        """Whether the embedder is thought to be there. None at all is missed, unless none was wanted."""
        return self.settings.embedder == "none" if self.embedder is None else self.embedder.answers

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

    def warm(self) -> None:
        """This process is to serve: begins to load what its first caller would wait for. Returns at once."""
        self._serves = True
        if self._own_embedder is not None:
            self._own_embedder.open()

    async def close(self) -> None:
        """What waits is written, and connections are given back, as far as the database answers in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                for busy in (self.session_start, self.contexts, self.receipts):
                    await busy.close()
                for engine in filter(None, (self._engine, self._doorway, self._owner)):
                    await engine.dispose()
        for part in (self._valkey, self.signing_keys, self.model, self._own_embedder):
            if part is not None:
                await part.close()

    async def require_checked(self) -> None:
        """The database was looked at and found good. Raises Unavailable while it cannot be reached or is another."""
        try:
            await self._check()
        except StartRefusedError as error:
            _log.critical("database_refused", reason=str(error))
            detail = "The database cannot be used; the log of the service says why."
            raise Unavailable("database_refused", detail) from None

    async def _check(self) -> None:
        """Role and schema, until they were right once: row-level security must hold us before anything is read."""
        if self._checked:
            return
        try:
            await self.directory.check_role()
            await self.directory.ready()
        except WrongDatabaseError as error:
            raise StartRefusedError(error.detail) from error
        self._checked = True
        if self._serves and (moving := self.reembedding) and (left := await moving.left()):
            _log.warning("vectors_of_another_model", documents=left, model=moving.model, run="retenir reembed")


def _embedder(settings: Settings) -> RecentQuestions | None:
    try:
        return embedder_of(settings)
    except UnfitEmbedderError as error:
        raise StartRefusedError(str(error)) from None
