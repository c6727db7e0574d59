"""Behavioural facts in numbers: seed 000's decay and SM-2 tables, and what sessions and people make of a row."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from app.domain.behaviour import Behaviour, Observed
from app.domain.decay import BEHAVIOUR_HALF_LIFE_DAYS, Policy
from app.domain.fold import fold
from app.domain.sources import Verdict
from tests.unit.memories import day, decided, edited, live, told, wrote
from tests.unit.sessions import TOOL, habit, row, shown

ADAPTIVE, EXPONENTIAL = Policy.ADAPTIVE, Policy.EXPONENTIAL


def test_five_per_cent_a_day_is_a_half_life_of_thirteen_and_a_half_days() -> None:
    assert pytest.approx(13.513, abs=5e-4) == BEHAVIOUR_HALF_LIFE_DAYS
    assert habit(1, confidence=1.0).strength(day(1)) == pytest.approx(0.95)
    assert habit(1, confidence=1.0).strength(day(13.5134)) == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize(
    ("confidence", "policy", "ease", "half_life", "expires_after"),
    [
        (0.5, EXPONENTIAL, 2.5, 13.513, 31.377),
        (0.6, EXPONENTIAL, 2.5, 13.513, 34.932),
        (1.0, EXPONENTIAL, 1.3, 13.513, 44.891),
        (0.5, ADAPTIVE, 2.5, 33.784, 78.443),
        (0.5, ADAPTIVE, 1.3, 17.567, 40.790),
        (1.0, ADAPTIVE, 2.6, 35.135, 116.715),
    ],
)
def test_a_fact_expires_when_its_strength_falls_under_a_tenth(
    confidence: float, policy: Policy, ease: float, half_life: float, expires_after: float
) -> None:
    fact = habit(1, confidence=confidence, policy=policy, ease=ease)

    assert fact.half_life_days == pytest.approx(half_life, abs=1e-3)
    assert fact.fades_at is not None
    assert (fact.fades_at - day(0)).total_seconds() / 86_400 == pytest.approx(expires_after, abs=1e-3)
    assert fact.strength(fact.fades_at) == pytest.approx(0.1)
    assert fact.strength(fact.fades_at + timedelta(minutes=1)) < 0.1


@pytest.mark.parametrize(
    ("before", "quality", "after"),
    [(2.5, 1.0, 2.6), (2.5, 2 / 3, 2.5), (2.5, 0.0, 2.3), (2.5, 0.5, 2.45), (1.4, 0.0, 1.3), (1.3, 0.0, 1.3)],
)
def test_a_reinforcement_eases_by_its_quality(before: float, quality: float, after: float) -> None:
    eased = Behaviour(ADAPTIVE, before, 3).reinforced(Observed("s2", quality, ADAPTIVE))

    assert eased.ease == pytest.approx(after)
    assert eased.reinforcement_count == 4


@pytest.mark.parametrize(
    ("sessions", "confidence", "ease"),
    [(1, 0.5, 2.5), (2, 0.6, 2.6), (3, 0.7, 2.7), (6, 1.0, 3.0), (9, 1.0, 3.3)],
)
def test_each_session_adds_a_tenth(sessions: int, confidence: float, ease: float) -> None:
    fact = row(*(shown(number, number, policy=ADAPTIVE) for number in range(1, sessions + 1)))

    assert fact.traits.confidence == pytest.approx(confidence)
    assert fact.ease == pytest.approx(ease)
    assert fact.reinforcement_count == fact.confirmation_count == sessions
    assert (fact.valid_from, fact.last_reinforced_at) == (day(1), day(sessions))


def test_the_policy_is_that_of_the_latest_session_and_ease_was_counted_all_along() -> None:
    before = row(shown(1, 1), shown(2, 2))
    after = row(shown(1, 1), shown(2, 2), shown(3, 3, policy=ADAPTIVE, quality=0.0))

    assert (before.policy, before.ease, before.half_life_days) == ("exponential", None, BEHAVIOUR_HALF_LIFE_DAYS)
    assert after.policy == "adaptive"
    assert after.ease == pytest.approx(2.4)
    assert after.half_life_days == pytest.approx(BEHAVIOUR_HALF_LIFE_DAYS * 2.4)


def test_a_row_tells_what_its_latest_session_said() -> None:
    fact = row(shown(2, 5, content="order 1042 (urgent)"), shown(1, 1, content="order 1042"))

    assert fact.content == "order 1042 (urgent)"
    assert fact.id == UUID(int=1)


def test_rank_orders_by_strength_times_count_at_any_instant() -> None:
    once, often = habit(1, confidence=0.9, at=3), habit(2, confidence=0.5, sessions=4)

    assert often.rank > once.rank
    for later in (3, 30, 90):
        assert often.weight(day(later)) > once.weight(day(later))
    assert often.weight(day(0)) == pytest.approx(2.0)
    assert often.score(day(0)) == pytest.approx(0.5)


def test_a_pinned_row_never_expires() -> None:
    assert row(shown(1, 0), decided(Verdict.PIN, 1, 1)).fades_at is None


def test_what_a_person_archived_stays_so_while_its_sessions_are_counted() -> None:
    rows = fold(TOOL, [shown(1, 0), decided(Verdict.ARCHIVE, 1, 1), shown(2, 2)])
    again = row(shown(1, 0), decided(Verdict.ARCHIVE, 1, 1), shown(2, 2), decided(Verdict.RESTORE, 1, 3))

    assert told(rows) == [("get_order", 2, "archived")]
    assert (again.live, again.reinforcement_count) == (True, 2)


def test_a_sentence_edited_by_hand_stands_through_further_sessions() -> None:
    by_hand = replace(edited(9, "get_order", 1, replaces=1, confidence=1.0), content="Loves get_order")
    rows = fold(TOOL, [shown(1, 0), by_hand, shown(2, 2)])

    assert live(rows) == ["get_order"]
    assert rows[-1].content == "Loves get_order"
    assert rows[-1].reinforcement_count == 2
    assert rows[-1].fades_at is not None


def test_vouching_for_it_is_a_confirmation_and_no_session() -> None:
    fact = row(shown(1, 0), wrote(2, "get_order", 1))

    assert (fact.confirmation_count, fact.reinforcement_count, fact.policy) == (2, 1, "exponential")


def test_what_was_stated_has_no_behaviour() -> None:
    (fact,) = fold(TOOL, [wrote(1, "60 €", 0)])

    assert (fact.behaviour, fact.reinforcement_count, fact.ease, fact.policy) == (None, 0, None, "tier")
