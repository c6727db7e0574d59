"""What each tier means in numbers: how a fact of it fades, and when it goes for good (design: strength and score)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from app.domain.decay import ARCHIVE_BELOW, Tier


@dataclass(frozen=True, slots=True)
class Fading:
    """How a fact fades: days until half its confidence is left (None: never), and the score under which it has."""

    half_life_days: float | None
    archive_below: float


@dataclass(frozen=True, slots=True)
class TierRule:
    """A tier's numbers. `hard_delete_days` after the later of a value's latest source and receipt, what is archived of
    it goes for good; None: never.
    """

    half_life_days: float | None
    hard_delete_days: int | None
    archive_below: float = ARCHIVE_BELOW

    @property
    def fading(self) -> Fading:
        """How a fact of the tier fades."""
        return Fading(self.half_life_days, self.archive_below)


Tiers = Mapping[Tier, TierRule]

TIERS: Final[Tiers] = {
    Tier.IDENTITY: TierRule(None, None),
    Tier.STABLE: TierRule(365.0, 1825),
    Tier.STANDARD: TierRule(90.0, 730),
    Tier.WATCH: TierRule(60.0, 365),
    Tier.VOLATILE: TierRule(14.0, 90),
    Tier.SESSION: TierRule(1.0, 7),
}
"""The usual numbers. An organisation may change them all but for identity, which neither fades nor goes."""


def own_fading(tiers: Tiers, tier: Tier) -> Fading | None:
    """How a fact of the tier fades by these numbers; None: as usual."""
    fading = tiers[tier].fading
    return None if fading == TIERS[tier].fading else fading


def retuned(tiers: Tiers, changes: Mapping[Tier, Mapping[str, Any]]) -> Tiers:
    """These numbers with the named ones changed. Raises TypeError for what is no number of a tier."""
    return {tier: replace(rule, **changes.get(tier, {})) for tier, rule in tiers.items()}
