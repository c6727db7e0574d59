"""How long things are kept: facts that are believed no longer by their tier, the rest by what it is."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.decay import Tier
from app.domain.tiers import TIERS, Tiers


@dataclass(frozen=True, slots=True)
class Retention:
    """How many days things are kept: messages and receipts of blocks from when they came, jobs from when they were done
    or cancelled (what was given up stays in sight). These are the longest that an organisation may choose.
    """

    message_days: int = 730
    receipt_days: int = 30
    job_days: int = 30


JUST_SEEN = timedelta(minutes=1)
"""What is read again and again is marked as seen once in so long."""


def over_age(
    tier: Tier, last_reinforced_at: datetime, received_at: datetime, now: datetime, tiers: Tiers = TIERS
) -> bool:
    """Whether a value of this tier has had its time."""
    days = tiers[tier].hard_delete_days
    return days is not None and max(last_reinforced_at, received_at) + timedelta(days=days) <= now
