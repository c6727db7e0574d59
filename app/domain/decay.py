"""How belief fades: half-lives by tier, strength, and the stored rank that orders by score at any instant."""

import math
from datetime import datetime, timedelta
from enum import StrEnum

DAY_SECONDS = 86_400.0
ARCHIVE_BELOW = 0.2
"""A fact whose score falls under this has faded, unless its tier has another line."""
EXPIRE_BELOW = 0.1
"""A behavioural fact whose strength falls under this is deleted."""
BEHAVIOUR_HALF_LIFE_DAYS = math.log(0.5) / math.log(0.95)
"""13.513: a behavioural fact keeps 95 % of its strength each day (seed 000)."""


class Tier(StrEnum):
    """How long a fact is expected to hold; `domain.tiers` has the numbers."""

    IDENTITY = "identity"
    STABLE = "stable"
    STANDARD = "standard"
    WATCH = "watch"
    VOLATILE = "volatile"
    SESSION = "session"


class Policy(StrEnum):
    """How behavioural facts fade: all alike, or the slower the better it went (after SM-2)."""

    EXPONENTIAL = "exponential"
    ADAPTIVE = "adaptive"


def age_days(since: datetime, now: datetime) -> float:
    """Days from `since` to `now`, never negative: a source of tomorrow is new, not stronger than new."""
    return max(0.0, (now - since).total_seconds() / DAY_SECONDS)


def strength(confidence: float, half_life_days: float | None, reinforced_at: datetime, now: datetime) -> float:
    """`confidence × 0.5 ^ (age_days / half_life_days)`, in [0, 1]."""
    if half_life_days is None:
        return confidence
    return float(confidence * 0.5 ** (age_days(reinforced_at, now) / half_life_days))


def score(strength_now: float, newer_rivals: int) -> float:
    """Strength halved for each newer live rival of the same key."""
    return float(strength_now * 0.5**newer_rivals)


def rank(confidence: float, half_life_days: float | None, reinforced_at: datetime, newer_rivals: int) -> float:
    """`log2(confidence) + reinforced_days / half_life − newer rivals`: at one half-life, the order by score for ever.

    Without decay the time term is left out.
    """
    fading = 0.0 if half_life_days is None else reinforced_at.timestamp() / DAY_SECONDS / half_life_days
    return math.log2(confidence) + fading - newer_rivals


def fades_at(
    confidence: float,
    half_life_days: float | None,
    reinforced_at: datetime,
    newer_rivals: int,
    line: float = ARCHIVE_BELOW,
) -> datetime | None:
    """When the score falls under `line`; None for what never does (no decay, a line of 0, or later than year 9999)."""
    if half_life_days is None or line <= 0:
        return None
    days = max(0.0, half_life_days * (math.log2(confidence / line) - newer_rivals))
    try:
        return reinforced_at + timedelta(days=days)
    except OverflowError:
        return None
