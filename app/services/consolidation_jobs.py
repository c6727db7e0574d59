"""Consolidating many people: a job that goes through those who have something to consolidate, a stretch at a time."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from app.domain.errors import Conflict, Forbidden, NotFound, RetenirError
from app.domain.identifiers import first_uuid7, uuid7
from app.domain.jobs import CONSOLIDATION_LANE, Claim, Job, JobKind
from app.domain.tenancy import TenantScope
from app.domain.values import JsonValue
from app.ports.clock import Clock
from app.ports.storage import Storage
from app.services.consolidation import Outcome, consolidate
from app.services.duplicates import Compared, Duplicates
from app.services.learning import StaleClaimError
from app.services.lifecycle import Lifecycle, Swept

PEOPLE = 50
SECONDS = 15.0
"""After so many people or so long a job goes back to the queue, so that others have their turn and its lease holds."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """How far a job has come: for one store or all, the last person done, and what was changed so far."""

    store_id: str | None = None
    after: str | None = None
    people: int = 0
    created: int = 0
    reinforced: int = 0
    expired: int = 0
    archived: int = 0
    failed: int = 0
    merged: int = 0
    superseded: int = 0
    opposed: int = 0

    @classmethod
    def of(cls, payload: Mapping[str, Any]) -> "Stretch":
        """As `payload` told it."""
        return cls(**payload)

    def payload(self) -> dict[str, JsonValue]:
        """As a job keeps it: ids and counts."""
        return asdict(self)

    def result(self) -> dict[str, JsonValue]:
        """What callers are told when it is done."""
        return {name: count for name, count in asdict(self).items() if name not in ("store_id", "after")}

    def with_person(self, user_id: str, outcome: Outcome | None) -> "Stretch":
        """One person further; None where consolidating them failed."""
        if outcome is None:
            return replace(self, after=user_id, failed=self.failed + 1)
        return replace(
            self,
            after=user_id,
            people=self.people + 1,
            created=self.created + outcome.created,
            reinforced=self.reinforced + outcome.reinforced,
            expired=self.expired + outcome.expired,
        )

    def with_age(self, swept: Swept) -> "Stretch":
        """With what was done about age."""
        return replace(self, expired=self.expired + swept.expired, archived=self.archived + swept.archived)

    def with_likeness(self, compared: Compared) -> "Stretch":
        """With what was found out by comparing facts."""
        return replace(
            self,
            merged=self.merged + compared.merged,
            superseded=self.superseded + compared.ended,
            opposed=self.opposed + compared.opposed,
        )


@dataclass(frozen=True, slots=True)
class ConsolidationJobs:
    """Asks for such jobs, and runs them. The one about everybody also sees to what has faded or had its time.

    `on_queued` is told when work waits, once it is committed.
    """

    storage: Storage
    clock: Clock
    duplicates: Duplicates
    on_queued: Callable[[], None] = field(default=lambda: None)

    async def ask(self, scope: TenantScope, store_id: str | None) -> UUID:
        """Queue the consolidation of everybody, or of those who were observed in a store. Answers the job's id.

        Raises NotFound for a store that is not there for this caller, Forbidden for a limited key that asks for more.
        """
        if scope.agents is not None or (scope.stores is not None and store_id is None):
            raise Forbidden("limited_key", "A key that is limited to stores or agents does not consolidate everybody.")
        job = self._job(scope, uuid7(), Stretch(store_id))
        async with self.storage.transaction(scope) as uow:
            if store_id is not None and (not scope.reaches_store(store_id) or await uow.stores.get(store_id) is None):
                raise NotFound
            await uow.jobs.add(job)
        self.on_queued()
        return job.id

    async def ask_daily(self, scope: TenantScope) -> bool:
        """Queue the day's consolidation of everybody, once, however many ask; answers whether this one did."""
        midnight = self.clock().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        job = self._job(scope, daily_id(midnight), Stretch())
        with suppress(Conflict):
            async with self.storage.transaction(scope) as uow:
                if await uow.jobs.get(job.id) is None:
                    await uow.jobs.add(job)
                    return True
        return False

    async def run(self, scope: TenantScope, claim: Claim) -> None:
        """Consolidate the next people, each in a transaction, then mark the job done, or queue it to go on from there.
        Behind the last one facts are compared, and behind everybody comes `Lifecycle`.

        Begun again it repeats nobody: who is done has nothing left. One who fails is left to the next job. Raises
        StaleClaimError, and what storage raises where it raises it for everybody.
        """
        async with self.storage.transaction(scope) as uow:
            job = await uow.jobs.get(claim.job_id)
        if job is None:
            raise StaleClaimError
        done, finished = await self._go_on(scope, Stretch.of(job.payload))
        async with self.storage.transaction(scope) as uow:
            if finished:
                held = await uow.jobs.finish(claim, done.result(), self.clock())
            else:
                held = await uow.jobs.proceed(claim, done.payload(), self.clock())
            if not held:
                raise StaleClaimError

    async def _go_on(self, scope: TenantScope, begun: Stretch) -> tuple[Stretch, bool]:
        """How far it came, and whether that is the end."""
        people, ends_at = await self._due(scope, begun), time.monotonic() + SECONDS

        def go_on() -> bool:
            return time.monotonic() <= ends_at

        done, fault = begun, None
        for person in people:
            if not go_on():
                return done, False
            try:
                done = done.with_person(person, await self._consolidate(scope, person))
            except RetenirError as error:
                done, fault = done.with_person(person, None), error
        if fault is not None and done.people == begun.people:
            raise fault
        if len(people) == PEOPLE:
            return done, False
        compared = await self.duplicates.run(scope, go_on)
        done = done.with_likeness(compared)
        if compared.more or begun.store_id is not None:
            return done, not compared.more
        swept = await Lifecycle(self.storage).run(scope, self.clock(), go_on)
        return done.with_age(swept), not swept.more

    async def _due(self, scope: TenantScope, stretch: Stretch) -> list[str]:
        """The next people who were observed; where it is about everybody, also those of whom something has faded."""
        async with self.storage.transaction(scope) as uow:
            found = await uow.observations.people_with_unconsolidated(PEOPLE, stretch.after, stretch.store_id)
            if stretch.store_id is None:
                found += await uow.facts.people_with_faded_behaviour(self.clock(), PEOPLE, stretch.after)
        return sorted(set(found))[:PEOPLE]

    async def _consolidate(self, scope: TenantScope, user_id: str) -> Outcome:
        outcome = Outcome(more=True)
        while outcome.more:
            async with self.storage.transaction(scope) as uow:
                outcome = outcome.then(await consolidate(uow, user_id, scope.actor, self.clock))
        return outcome

    def _job(self, scope: TenantScope, job_id: UUID, stretch: Stretch) -> Job:
        return Job(
            id=job_id,
            kind=JobKind.CONSOLIDATION,
            lane=CONSOLIDATION_LANE,
            payload=stretch.payload(),
            created_by=scope.actor,
            created_at=self.clock(),
            key_id=scope.key_id,
        )


def daily_id(midnight: datetime) -> UUID:
    """The id of a day's job, the same whoever asks: in its organisation nothing else bears the first id of a day."""
    return first_uuid7(midnight)
