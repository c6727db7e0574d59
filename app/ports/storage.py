"""Storage: one transaction under one tenant scope, and what must be read before a scope is known."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.erasures import PlatformErasure, Thing
from app.domain.generations import Generations
from app.domain.jobs import Claim
from app.domain.seals import Mark
from app.domain.tenancy import Role, TenantScope
from app.ports.consolidation import Consolidations
from app.ports.contradictions import Contradictions
from app.ports.erasures import Erasures, Ledger
from app.ports.events import Events
from app.ports.facts import Facts, Sources
from app.ports.idempotency import Idempotency
from app.ports.imports import Imports
from app.ports.jobs import Jobs
from app.ports.lifecycle import Ageing
from app.ports.messages import Messages, Receipts
from app.ports.observations import Observations
from app.ports.organisations import ApiKeys, Channels, Organisations, People, Stores
from app.ports.past import PastEntries
from app.ports.rules import RuleVersions
from app.ports.seals import Seals
from app.ports.search import Search
from app.ports.stats import Stats
from app.ports.usage import Usage
from app.ports.vectors import Vectors


class UnitOfWork(Protocol):
    """The repositories of one open transaction. All see and write the scope's organisation alone."""

    @property
    def organisations(self) -> Organisations: ...
    @property
    def stores(self) -> Stores: ...
    @property
    def people(self) -> People: ...
    @property
    def channels(self) -> Channels: ...
    @property
    def api_keys(self) -> ApiKeys: ...
    @property
    def messages(self) -> Messages: ...
    @property
    def facts(self) -> Facts: ...
    @property
    def sources(self) -> Sources: ...
    @property
    def past(self) -> PastEntries: ...
    @property
    def events(self) -> Events: ...
    @property
    def seals(self) -> Seals: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def imports(self) -> Imports: ...
    @property
    def receipts(self) -> Receipts: ...
    @property
    def rules(self) -> RuleVersions: ...
    @property
    def search(self) -> Search: ...
    @property
    def vectors(self) -> Vectors: ...
    @property
    def observations(self) -> Observations: ...
    @property
    def consolidations(self) -> Consolidations: ...
    @property
    def contradictions(self) -> Contradictions: ...
    @property
    def ageing(self) -> Ageing: ...
    @property
    def stats(self) -> Stats: ...
    @property
    def usage(self) -> Usage: ...
    @property
    def idempotency(self) -> Idempotency: ...
    @property
    def erasures(self) -> Erasures: ...
    @property
    def ledger(self) -> Ledger: ...

    def savepoint(self) -> AbstractAsyncContextManager[None]:
        """When the block raises, what it did is undone, and the transaction goes on. Raises as `transaction`."""
        ...


class Storage(Protocol):
    """Where memory is kept."""

    def transaction(self, scope: TenantScope) -> AbstractAsyncContextManager[UnitOfWork]:
        """Commits when the block ends, rolls back when it raises.

        With it, and last, the generations of all whom it touched are raised: whoever reads them afterwards reads what
        was written too. What is being erased is not there, and writing into it raises Conflict `erasing`.

        Raises Unavailable when the database cannot be reached or is overloaded, Conflict when two writers collided.
        """
        ...

    def snapshot(self, scope: TenantScope) -> AbstractAsyncContextManager[UnitOfWork]:
        """A read-only transaction in which every read sees one consistent state, with limits wide enough to export."""
        ...


class Closed(Protocol):
    """What is being erased, for the hand that erases it."""

    def reopened(self, scope: TenantScope) -> AbstractAsyncContextManager[UnitOfWork]:
        """As `Storage.transaction`, in which what is being erased is there."""
        ...


@dataclass(frozen=True, slots=True)
class Caller:
    """An API key as the directory knows it, with the person it was asked to speak for.

    `person_role` is None for a contact and for somebody unknown.
    """

    org_id: str
    key_id: str
    role: Role
    act_for_people: bool
    stores: frozenset[str] | None
    agents: frozenset[str] | None
    person_role: Role | None


@dataclass(frozen=True, slots=True)
class Membership:
    """A person of an organisation; `role` is None for a contact."""

    role: Role | None


class Directory(Protocol):
    """What is read before a scope is known: ids, roles and counts, never content."""

    async def find_key(self, digest: bytes, person: str | None, now: datetime) -> Caller | None:
        """The live key with this digest, of an organisation that stands; None when revoked, expired or unknown."""
        ...

    async def find_platform_key(self, digest: bytes) -> bool:
        """Whether this is a live platform key."""
        ...

    async def find_membership(self, org_id: str, user_id: str) -> Membership | None:
        """What the person is in that organisation; None where either is unknown."""
        ...

    async def generations(self, org_id: str, store_id: str | None, user_id: str | None) -> Generations:
        """Those of the organisation, of that store and of that person, as they are committed together.

        0 for whom there is none, or who is not there.
        """
        ...

    async def claim_jobs(self, limit: int, now: datetime) -> list[Claim]:
        """At most `limit` jobs that are due, each leased to the caller; no lane has two running."""
        ...

    async def organisations(self, limit: int, after: str | None = None) -> list[str]:
        """At most `limit` organisations' ids in their order, behind `after`."""
        ...

    async def mark_events(self) -> Mark:
        """How far the places of events are drawn, in all organisations, and who may still write at one of them."""
        ...

    async def unsealed_organisations(self, upto: int, limit: int, after: str | None = None) -> list[str]:
        """As `organisations`, those that have an event up to this place behind their last seal."""
        ...

    async def queue_embedding(self, limit: int, now: datetime) -> int:
        """Queues the embedding of at most `limit` organisations that have documents without vectors, and none under
        way; answers of how many. No organisation ever has two.
        """
        ...

    async def embedded_elsewhere(self, space: str) -> int:
        """How many documents of all organisations have vectors of another space."""
        ...

    async def forget_idempotency(self, before: datetime, limit: int) -> int:
        """Removes at most `limit` idempotency keys that were claimed earlier; answers how many."""
        ...

    async def memberships(self, user_id: str) -> list[str]:
        """The organisations that know a person of this id."""
        ...

    async def find_erasure(self, receipt_id: UUID) -> PlatformErasure | None:
        """The receipt of an organisation's erasure, or of a person's everywhere."""
        ...

    async def erasures(self, limit: int, after: UUID | None = None) -> list[PlatformErasure]:
        """At most `limit` receipts, in order of id, behind `after`."""
        ...

    def erased_digest(self, thing: Thing) -> bytes:
        """What stands for an organisation, or for a person everywhere, in such a receipt."""
        ...

    async def ready(self) -> None:
        """Raises Unavailable with the reason when the database or its schema cannot be used."""
        ...
