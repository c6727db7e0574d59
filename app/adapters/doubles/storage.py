"""Storage in memory: each transaction works on a copy of its organisation, which takes its place at the end."""

import asyncio
import itertools
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.adapters.doubles.consolidation import InMemoryConsolidations
from app.adapters.doubles.contradictions import InMemoryContradictions
from app.adapters.doubles.erasable import put_back, set_aside
from app.adapters.doubles.erasures import InMemoryErasures, InMemoryLedger
from app.adapters.doubles.events import InMemoryEvents
from app.adapters.doubles.facts import InMemoryFacts
from app.adapters.doubles.generations import touched
from app.adapters.doubles.idempotency import InMemoryIdempotency
from app.adapters.doubles.imports import InMemoryImports
from app.adapters.doubles.jobs import InMemoryJobs
from app.adapters.doubles.lifecycle import InMemoryAgeing
from app.adapters.doubles.messages import InMemoryMessages, InMemoryReceipts
from app.adapters.doubles.observations import InMemoryObservations
from app.adapters.doubles.organisations import (
    InMemoryApiKeys,
    InMemoryChannels,
    InMemoryOrganisations,
    InMemoryPeople,
    InMemoryStores,
)
from app.adapters.doubles.past import InMemoryPast
from app.adapters.doubles.rules import InMemoryRules
from app.adapters.doubles.seals import InMemorySeals
from app.adapters.doubles.search import InMemorySearch
from app.adapters.doubles.sources import InMemorySources
from app.adapters.doubles.state import State
from app.adapters.doubles.stats import InMemoryStats
from app.adapters.doubles.usage import InMemoryUsage
from app.adapters.doubles.vectors import InMemoryVectors
from app.domain.tenancy import TenantScope


class InMemoryUnitOfWork:
    """The repositories over one organisation's copy."""

    def __init__(self, state: State) -> None:
        self.organisations = InMemoryOrganisations(state)
        self.stores = InMemoryStores(state)
        self.people = InMemoryPeople(state)
        self.channels = InMemoryChannels(state)
        self.api_keys = InMemoryApiKeys(state)
        self.messages = InMemoryMessages(state)
        self.facts = InMemoryFacts(state)
        self.sources = InMemorySources(state)
        self.past = InMemoryPast(state)
        self.events = InMemoryEvents(state)
        self.seals = InMemorySeals(state)
        self.jobs = InMemoryJobs(state)
        self.imports = InMemoryImports(state)
        self.receipts = InMemoryReceipts(state)
        self.rules = InMemoryRules(state)
        self.search = InMemorySearch(state)
        self.vectors = InMemoryVectors(state)
        self.observations = InMemoryObservations(state)
        self.consolidations = InMemoryConsolidations(state)
        self.contradictions = InMemoryContradictions(state)
        self.ageing = InMemoryAgeing(state)
        self.stats = InMemoryStats(state)
        self.usage = InMemoryUsage(state)
        self.idempotency = InMemoryIdempotency(state)
        self.erasures = InMemoryErasures(state)
        self.ledger = InMemoryLedger(state)
        self._state = state

    @asynccontextmanager
    async def savepoint(self) -> AsyncIterator[None]:
        await self.events.flush()
        before = self._state.copy()
        try:
            yield
            await self.events.flush()
        except BaseException:
            self.events.forget()
            self._state.restore(before)
            raise


class InMemoryStorage:
    """All organisations. The transactions of one organisation follow each other; those of several do not wait."""

    def __init__(self) -> None:
        self._states: dict[str, State] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._numbers = itertools.count(1)

    @property
    def states(self) -> dict[str, State]:
        """Every organisation as it was last committed; to be read only."""
        return self._states

    @asynccontextmanager
    async def transaction(self, scope: TenantScope) -> AsyncIterator[InMemoryUnitOfWork]:
        async with self.changing(scope.org_id) as state:
            aside = set_aside(state)
            uow = InMemoryUnitOfWork(state)
            yield uow
            await uow.events.flush()
            put_back(state, aside)

    @asynccontextmanager
    async def reopened(self, scope: TenantScope) -> AsyncIterator[InMemoryUnitOfWork]:
        """As `transaction`, in which what is being erased is there."""
        async with self.changing(scope.org_id) as state:
            uow = InMemoryUnitOfWork(state)
            yield uow
            await uow.events.flush()

    @asynccontextmanager
    async def snapshot(self, scope: TenantScope) -> AsyncIterator[InMemoryUnitOfWork]:
        state = self._copy(scope.org_id)
        set_aside(state)
        yield InMemoryUnitOfWork(state)

    @asynccontextmanager
    async def changing(self, org_id: str) -> AsyncIterator[State]:
        """A copy that is kept when the block ends, and forgotten when it raises."""
        async with self._turns[org_id]:
            draft = self._copy(org_id)
            yield draft
            number = next(self._numbers)
            draft.generations |= dict.fromkeys(touched(self._states.get(org_id, State()), draft), number)
            self._states[org_id] = draft

    def _copy(self, org_id: str) -> State:
        return self._states.get(org_id, State()).copy()
