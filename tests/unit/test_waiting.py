"""How long things wait: failed attempts, what is away, what a quota holds back."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from app.adapters.breaker import Breaker
from app.domain.jobs import MAX_ATTEMPTS, pause_while_away, wait_before
from app.domain.usage import Quotas, UsageDay, day_of, next_day, used_up

DAY = date(2026, 11, 30)
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
NO_TIME = timedelta()


@pytest.mark.parametrize(("attempt", "seconds"), [(1, 1), (2, 3), (3, 9), (4, 27), (7, 729), (8, 900), (40, 900)])
def test_each_failed_attempt_waits_three_times_as_long(attempt: int, seconds: int) -> None:
    assert wait_before(attempt, 0.5) == seconds * SECOND
    assert wait_before(attempt, 0.0) == 0.75 * seconds * SECOND


def test_the_attempts_of_a_job_outlast_a_fault_of_ten_minutes() -> None:
    assert sum((wait_before(attempt, 0.0) for attempt in range(1, MAX_ATTEMPTS)), NO_TIME) > 10 * MINUTE


@pytest.mark.parametrize(
    ("age", "told", "pause"),
    [
        (NO_TIME, NO_TIME, SECOND),
        (NO_TIME, 7 * SECOND, 7 * SECOND),
        (MINUTE, NO_TIME, 30 * SECOND),
        (MINUTE, 7 * SECOND, 30 * SECOND),
        (HOUR, NO_TIME, 5 * MINUTE),
        (HOUR, HOUR, HOUR),
    ],
)
def test_the_longer_it_is_away_the_seldomer_it_is_asked(age: timedelta, told: timedelta, pause: timedelta) -> None:
    assert pause_while_away(age, told, 0.0) == pause
    assert pause <= pause_while_away(age, told, 0.999) < pause * 1.25


@pytest.mark.parametrize(
    ("quotas", "metered", "reason"),
    [
        (Quotas(), True, None),
        (Quotas(turns_per_day=4), True, None),
        (Quotas(turns_per_day=3), False, "turns_per_day_reached"),
        (Quotas(model_tokens_per_day=101), True, None),
        (Quotas(model_tokens_per_day=100), True, "model_tokens_per_day_reached"),
        (Quotas(model_tokens_per_day=100), False, None),
        (Quotas(3, 100), True, "turns_per_day_reached"),
    ],
)
def test_a_quota_is_used_up_when_it_is_reached(quotas: Quotas, metered: bool, reason: str | None) -> None:
    assert used_up(quotas, UsageDay(DAY, 3, 3, 60, 40), metered=metered) == reason


def test_days_are_those_of_utc() -> None:
    late = datetime(2026, 11, 30, 23, 30, tzinfo=timezone(-2 * HOUR))
    assert day_of(late) == date(2026, 12, 1)
    assert next_day(late) == datetime(2026, 12, 2, tzinfo=UTC)


def test_a_breaker_rests_as_long_as_it_is_asked_to() -> None:
    now = [0.0]
    breaker = Breaker(lambda: now[0], pause=10)
    breaker.failed()
    assert breaker.closed
    assert breaker.answers
    breaker.failed()
    assert (breaker.closed, breaker.answers, breaker.remaining) == (False, False, 10)
    breaker.rest(60)
    breaker.rest(5)
    assert breaker.remaining == 60
    now[0] = 60
    assert (breaker.closed, breaker.answers) == (True, False)
    breaker.failed()
    assert breaker.remaining == 10
    now[0] = 70
    breaker.worked()
    breaker.failed()
    assert (breaker.closed, breaker.answers) == (True, True)
