"""Questions to a conversation with the messages that answer them, and how well an answer does."""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

TOP = 10
RESAMPLED = 1000


@dataclass(frozen=True)
class Question:
    """What is asked, and the ids of the messages that answer it.

    `newer` and `older` tell a value from the one it took the place of; `sides` are the messages of each of two
    opposite accounts, which one message may hold both.
    """

    text: str
    evidence: frozenset[str]
    id: str = ""
    category: str = ""
    newer: frozenset[str] = frozenset()
    older: frozenset[str] = frozenset()
    sides: tuple[frozenset[str], ...] = ()


def recall(found: Iterable[str], evidence: frozenset[str]) -> float:
    """The share of the evidence that was found."""
    return len(evidence.intersection(found)) / len(evidence)


def ndcg(found: Iterable[str], evidence: frozenset[str]) -> float:
    """How high the evidence stands, 1 where nothing stands above it."""
    gained = sum(1 / math.log2(place + 2) for place, each in enumerate(found) if each in evidence)
    return gained / sum(1 / math.log2(place + 2) for place in range(min(len(evidence), TOP)))


def newer_first(found: Sequence[str], question: Question) -> bool:
    """Whether what holds now stands above what it took the place of; what was not found stands below all."""

    def best(some: frozenset[str]) -> int:
        return min((found.index(each) for each in some if each in found), default=len(found))

    return best(question.newer) < best(question.older)


def both_sides(found: Sequence[str], question: Question) -> bool:
    """Whether each of the opposite accounts is among the first ten."""
    return all(side.intersection(found[:TOP]) for side in question.sides)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The bounds of the mean's 95 % interval, by resampling with a fixed seed."""
    chance = random.Random(7)  # noqa: S311
    means = sorted(mean(chance.choices(values, k=len(values))) for _ in range(RESAMPLED))
    return means[int(0.025 * RESAMPLED)], means[int(0.975 * RESAMPLED)]
