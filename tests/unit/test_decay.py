"""Strength, score and rank: the numbers of the tiers, and the laws that hold whatever the numbers."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.domain import decay
from app.domain.decay import Tier
from app.domain.tiers import TIERS
from tests.unit.memories import START, day, fact

confidences = st.floats(0.01, 1.0)
half_lives = st.floats(0.5, 36_500)
days = st.floats(0, 3_650)


@pytest.mark.parametrize(
    ("tier", "half_life", "fades_after"),
    [
        (Tier.IDENTITY, None, None),
        (Tier.STABLE, 365.0, 730.0),
        (Tier.STANDARD, 90.0, 180.0),
        (Tier.WATCH, 60.0, 120.0),
        (Tier.VOLATILE, 14.0, 28.0),
        (Tier.SESSION, 1.0, 2.0),
    ],
)
def test_each_tier_halves_on_its_day_and_fades_after_two_halvings_from_point_eight(
    tier: Tier, half_life: float | None, fades_after: float | None
) -> None:
    row = fact(1, tier=tier, confidence=0.8)

    assert TIERS[tier].half_life_days == half_life
    assert row.half_life_days == half_life
    assert row.score(START) == pytest.approx(0.8)
    assert row.score(day(half_life or 36_500)) == pytest.approx(0.4 if half_life else 0.8)
    assert row.fades_at == (day(fades_after) if fades_after else None)


@pytest.mark.parametrize(
    ("confidence", "half_life", "age", "rivals", "score"),
    [
        (1.0, 90.0, 0.0, 0, 1.0),
        (1.0, 90.0, 45.0, 0, 0.70711),
        (0.8, 90.0, 90.0, 0, 0.4),
        (0.8, 90.0, 270.0, 0, 0.1),
        (0.8, 90.0, 0.0, 1, 0.4),
        (0.8, 90.0, 0.0, 3, 0.1),
        (0.95, 365.0, 75.0, 0, 0.82389),
        (0.5, 14.0, 7.0, 1, 0.17678),
        (0.7, None, 3_650.0, 0, 0.7),
        (0.7, None, 3_650.0, 1, 0.35),
    ],
)
def test_scores_in_numbers(confidence: float, half_life: float | None, age: float, rivals: int, score: float) -> None:
    strength = decay.strength(confidence, half_life, START, day(age))

    assert decay.score(strength, rivals) == pytest.approx(score, abs=1e-5)


def test_a_half_life_of_its_own_goes_before_the_tiers() -> None:
    assert fact(1, tier=Tier.IDENTITY, half_life=10.0, confidence=0.8).score(day(10)) == pytest.approx(0.4)
    assert fact(1, tier=Tier.SESSION, half_life=10.0, confidence=0.8).score(day(10)) == pytest.approx(0.4)


def test_a_source_of_tomorrow_is_as_strong_as_new() -> None:
    assert decay.age_days(day(1), START) == 0
    assert decay.strength(0.8, 90.0, day(1), START) == pytest.approx(0.8)


def test_a_pinned_row_never_fades() -> None:
    assert fact(1, tier=Tier.SESSION, pinned=True).fades_at is None


def test_what_would_fade_after_the_last_year_never_does() -> None:
    late = datetime(9000, 1, 1, tzinfo=UTC)

    assert decay.fades_at(1.0, 36_500.0, late, 0) == late + timedelta(days=36_500 * math.log2(5))
    assert decay.fades_at(1.0, 365_000.0, late, 0) is None


@given(confidence=confidences, half_life=half_lives, first=days, more=days, rivals=st.integers(0, 4))
def test_decay_never_rises_and_rivals_never_help(
    confidence: float, half_life: float, first: float, more: float, rivals: int
) -> None:
    before = decay.score(decay.strength(confidence, half_life, START, day(first)), rivals)
    after = decay.score(decay.strength(confidence, half_life, START, day(first + more)), rivals)
    contested = decay.score(decay.strength(confidence, half_life, START, day(first)), rivals + 1)

    assert 0 <= after <= before <= confidence
    assert contested <= before


@given(confidence=confidences, half_life=st.floats(0.5, 3_650), rivals=st.integers(0, 3))
def test_a_fact_fades_exactly_when_its_score_crosses_the_line(confidence: float, half_life: float, rivals: int) -> None:
    row = fact(1, confidence=confidence, half_life=half_life, newer_rivals=rivals)
    moment = timedelta(days=half_life / 1000)
    assert row.fades_at is not None

    assert row.score(row.fades_at + moment) < decay.ARCHIVE_BELOW
    if row.fades_at - moment > START:
        assert row.score(row.fades_at - moment) >= decay.ARCHIVE_BELOW


@given(
    half_life=st.sampled_from([14.0, 60.0, 90.0, 365.0]),
    one=st.tuples(confidences, days, st.integers(0, 3)),
    other=st.tuples(confidences, days, st.integers(0, 3)),
    later=days,
)
def test_rank_orders_as_score_does_at_any_instant(
    half_life: float, one: tuple[float, float, int], other: tuple[float, float, int], later: float
) -> None:
    def rank(confidence: float, at: float, rivals: int) -> float:
        return decay.rank(confidence, half_life, day(at), rivals)

    def score(confidence: float, at: float, rivals: int) -> float:
        return decay.score(decay.strength(confidence, half_life, day(at), day(3_650 + later)), rivals)

    assume(abs(rank(*one) - rank(*other)) > 1e-6)

    assert (rank(*one) > rank(*other)) == (score(*one) > score(*other))


def test_without_decay_rank_is_confidence_and_rivals_alone() -> None:
    assert decay.rank(0.5, None, START, 0) == decay.rank(0.5, None, day(500), 0) == pytest.approx(-1)
    assert decay.rank(0.5, None, START, 2) == pytest.approx(-3)
