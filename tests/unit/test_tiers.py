"""The tiers' numbers, and what an organisation's own make of a fact."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.decay import Tier
from app.domain.fold import fold
from app.domain.lifecycle import over_age
from app.domain.past import Moment, recalled
from app.domain.sources import Entry, Verdict
from app.domain.tiers import TIERS, Fading, TierRule, own_fading, retuned
from tests.unit.memories import SHIPPING, START, day, decided, fact, said

SHORTER = retuned(TIERS, {Tier.STANDARD: {"half_life_days": 9.0}, Tier.SESSION: {"archive_below": 0.0}})


@pytest.mark.parametrize(
    ("tier", "rule"),
    [
        (Tier.IDENTITY, TierRule(None, None, 0.2)),
        (Tier.STABLE, TierRule(365.0, 1825, 0.2)),
        (Tier.STANDARD, TierRule(90.0, 730, 0.2)),
        (Tier.WATCH, TierRule(60.0, 365, 0.2)),
        (Tier.VOLATILE, TierRule(14.0, 90, 0.2)),
        (Tier.SESSION, TierRule(1.0, 7, 0.2)),
    ],
)
def test_the_usual_numbers(tier: Tier, rule: TierRule) -> None:
    assert TIERS[tier] == rule
    assert own_fading(TIERS, tier) is None


def test_only_the_named_numbers_change() -> None:
    assert SHORTER[Tier.STANDARD] == TierRule(9.0, 730, 0.2)
    assert {tier for tier in Tier if SHORTER[tier] != TIERS[tier]} == {Tier.STANDARD, Tier.SESSION}
    assert own_fading(SHORTER, Tier.STANDARD) == Fading(9.0, 0.2)
    assert own_fading(retuned(TIERS, {Tier.WATCH: {"hard_delete_days": 3}}), Tier.WATCH) is None


def test_a_fold_gives_its_rows_the_numbers_of_their_tiers() -> None:
    (row,) = fold(SHIPPING, [said(1, "60", 0, confidence=0.8)], (), SHORTER)
    assert (row.half_life_days, row.fades_at) == (9.0, day(18))
    assert row.score(day(9)) == pytest.approx(0.4)
    assert row.rank < replace(row, last_reinforced_at=day(1)).rank
    (own,) = fold(SHIPPING, [said(1, "60", 0, confidence=0.8, half_life_days=30.0)], (), SHORTER)
    assert (own.half_life_days, own.fades_at) == (30.0, day(60))
    moved = decided(Verdict.AMEND, 1, 1, tier="session")
    (row,) = fold(SHIPPING, [said(1, "60", 0), moved], (), SHORTER)
    assert (row.half_life_days, row.fades_at) == (1.0, None)


@pytest.mark.parametrize(("tiers", "live"), [(TIERS, True), (SHORTER, False)])
def test_the_worker_s_decision_looks_at_the_row_by_the_numbers_of_now(tiers: dict[Tier, TierRule], live: bool) -> None:
    entries: list[Entry] = [said(1, "60", 0, confidence=0.8), decided(Verdict.FADE, 1, 40)]
    assert [row.live for row in fold(SHIPPING, entries, (), tiers)] == [live]


def test_whoever_restores_what_has_faded_by_these_numbers_vouches_for_it() -> None:
    faded, restored = decided(Verdict.FADE, 1, 40), decided(Verdict.RESTORE, 1, 41)
    entries: list[Entry] = [said(1, "60", 0, confidence=0.8), faded, restored]
    (row,) = fold(SHIPPING, entries, (), SHORTER)
    assert (row.live, row.last_reinforced_at) == (True, day(41))
    (row,) = fold(SHIPPING, entries)
    assert (row.live, row.last_reinforced_at) == (True, START)


def test_a_line_of_nothing_is_never_crossed() -> None:
    assert fact(1, tier=Tier.SESSION, own_fading=Fading(1.0, 0.0)).fades_at is None
    assert fact(1, tier=Tier.SESSION, own_fading=Fading(1.0, 0.4)).fades_at == day(1)


def test_what_is_archived_has_its_time_by_these_numbers() -> None:
    tiers = retuned(TIERS, {Tier.WATCH: {"hard_delete_days": 3}})
    late = day(3) - timedelta(seconds=1)
    assert not over_age(Tier.WATCH, START, day(0), late, tiers)
    assert over_age(Tier.WATCH, START, day(0), day(3), tiers)
    assert not over_age(Tier.WATCH, START, day(1), day(3), tiers)
    assert not over_age(Tier.IDENTITY, START, START, day(9_999), tiers)


def test_the_past_is_read_by_the_numbers_of_now() -> None:
    entries: list[Entry] = [said(1, "60", 0, confidence=0.8), said(2, "60", 30)]
    (then,) = recalled({SHIPPING: entries}, Moment(as_of=day(9)), SHORTER)
    assert (then.half_life_days, then.score(day(9)), then.confirmation_count) == (9.0, 0.4, 1)
