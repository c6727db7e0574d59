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
EMBEDDING_LANE = "embedding"
"""One job makes an organisation's vectors."""
IMPORT_LANE = "import"
"""One file is imported at a time."""
ERASURE_LANE = "erasure"
"""One job of an organisation erases at a time."""
PATIENCE = timedelta(days=3)
"""For so long from its making a job waits for what is away without its attempts being counted."""
_LONGEST_WAIT = timedelta(minutes=15)
_SHORTEST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=1), timedelta(minutes=5)


class NotNow(Exception):
    """A job cannot be done before `until`, through no fault of its own: the attempt does not count. `code` says why."""

    def __init__(self, code: str, until: datetime) -> None:
        super().__init__(code)
        self.code = code
        self.until = until


class JobKind(StrEnum):
    """What a job does."""

    TURN = "turn"
    CONSOLIDATION = "consolidation"
    EMBEDDING = "embedding"
    IMPORT = "import"
    ERASURE = "erasure"


NEVER_GIVEN_UP = frozenset({JobKind.ERASURE})
"""What was promised; it is tried until it is done."""


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
    """How long to wait after failed attempt number `attempt` (from 1): 1 s tripling to 15 minutes, ± 25 %.

    `jitter` lies in [0, 1). All attempts together span 18 minutes: what is wrong for ten is over by the last.
    """
    plain = timedelta(seconds=min(3.0 ** (attempt - 1), _LONGEST_WAIT.total_seconds()))
    return plain * (0.75 + jitter / 2)


def pause_while_away(age: timedelta, told: timedelta, jitter: float) -> timedelta:
    """How long a job of that age waits for what is away: half its age, 1 s to 5 minutes, never less than was `told`.

    Up to 25 % more, by a `jitter` in [0, 1). The longer something is away, the seldomer what waits for it asks.
    """
    by_age = min(max(age / 2, _SHORTEST_PAUSE), _LONGEST_PAUSE)
    return max(told, by_age) * (1 + jitter / 4)
