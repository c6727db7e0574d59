"""Storage in Postgres: the engine, and one transaction as a unit of work."""

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final

from sqlalchemy import event, text
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.adapters.postgres.api_keys import PostgresApiKeys
from app.adapters.postgres.consolidation import PostgresConsolidations
from app.adapters.postgres.contradictions import PostgresContradictions
from app.adapters.postgres.erasures import PostgresErasures
from app.adapters.postgres.events import PostgresEvents
from app.adapters.postgres.facts import PostgresFacts
from app.adapters.postgres.faults import translated
from app.adapters.postgres.generations import raise_generations
from app.adapters.postgres.idempotency import PostgresIdempotency
from app.adapters.postgres.imports import PostgresImports
from app.adapters.postgres.jobs import PostgresJobs
from app.adapters.postgres.ledger import PostgresLedger
from app.adapters.postgres.lifecycle import PostgresAgeing
from app.adapters.postgres.messages import PostgresMessages, PostgresReceipts
from app.adapters.postgres.observations import PostgresObservations
from app.adapters.postgres.organisations import (
    PostgresChannels,
    PostgresOrganisations,
    PostgresPeople,
    PostgresStores,
)
from app.adapters.postgres.past import PostgresPast
from app.adapters.postgres.rules import PostgresRules
from app.adapters.postgres.seals import PostgresSeals
from app.adapters.postgres.search import PostgresSearch
from app.adapters.postgres.session import TenantSession
from app.adapters.postgres.sources import PostgresSources
from app.adapters.postgres.stats import PostgresStats
from app.adapters.postgres.usage import PostgresUsage
from app.adapters.postgres.vectors import PostgresVectors
from app.domain.tenancy import TenantScope

_WIDER_LIMITS = (
    "set local statement_timeout = '30min'",
    "set local idle_in_transaction_session_timeout = '30min'",
)


def make_engine(url: str, pool_size: int = 20, **options: Any) -> AsyncEngine:
    """An engine that gives up: after 1 s without a free connection, 3 s without a new one, 5 s without an answer.

    Waiting longer is an outage, not patience. The roles' own limits are tighter, but only a live server keeps them.
    A connection that the server has closed meanwhile is not used again, nor are those as old.
    """
    engine = create_async_engine(
        url,
        **options,
        pool_size=pool_size,
        max_overflow=0,  # one that overflows is closed again: a crowd would open and close them all the time
        pool_timeout=1,
        hide_parameters=True,
        json_deserializer=_read_json,
        connect_args={"command_timeout": 5, "timeout": 3},
    )
    event.listen(engine.sync_engine, "checkout", _refuse_closed)
    return engine


def _refuse_closed(connection: Any, *_: Any) -> None:
    """The driver hears when the server closes: to ask instead (`pool_pre_ping`) is three round trips a transaction."""
    if connection.driver_connection.is_closed():
        raise InvalidatePoolError


def _number(digits: str) -> int | float:
    """A number as it was sent: Postgres writes 1e30 out in full, and only that can be what does not fit 64 bits."""
    number = int(digits)
    return number if -(2**63) <= number < 2**63 else float(digits)


_read_json: Final = json.JSONDecoder(parse_int=_number).decode
"""Made once: `json.loads` makes a decoder for each value that it is told how to read."""


class PostgresUnitOfWork:
    """The repositories of one open transaction."""

    def __init__(self, session: TenantSession) -> None:
        self.organisations = PostgresOrganisations(session)
        self.stores = PostgresStores(session)
        self.people = PostgresPeople(session)
        self.channels = PostgresChannels(session)
        self.api_keys = PostgresApiKeys(session)
        self.messages = PostgresMessages(session)
        self.facts = PostgresFacts(session)
        self.sources = PostgresSources(session)
        self.past = PostgresPast(session)
        self.events = PostgresEvents(session)
        self.seals = PostgresSeals(session)
        self.jobs = PostgresJobs(session)
        self.imports = PostgresImports(session)
        self.receipts = PostgresReceipts(session)
        self.rules = PostgresRules(session)
        self.search = PostgresSearch(session)
        self.vectors = PostgresVectors(session)
        self.observations = PostgresObservations(session)
        self.consolidations = PostgresConsolidations(session)
        self.contradictions = PostgresContradictions(session)
        self.ageing = PostgresAgeing(session)
        self.stats = PostgresStats(session)
        self.usage = PostgresUsage(session)
        self.idempotency = PostgresIdempotency(session)
        self.erasures = PostgresErasures(session)
        self.ledger = PostgresLedger(session)
        self._session = session

    @asynccontextmanager
    async def savepoint(self) -> AsyncIterator[None]:
        with translated():
            await self.events.flush()
            try:
                async with self._session.begin_nested():
                    yield
                    await self.events.flush()
            except BaseException:
                self.events.forget()
                raise


class PostgresStorage:
    """Opens transactions on one engine. `pepper` is that of the ledger's hashes."""

    def __init__(self, engine: AsyncEngine, pepper: bytes) -> None:
        self._engine = engine
        self._pepper = pepper

    def transaction(self, scope: TenantScope) -> AbstractAsyncContextManager[PostgresUnitOfWork]:
        return self._transaction(scope, erasing=False)

    def reopened(self, scope: TenantScope) -> AbstractAsyncContextManager[PostgresUnitOfWork]:
        return self._transaction(scope, erasing=True)

    @asynccontextmanager
    async def _transaction(self, scope: TenantScope, *, erasing: bool) -> AsyncIterator[PostgresUnitOfWork]:
        with translated():
            session = TenantSession(self._engine, scope, erasing=erasing, pepper=self._pepper)
            async with session, session.begin():
                await session.look_around()
                uow = PostgresUnitOfWork(session)
                yield uow
                await uow.events.flush()
                await raise_generations(session)

    @asynccontextmanager
    async def snapshot(self, scope: TenantScope) -> AsyncIterator[PostgresUnitOfWork]:
        connecting = self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with translated():
            async with TenantSession(connecting, scope, pepper=self._pepper) as session, session.begin():
                for statement in _WIDER_LIMITS:
                    await session.execute(text(statement))
                yield PostgresUnitOfWork(session)
