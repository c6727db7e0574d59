"""Storage in Postgres: the engine, and one transaction as a unit of work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.adapters.postgres.events import PostgresEvents
from app.adapters.postgres.facts import PostgresFacts
from app.adapters.postgres.faults import translate
from app.adapters.postgres.jobs import PostgresJobs
from app.adapters.postgres.messages import PostgresMessages, PostgresReceipts
from app.adapters.postgres.organisations import (
    PostgresApiKeys,
    PostgresChannels,
    PostgresOrganisations,
    PostgresPeople,
    PostgresStores,
)
from app.adapters.postgres.session import TenantSession
from app.adapters.postgres.sources import PostgresSources
from app.domain.tenancy import TenantScope

_WIDER_LIMITS = (
    "set local statement_timeout = '30min'",
    "set local idle_in_transaction_session_timeout = '30min'",
)


def make_engine(url: str, pool_size: int = 10) -> AsyncEngine:
    """An engine whose pool gives up after a second: waiting longer for a connection is an outage, not patience."""
    return create_async_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_timeout=1,
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={"command_timeout": 60, "timeout": 5},
    )


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
        self.events = PostgresEvents(session)
        self.jobs = PostgresJobs(session)
        self.receipts = PostgresReceipts(session)


class PostgresStorage:
    """Opens transactions on one engine."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @asynccontextmanager
    async def transaction(self, scope: TenantScope) -> AsyncIterator[PostgresUnitOfWork]:
        try:
            async with TenantSession(self._engine, scope) as session, session.begin():
                yield PostgresUnitOfWork(session)
        except Exception as error:
            if (known := translate(error)) is not None:
                raise known from error
            raise

    @asynccontextmanager
    async def snapshot(self, scope: TenantScope) -> AsyncIterator[PostgresUnitOfWork]:
        try:
            connecting = self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            async with TenantSession(connecting, scope) as session, session.begin():
                for statement in _WIDER_LIMITS:
                    await session.execute(text(statement))
                yield PostgresUnitOfWork(session)
        except Exception as error:
            if (known := translate(error)) is not None:
                raise known from error
            raise
