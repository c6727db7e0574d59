"""An organisation's memory in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.domain.decay import Tier
from app.domain.jobs import JobStatus
from app.domain.subjects import Scope

RATE_DAYS = 30
"""Rates are means over so many days."""


class FactState(StrEnum):
    """How rows stand. A row is in one state."""

    LIVE = "live"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class FactCount:
    """The rows of one scope, tier and state. `size` in bytes, as stored; ages go by when a row was last reinforced."""

    scope: Scope
    tier: Tier
    state: FactState
    count: int
    pinned: int
    contradicted: int
    size: int
    oldest_at: datetime
    newest_at: datetime


@dataclass(frozen=True, slots=True)
class Volume:
    """How much of a kind is kept, in rows and bytes, and since when; None where there is none."""

    count: int = 0
    size: int = 0
    oldest_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """Counts alone, no words. `created` and `confirmed` are of the last `RATE_DAYS` days."""

    facts: tuple[FactCount, ...]
    created: int
    confirmed: int
    messages: Volume
    observations: Volume
    open_contradictions: int
    jobs: Mapping[JobStatus, int]
