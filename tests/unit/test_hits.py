"""The order of what a search finds."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from app.domain.hits import Hit, HitKind, Why, fact_hits, ranked
from tests.unit.memories import START, day, fact


def hit(
    name: str, score: float, kind: HitKind = HitKind.FACT, *, superseded: bool = False, at: float | None = None
) -> Hit:
    sent_at = None if at is None else START + timedelta(days=at)
    return Hit(kind, name, name, score, superseded, Why(score), sent_at, None if at is None else "c1")


def test_the_best_come_first_and_equals_always_in_the_same_order() -> None:
    expected = [
        hit("best", 0.9, superseded=True),
        hit("a", 0.5),
        hit("b", 0.5),
        hit("newer", 0.5, HitKind.MESSAGE, at=2),
        hit("older 1", 0.5, HitKind.MESSAGE, at=1),
        hit("older 2", 0.5, HitKind.MESSAGE, at=1),
        hit("seen", 0.5, HitKind.OBSERVATION, at=3),
        hit("was", 0.5, superseded=True),
        hit("worst", 0.1),
    ]
    for seed in range(10):
        assert ranked(Random(seed).sample(expected, len(expected))) == expected


@pytest.mark.parametrize(
    ("confidence", "rivals", "age", "expected"),
    [(1.0, 0, 0, 0.4), (0.5, 0, 0, 0.3), (1.0, 1, 0, 0.3), (1.0, 0, 90, 0.3)],
)
def test_a_fact_weighs_as_its_words_fit_and_as_strong_as_it_is(
    confidence: float, rivals: int, age: float, expected: float
) -> None:
    row = fact(1, confidence=confidence, newer_rivals=rivals)
    (found,) = fact_hits([row], {row.id: Why(0.4)}, day(age))
    assert found.score == pytest.approx(expected)
    assert found.why.lexical == 0.4
    assert found.why.strength == pytest.approx(2 * expected / 0.4 - 1)


def test_what_is_superseded_never_ranks_above_the_current_value_of_its_key() -> None:
    current = fact(2, at=1, confidence=0.4)
    old = replace(fact(1, confidence=1.0), archived_at=day(1), superseded_by=current.id)
    other = replace(fact(3, "tone", confidence=1.0), archived_at=day(1))
    hits = fact_hits([old, current, other], {old.id: Why(0.9), current.id: Why(0.2), other.id: Why(0.5)}, day(1))
    assert [(each.id, each.superseded) for each in ranked(hits)] == [
        (str(other.id), True),
        (str(current.id), False),
        (str(old.id), True),
    ]
