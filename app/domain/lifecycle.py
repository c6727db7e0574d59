"""How long things are kept: facts that are believed no longer by their tier, the rest by what it is."""

from datetime import datetime, timedelta

from app.domain.decay import Tier

HARD_DELETE: dict[Tier, timedelta] = {
    Tier.STABLE: timedelta(days=1825),
    Tier.STANDARD: timedelta(days=730),
    Tier.WATCH: timedelta(days=365),
    Tier.VOLATILE: timedelta(days=90),
    Tier.SESSION: timedelta(days=7),
}
"""After the later of a value's latest source and receipt, what is archived of it goes for good. Identity never does."""

MESSAGES = timedelta(days=730)
"""From receipt."""
RECEIPTS = timedelta(days=30)
JOBS = timedelta(days=30)
"""From when they were done or cancelled; what was given up stays in sight."""

JUST_SEEN = timedelta(minutes=1)
"""What is read again and again is marked as seen once in so long."""


def over_age(tier: Tier, last_reinforced_at: datetime, received_at: datetime, now: datetime) -> bool:
    """Whether a value of this tier has had its time."""
    kept = HARD_DELETE.get(tier)
    return kept is not None and max(last_reinforced_at, received_at) + kept <= now
