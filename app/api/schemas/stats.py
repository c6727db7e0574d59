"""The memory in numbers, as members read it."""

from datetime import datetime
from typing import Any

from pydantic import ConfigDict

from app.api.schemas.common import Answer
from app.domain.decay import Tier
from app.domain.jobs import JobStatus
from app.domain.stats import RATE_DAYS, FactState, MemoryStats, Volume
from app.domain.subjects import Scope
from app.ports.vectors import Progress

_VOLUME: Any = {"count": 128, "bytes": 40_960, "oldest_at": "2026-11-01T09:00:00Z"}


class VolumeOut(Answer):
    """How many there are, how many bytes their words take, and since when; null where there is none."""

    model_config = ConfigDict(json_schema_extra={"example": _VOLUME})

    count: int
    bytes: int
    oldest_at: datetime | None

    @classmethod
    def of(cls, volume: Volume) -> "VolumeOut":
        """The same."""
        return cls(count=volume.count, bytes=volume.size, oldest_at=volume.oldest_at)


class FactCountOut(Answer):
    """The facts of one scope, tier and state. `oldest_at` and `newest_at`: when the first and last was reinforced."""

    scope: Scope
    tier: Tier
    state: FactState
    count: int
    pinned: int
    contradicted: int
    bytes: int
    oldest_at: datetime
    newest_at: datetime


class RatesOut(Answer):
    """Means over the last 30 days."""

    created_per_day: float
    confirmed_per_day: float


class EmbeddedOut(Answer):
    """How many of what can be found the model in use has embedded: only these are found by what they mean.

    What `failed` is tried again each day.
    """

    documents: int
    embedded: int
    failed: int

    @classmethod
    def of(cls, progress: Progress) -> "EmbeddedOut":
        """The same."""
        return cls(documents=progress.total, embedded=progress.embedded, failed=progress.failed)


class StatsOut(Answer):
    """Counts alone: facts by scope, tier and state, rates, sizes, ages, open contradictions, jobs by status.

    `embedded` is null where there is no embedder, and for limited keys.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "facts": [
                    {
                        "scope": "store",
                        "tier": "stable",
                        "state": "live",
                        "count": 42,
                        "pinned": 3,
                        "contradicted": 2,
                        "bytes": 5120,
                        "oldest_at": "2026-10-01T09:00:00Z",
                        "newest_at": "2026-11-30T09:00:00Z",
                    }
                ],
                "rates": {"created_per_day": 1.4, "confirmed_per_day": 0.5},
                "messages": _VOLUME,
                "observations": {"count": 0, "bytes": 0, "oldest_at": None},
                "open_contradictions": 1,
                "jobs": {"done": 128, "dead": 1},
                "embedded": {"documents": 490, "embedded": 489, "failed": 1},
            }
        }
    )

    facts: list[FactCountOut]
    rates: RatesOut
    messages: VolumeOut
    observations: VolumeOut
    open_contradictions: int
    jobs: dict[JobStatus, int]
    embedded: EmbeddedOut | None

    @classmethod
    def of(cls, stats: MemoryStats, progress: Progress | None = None) -> "StatsOut":
        """The numbers as callers see them."""
        counts = [
            FactCountOut(
                scope=row.scope,
                tier=row.tier,
                state=row.state,
                count=row.count,
                pinned=row.pinned,
                contradicted=row.contradicted,
                bytes=row.size,
                oldest_at=row.oldest_at,
                newest_at=row.newest_at,
            )
            for row in stats.facts
        ]
        return cls(
            facts=counts,
            rates=RatesOut(
                created_per_day=stats.created / RATE_DAYS,
                confirmed_per_day=stats.confirmed / RATE_DAYS,
            ),
            messages=VolumeOut.of(stats.messages),
            observations=VolumeOut.of(stats.observations),
            open_contradictions=stats.open_contradictions,
            jobs=dict(stats.jobs),
            embedded=EmbeddedOut.of(progress) if progress else None,
        )
