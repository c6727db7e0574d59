"""Behavioural facts: what sessions show of a person, reinforced by each and fading without (design: seed 000)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from app.domain.decay import BEHAVIOUR_HALF_LIFE_DAYS, Policy

CONFIDENCE = 0.5
"""Of a fact that one session shows."""
EASE = 2.5
LEAST_EASE = 1.3


@dataclass(frozen=True, slots=True)
class Observed:
    """What a source of observations rests on: one session, in which a fact is reinforced once.

    `quality`, in [0, 1], is that of the session's latest observation; `ids` are all of them, to be erased by.
    """

    session: str
    quality: float = 1.0
    policy: Policy = Policy.EXPONENTIAL
    ids: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a behavioural fact stands. The ease is counted under either policy, so that it is there when asked for."""

    policy: Policy
    ease: float = EASE
    reinforcement_count: int = 1

    @property
    def half_life_days(self) -> float:
        """Days until half the confidence is left."""
        return BEHAVIOUR_HALF_LIFE_DAYS * (self.ease if self.policy is Policy.ADAPTIVE else 1.0)

    @property
    def weight(self) -> float:
        """What the count adds to a rank: strength × count, as a logarithm."""
        return math.log2(self.reinforcement_count)

    def reinforced(self, observed: Observed) -> "Behaviour":
        """After one more session: counted, and eased by `+ 0.1 − (1 − quality) × 0.3`, down to 1.3."""
        ease = max(LEAST_EASE, self.ease + 0.1 - (1 - observed.quality) * 0.3)
        return replace(self, policy=observed.policy, ease=ease, reinforcement_count=self.reinforcement_count + 1)


def joined(one: Iterable[UUID], other: Iterable[UUID]) -> tuple[UUID, ...]:
    """The ids of both, each once, in order."""
    return tuple(sorted({*one, *other}))
