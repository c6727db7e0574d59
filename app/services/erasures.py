"""Erasing a person, a store, a memory or an organisation: at once where it is small, else closed, and by a job."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from app.domain.erasures import AT_ONCE_ROWS, Erasure, ErasureKind, Extent, PlatformErasure, Thing, person_thing
from app.domain.errors import Forbidden, Invalid, NotFound
from app.domain.identifiers import uuid7
from app.domain.jobs import ERASURE_LANE, Claim, Job, JobKind
from app.domain.tenancy import Actor, ActorType, Rank, TenantScope
from app.ports.cache import Cache
from app.ports.clock import Clock
from app.ports.storage import Closed, Directory, Storage, UnitOfWork
from app.services.erasing import Stretch, close, on_the_platform, thing_of
from app.services.folds import Author
from app.services.learning import StaleClaimError
from app.services.organisations import standing
from app.services.people import record_role, require_another_owner

AT_ONCE_KEYS: Final = 50
AT_ONCE_MESSAGES: Final = 500  # of a store: what they state of others is folded anew
SECONDS: Final = 10.0
"""After so long a job goes back to the queue, so that its lease holds."""
Check = Callable[[UnitOfWork], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Erasures:
    """Erases extents, and runs the jobs that do. `on_queued` is told when work waits."""

    storage: Storage
    closed: Closed
    directory: Directory
    clock: Clock
    cache: Cache
    on_queued: Callable[[], None] = field(default=lambda: None)

    async def get(self, scope: TenantScope, receipt_id: UUID) -> Erasure:
        """The receipt, for admins, for whom it was about and for who asked. Raises NotFound for everybody else, and for
        a limited key: a receipt may name messages of anywhere.
        """
        limited, whole = scope.stores is not None or scope.agents is not None, scope.rank >= Rank.ADMIN
        if limited or (not whole and scope.person is None):
            raise NotFound
        async with self.storage.transaction(scope) as uow:
            erasure = await uow.erasures.get(receipt_id, None if whole else scope.person)
        if erasure is None:
            raise NotFound
        return erasure

    async def person(self, scope: TenantScope, user_id: str, *, keep_shared: bool = False) -> Erasure:
        """The person is not there any more, nor what is about them and what they said, in whatever scope.

        `keep_shared`, for owners and a replay: what they said of shared things stays, as nobody's. Raises NotFound for
        who is not there for this caller, Forbidden, Conflict `last_owner` and `erasing`.
        """
        themself = scope.person == user_id
        if not themself and scope.rank not in (Rank.ADMIN, Rank.OWNER, Rank.PLATFORM):
            raise NotFound
        if keep_shared and scope.rank not in (Rank.OWNER, Rank.PLATFORM):
            raise Forbidden
        if scope.agents is not None or (scope.stores is not None and not themself):
            raise _limited()

        async def check(uow: UnitOfWork) -> None:
            known = await uow.people.get(user_id)
            if known is not None and not themself and Rank.of(known.role) > scope.rank > Rank.PLATFORM:
                raise Forbidden
            await require_another_owner(uow, user_id)
            person = await uow.people.get(user_id, hold=True)
            if person is None:
                raise NotFound
            await record_role(uow, scope, user_id, person.role, None, self.clock())

        extent = Extent(ErasureKind.PERSON, user_id)
        return await self._erase(scope, extent, check, keeps_shared=keep_shared)

    async def store(self, scope: TenantScope, store_id: str) -> Erasure:
        """The store is not there any more, nor its facts, its messages and what happened in it. What was said there of
        somebody or something else stays, without the message. Raises NotFound, Forbidden, Conflict `erasing`.
        """
        _require_whole(scope)

        async def check(uow: UnitOfWork) -> None:
            if await uow.stores.get(store_id, hold=True) is None:
                raise NotFound

        return await self._erase(scope, Extent(ErasureKind.STORE, store_id), check)

    async def memory(self, scope: TenantScope, confirm: str | None, *, shared_only: bool) -> Erasure:
        """Nothing is remembered any more; the organisation, its people, stores, keys, rules and settings stay.

        `shared_only`: what is remembered of the organisation and its stores goes, messages and what is about people
        stay. `confirm` is the organisation's id, Invalid else. Raises Forbidden, Conflict `erasing`.
        """
        _require_whole(scope)
        if confirm != scope.org_id:
            raise Invalid("confirm", "Confirm with ?confirm= and the organisation's id, in the query.")
        return await self._erase(scope, Extent(ErasureKind.SHARED if shared_only else ErasureKind.MEMORY), standing)

    async def organisation(self, scope: TenantScope) -> Erasure:
        """Nothing of the organisation is there any more, and its keys open nothing; its receipt is the platform's.

        Raises NotFound, Conflict `erasing`.
        """
        return await self._erase(scope, Extent(ErasureKind.ORGANISATION), standing, platform=uuid7())

    async def everywhere(self, user_id: str, scope_of: Callable[[str], TenantScope]) -> PlatformErasure:
        """The person is in no organisation any more; one receipt for all. `scope_of` is the platform's hand in each.

        Raises NotFound where nobody knows them, Conflict `last_owner` where one organisation has no other: then those
        that were before it are done.
        """
        org_ids = await self.directory.memberships(user_id)
        if not org_ids:
            raise NotFound
        receipt_id = uuid7()
        for org_id in org_ids:
            scope = scope_of(org_id)
            async with self.storage.transaction(scope) as uow:
                await require_another_owner(uow, user_id)
        for org_id in org_ids:
            scope = scope_of(org_id)

            async def check(uow: UnitOfWork, scope: TenantScope = scope) -> None:
                await require_another_owner(uow, user_id)
                person = await uow.people.get(user_id, hold=True)
                if person is not None:
                    await record_role(uow, scope, user_id, person.role, None, self.clock())

            await self._erase(scope, Extent(ErasureKind.PERSON, user_id), check, platform=receipt_id)
        return await self.on_platform(receipt_id)

    async def on_platform(self, receipt_id: UUID) -> PlatformErasure:
        """The receipt of an organisation's erasure, or of a person's everywhere. Raises NotFound."""
        found = await self.directory.find_erasure(receipt_id)
        if found is None:
            raise NotFound
        return found

    async def run(self, scope: TenantScope, claim: Claim) -> None:
        """Strike for a while, a transaction for each stretch, then finish, or go back to the queue. Begun again it goes
        on. Raises StaleClaimError where another one has the job.
        """
        ends = time.monotonic() + SECONDS
        while not await self._stretch(scope, claim):
            if time.monotonic() > ends:
                async with self.closed.reopened(scope) as uow:
                    job = await uow.jobs.get(claim.job_id)
                    if job is None or not await uow.jobs.proceed(claim, job.payload, self.clock()):
                        raise StaleClaimError
                return

    async def _stretch(self, scope: TenantScope, claim: Claim) -> bool:
        """Whether that was the last one."""
        async with self.closed.reopened(scope) as uow:
            job = await uow.jobs.get(claim.job_id)
            erasure = await uow.erasures.get(claim.job_id, hold=True)
            if job is None or erasure is None:
                raise StaleClaimError
            author = Author(job.created_by, self.clock())
            stretch = Stretch(uow, erasure, author)
            if not await stretch.strike():
                await uow.erasures.save(stretch.told)
                return False
            if not await uow.jobs.finish(claim, {"receipt_id": str(erasure.receipt_id)}, author.now):
                raise StaleClaimError
            done = await close(uow, stretch.told, scope.org_id, author, await self.cache.forget(scope))
            if platform := job.payload.get("platform"):
                await self._tell(uow, scope, done, UUID(str(platform)), parts=-1)
            return True

    async def _erase(
        self,
        scope: TenantScope,
        extent: Extent,
        check: Check,
        *,
        keeps_shared: bool = False,
        platform: UUID | None = None,
    ) -> Erasure:
        async with self.storage.transaction(scope) as uow:
            await check(uow)
            author = Author(scope.actor, self.clock())
            receipt_id = platform if platform and extent.kind is ErasureKind.ORGANISATION else uuid7()
            erasure = Erasure(receipt_id, extent, author.now, keeps_shared=keeps_shared)
            at_once = await _is_small(uow, extent)
            if at_once:
                stretch = Stretch(uow, erasure, author, left=10 * AT_ONCE_ROWS)
                await stretch.strike()
                await uow.erasures.save(erasure, _readers(scope, extent))
                erasure = await close(uow, stretch.told, scope.org_id, author, await self.cache.forget(scope))
            else:
                await uow.erasures.save(erasure, _readers(scope, extent))
                await uow.jobs.add(_job(scope, erasure, platform))
            if platform is not None:
                await self._tell(uow, scope, erasure, platform, parts=0 if at_once else 1)
        if not at_once:
            self.on_queued()
        return erasure

    async def _tell(self, uow: UnitOfWork, scope: TenantScope, erasure: Erasure, receipt_id: UUID, parts: int) -> None:
        """What outlives it."""
        told = on_the_platform(erasure, receipt_id, erasure.extent.kind, self.clock())
        await uow.erasures.tell_platform(told, thing_of(erasure.extent, scope.org_id), parts)


async def _is_small(uow: UnitOfWork, extent: Extent) -> bool:
    if extent.kind is ErasureKind.PERSON and len(await uow.sources.refs_said_by(extent.id)) > AT_ONCE_KEYS:
        return False
    if extent.kind is ErasureKind.STORE:
        said = await uow.erasures.messages(extent, AT_ONCE_MESSAGES + 1)
        if len(said) > AT_ONCE_MESSAGES:
            return False
    return await uow.erasures.size(extent, AT_ONCE_ROWS) <= AT_ONCE_ROWS


def _job(scope: TenantScope, erasure: Erasure, platform: UUID | None) -> Job:
    """It bears the receipt's id. A person who erases themself is not named as its maker."""
    themself = scope.actor == Actor(ActorType.PERSON, erasure.extent.id)
    return Job(
        id=erasure.receipt_id,
        kind=JobKind.ERASURE,
        lane=ERASURE_LANE,
        payload={"platform": str(platform) if platform else None},
        created_by=Actor(ActorType.WORKER, "worker") if themself else scope.actor,
        created_at=erasure.began_at,
        key_id=scope.key_id,
    )


def _readers(scope: TenantScope, extent: Extent) -> list[Thing]:
    """Whom it is about, and who asked."""
    named = (extent.id if extent.kind is ErasureKind.PERSON else None, scope.person)
    return [person_thing(user_id) for user_id in dict.fromkeys(named) if user_id]


def _require_whole(scope: TenantScope) -> None:
    if scope.stores is not None or scope.agents is not None:
        raise _limited()


def _limited() -> Forbidden:
    return Forbidden("limited_key", "A key that is limited to stores or agents does not erase more than single things.")
