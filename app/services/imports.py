"""Importing: a file that was found whole waits in the database, and a job brings it in, a stretch at a time."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from app.domain.errors import TooMany
from app.domain.events import EventKind, event
from app.domain.identifiers import uuid7
from app.domain.imports import Staged, Step
from app.domain.jobs import IMPORT_LANE, Claim, Job, JobKind
from app.domain.tenancy import TenantScope
from app.domain.values import JsonValue
from app.ports.clock import Clock
from app.ports.storage import Storage, UnitOfWork
from app.services.bringing import STEPS, Bringing, is_empty
from app.services.folds import Author
from app.services.import_beliefs import bring_beliefs
from app.services.intake import Intake
from app.services.learning import StaleClaimError
from app.services.organisations import standing
from app.services.refusals import unerased
from app.services.settings import require_unlimited

AT_ONCE: Final = 2
"""Files of one organisation that arrive at the same time."""
RECORDS: Final = 200
"""Records of one stretch, which is one transaction."""
SECONDS: Final = 15.0
"""After so long the job goes back to the queue, so that others have their turn and its lease holds."""
_RETRY_AFTER: Final = 10


@dataclass(frozen=True, slots=True)
class Tally:
    """How far an import has come, in records. `unchanged` were there already; `kept` are those of which something else
    is there, which stays; `refused` were erased here, or are of somebody who wants nothing remembered; `left_out` are
    facts without what they rest on. `into_empty`: the organisation had nothing of its own.
    """

    total: int = 0
    done: int = 0
    stored: int = 0
    unchanged: int = 0
    kept: int = 0
    refused: int = 0
    left_out: int = 0
    into_empty: bool = False

    @classmethod
    def of(cls, job: Job) -> "Tally":
        """As the job told it last."""
        total: Any = job.payload.get("total", 0)
        told: Any = job.result or {}
        return cls(**{**told, "total": total})

    def result(self) -> dict[str, JsonValue]:
        """What callers are told of it, from the first stretch on."""
        return asdict(self)

    def plus(self, counted: Mapping[str, int]) -> "Tally":
        """With what became of more records."""
        more = {name: getattr(self, name) + count for name, count in counted.items()}
        return replace(self, **more, done=self.done + sum(counted.values()))


@dataclass(frozen=True, slots=True)
class Imports:
    """Takes files in, and brings them in. `on_queued` is told when work waits, once it is committed."""

    storage: Storage
    clock: Clock
    on_queued: Callable[[], None] = field(default=lambda: None)
    arriving: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def place(self, org_id: str) -> Iterator[None]:
        """Around the arrival of a file. Raises TooMany beyond `AT_ONCE`."""
        if self.arriving[org_id] >= AT_ONCE:
            detail = f"{AT_ONCE} files of this organisation are arriving; wait for one to end."
            raise TooMany("too_many_imports", detail, _RETRY_AFTER)
        self.arriving[org_id] += 1
        try:
            yield
        finally:
            self.arriving[org_id] -= 1
            if not self.arriving[org_id]:
                del self.arriving[org_id]

    async def accept(self, scope: TenantScope, intake: Intake) -> Job:
        """Keep a whole file, and queue the job that brings it in. Raises Forbidden for a limited key, NotFound."""
        require_unlimited(scope)
        job = Job(
            id=uuid7(),
            kind=JobKind.IMPORT,
            lane=IMPORT_LANE,
            payload={"total": intake.records},
            created_by=scope.actor,
            created_at=self.clock(),
            key_id=scope.key_id,
        )
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            await uow.jobs.add(job)
            async for batch in intake.batches():
                await uow.imports.add(job.id, batch)
        self.on_queued()
        return job

    async def run(self, scope: TenantScope, claim: Claim) -> None:
        """Bring in the next records, a stretch in a transaction, then mark the job done, or queue it to go on.

        What is brought in waits no more, so that whoever begins again repeats nothing. Raises StaleClaimError, and what
        storage raises; what was brought in by then stays.
        """
        async with self.storage.transaction(scope) as uow:
            job = await uow.jobs.get(claim.job_id)
        if job is None:
            raise StaleClaimError
        tally, after, ends_at = Tally.of(job), None, time.monotonic() + SECONDS
        while after is None or time.monotonic() <= ends_at:
            async with self.storage.transaction(scope) as uow:
                records = await uow.imports.next(job.id, RECORDS, after)
                if not records:
                    return await self._finish(uow, claim, job, tally)
                tally = await self._stretch(uow, job, records, tally)
                if not await uow.jobs.report(claim, tally.result()):
                    raise StaleClaimError
            after = records[-1]
        async with self.storage.transaction(scope) as uow:
            if not await uow.jobs.proceed(claim, job.payload, self.clock()):
                raise StaleClaimError
        return None

    async def _stretch(self, uow: UnitOfWork, job: Job, records: Sequence[Staged], tally: Tally) -> Tally:
        step, refused = records[0].step, 0
        author = Author(job.created_by, self.clock(), "imported")
        if step is Step.ORGANISATION:
            tally = replace(tally, into_empty=await is_empty(uow))

        async def allowed(found: Sequence[Staged]) -> list[Staged]:
            nonlocal refused
            await uow.imports.remove(job.id, [one.seq for one in found])
            kept = await unerased(uow, found)
            refused += len(found) - len(kept)
            return kept

        bringing = Bringing(uow, job.id, author, tally.into_empty, allowed)
        wanted = await allowed(records)
        bring = bring_beliefs if step is Step.BELIEFS else STEPS[step]
        counted = await bring(bringing, wanted)
        return tally.plus({**counted, "refused": counted["refused"] + refused})

    async def _finish(self, uow: UnitOfWork, claim: Claim, job: Job, tally: Tally) -> None:
        now = self.clock()
        await uow.events.append([event(EventKind.IMPORTED, job.created_by, now, new=tally.result())])
        if not await uow.jobs.finish(claim, tally.result(), now):
            raise StaleClaimError
