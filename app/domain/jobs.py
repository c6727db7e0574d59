"""Durable work: a job is stored with what caused it, tried until it is done, and given up visibly."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from app.domain.tenancy import Actor, ActorType
from app.domain.values import JsonValue

MAX_ATTEMPTS = 8
LEASE = timedelta(seconds=60)
"""A worker that has not finished by then is taken for dead, and the job is tried again."""
CONSOLIDATION_LANE = "consolidation"
"""One job about many people of an organisation runs at a time."""
_LONGEST_WAIT = timedelta(minutes=15)


class JobKind(StrEnum):
    """What a job does."""

    TURN = "turn"
    CONSOLIDATION = "consolidation"


class JobStatus(StrEnum):
    """`failed`: an attempt failed and another follows; `dead`: given up, until somebody retries it."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    DEAD = "dead"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work. `payload` holds ids, never words. Jobs of one `lane` run one after the other, oldest first.

    `created_by` asked for it, by way of the API key `key_id`, if any; `user_id` is the person whose words it reads.
    """

    id: UUID
    kind: JobKind
    lane: str
    payload: Mapping[str, JsonValue]
    created_by: Actor
    created_at: datetime
    key_id: str | None = None
    user_id: str | None = None
    status: JobStatus = JobStatus.QUEUED
    attempts: int = 0
    error: str | None = None
    finished_at: datetime | None = None
    result: Mapping[str, JsonValue] | None = field(default=None)

    @property
    def makers(self) -> tuple[Actor, ...]:
        """Who may follow it: whoever asked for it, and the key by itself that they asked with."""
        return (self.created_by, Actor(ActorType.KEY, self.key_id)) if self.key_id else (self.created_by,)


@dataclass(frozen=True, slots=True)
class Claim:
    """A worker's right to one attempt at a job; the attempt fences the result."""

    org_id: str
    job_id: UUID
    attempt: int


def wait_before(attempt: int, jitter: float) -> timedelta:
    """How long to wait after failed attempt number `attempt` (from 1): 1 s doubling to 15 minutes, ± 25 %.

    `jitter` lies in [0, 1).
    """
    plain = min(timedelta(seconds=2.0 ** (attempt - 1)), _LONGEST_WAIT)
    return plain * (0.75 + jitter / 2)
