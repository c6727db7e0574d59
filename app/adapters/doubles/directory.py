"""What is read before a scope is known, over the storage in memory."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from app.adapters.doubles.erasures import thing_digest
from app.adapters.doubles.jobs import due, is_over, take
from app.adapters.doubles.state import QueuedJob, State
from app.adapters.doubles.storage import InMemoryStorage
from app.adapters.doubles.vectors import InMemoryVectors
from app.domain.erasures import ErasureKind, Extent, PlatformErasure, Thing
from app.domain.generations import Generations
from app.domain.identifiers import uuid7
from app.domain.jobs import EMBEDDING_LANE, Claim, Job, JobKind
from app.domain.organisations import ApiKey
from app.domain.seals import Mark
from app.domain.subjects import OrgSubject, StoreSubject, UserSubject
from app.domain.tenancy import Actor, ActorType
from app.ports.storage import Caller, Membership


class InMemoryDirectory:
    """Looks into all organisations of one storage; `platform_keys` are the digests of those that live."""

    def __init__(self, storage: InMemoryStorage, platform_keys: Collection[bytes] = ()) -> None:
        self._storage = storage
        self._platform_keys = platform_keys

    async def find_key(self, digest: bytes, person: str | None, now: datetime) -> Caller | None:
        for org_id, state in self._storage.states.items():
            for key, kept in state.keys.values():
                if kept == digest and _lives(key, now) and not _closed(state, ORGANISATION):
                    closed = _closed(state, Extent(ErasureKind.PERSON, person or ""))
                    known = state.people.get(person) if person is not None and not closed else None
                    return Caller(
                        org_id=org_id,
                        key_id=str(key.id),
                        role=key.role,
                        act_for_people=key.act_for_people,
                        stores=None if key.store_ids is None else frozenset(key.store_ids),
                        agents=None if key.agent_ids is None else frozenset(key.agent_ids),
                        person_role=known.role if known else None,
                    )
        return None

    async def find_platform_key(self, digest: bytes) -> bool:
        return digest in self._platform_keys

    async def find_membership(self, org_id: str, user_id: str) -> Membership | None:
        state = self._storage.states.get(org_id)
        if state is None or _closed(state, ORGANISATION) or _closed(state, Extent(ErasureKind.PERSON, user_id)):
            return None
        person = state.people.get(user_id)
        return Membership(person.role) if person else None

    async def generations(self, org_id: str, store_id: str | None, user_id: str | None) -> Generations:
        state = self._storage.states.get(org_id)
        numbers = state.generations if state and state.organisation else {}
        store = numbers.get(StoreSubject(store_id), 0) if state and store_id in state.stores else 0
        person = numbers.get(UserSubject(user_id), 0) if state and user_id in state.people else 0
        return Generations(numbers.get(OrgSubject(), 0), store, person)

    async def claim_jobs(self, limit: int, now: datetime) -> list[Claim]:
        """Organisations take turns, so that one with a long queue does not hold up the others."""
        waiting = [
            (turn, org_id, job_id)
            for org_id, state in self._storage.states.items()
            for turn, job_id in enumerate(due(state, now))
        ]
        claims = []
        for _, org_id, job_id in sorted(waiting)[:limit]:
            async with self._storage.changing(org_id) as state:
                if job_id in due(state, now):
                    claims.append(Claim(org_id, job_id, take(state, job_id, now)))
        return claims

    async def organisations(self, limit: int, after: str | None = None) -> list[str]:
        standing = [org_id for org_id, state in self._storage.states.items() if state.organisation]
        return sorted(org_id for org_id in standing if org_id > (after or ""))[:limit]

    async def mark_events(self) -> Mark:
        return Mark(max((len(state.lines) for state in self._storage.states.values()), default=0))

    async def unsealed_organisations(self, upto: int, limit: int, after: str | None = None) -> list[str]:
        def is_unsealed(state: State) -> bool:
            behind = max((seal.last_place for seal in state.seals.values()), default=0)
            return any(behind < line.place <= upto for line in state.lines.values())

        states = self._storage.states
        standing = [org_id for org_id, state in states.items() if state.organisation and is_unsealed(state)]
        return sorted(org_id for org_id in standing if org_id > (after or ""))[:limit]

    async def queue_embedding(self, limit: int, now: datetime) -> int:
        queued = 0
        for org_id in sorted(self._storage.states):
            async with self._storage.changing(org_id) as state:
                idle = all(kept.job.lane != EMBEDDING_LANE or is_over(kept.job) for kept in state.jobs.values())
                if queued < limit and idle and await InMemoryVectors(state).lacking(1):
                    job = Job(uuid7(), JobKind.EMBEDDING, EMBEDDING_LANE, {}, Actor(ActorType.WORKER, "worker"), now)
                    state.jobs[job.id] = QueuedJob(job, now)
                    queued += 1
        return queued

    async def embedded_elsewhere(self, space: str) -> int:
        there = [InMemoryVectors(state) for state in self._storage.states.values() if state.organisation]
        return sum([await vectors.elsewhere(space) for vectors in there])

    async def forget_idempotency(self, before: datetime, limit: int) -> int:
        gone = 0
        for org_id in list(self._storage.states):
            async with self._storage.changing(org_id) as state:
                old = [key for key, held in state.claims.items() if held.claim.at < before][: limit - gone]
                state.claims = {key: held for key, held in state.claims.items() if key not in old}
                gone += len(old)
        return gone

    async def memberships(self, user_id: str) -> list[str]:
        states = self._storage.states.items()
        return sorted(org_id for org_id, state in states if state.organisation and user_id in state.people)

    async def find_erasure(self, receipt_id: UUID) -> PlatformErasure | None:
        return next((one for one in self._erasures() if one.receipt_id == receipt_id), None)

    async def erasures(self, limit: int, after: UUID | None = None) -> list[PlatformErasure]:
        found = sorted(self._erasures(), key=lambda one: one.receipt_id)
        return [one for one in found if after is None or one.receipt_id > after][:limit]

    def erased_digest(self, thing: Thing) -> bytes:
        return thing_digest(thing)

    def _erasures(self) -> list[PlatformErasure]:
        return [one for state in self._storage.states.values() for one, _ in state.platform.values()]

    async def ready(self) -> None:
        """Always."""


ORGANISATION = Extent(ErasureKind.ORGANISATION)


def _closed(state: State, extent: Extent) -> bool:
    return any(kept.erasure.extent == extent and not kept.erasure.completed_at for kept in state.erasures.values())


def _lives(key: ApiKey, now: datetime) -> bool:
    return key.revoked_at is None and (key.expires_at is None or key.expires_at > now)
