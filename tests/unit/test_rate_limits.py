"""Windows of a minute for each caller, counted in Valkey or, for as long as that is away, in the process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from itertools import pairwise
from uuid import uuid4

import pytest

from app.adapters.breaker import PAUSE_SECONDS, Breaker
from app.adapters.cache import Valkey, ValkeyCounters, connect
from app.adapters.rate_limits import CountedRateLimits
from app.domain.rate_limits import WINDOW_SECONDS, Allowance, window
from tests.support.servers import Servers

NOBODY = "redis://127.0.0.1:9/0"


class Wall:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.seconds = 1_000_000_000.0

    def __call__(self) -> datetime:
        return datetime.fromtimestamp(self.seconds, UTC)

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
async def replica(servers: Servers, wall: Wall) -> AsyncIterator[Callable[..., CountedRateLimits]]:
    """Makes replicas, on the tests' Valkey unless another is named."""
    made: list[Valkey] = []

    def make(url: str = servers.valkey.url()) -> CountedRateLimits:
        made.append(Valkey(url))
        return CountedRateLimits(3, ValkeyCounters(made[-1]), wall)

    yield make
    for valkey in made:
        await valkey.close()


@pytest.fixture(params=["valkey", "alone", "away"])
def limits(request: pytest.FixtureRequest, replica: Callable[..., CountedRateLimits], wall: Wall) -> CountedRateLimits:
    if request.param == "alone":
        return CountedRateLimits(3, None, wall)
    return replica(NOBODY) if request.param == "away" else replica()


@pytest.mark.parametrize(
    ("used", "remaining", "exceeded"), [(1, 2, False), (3, 0, False), (4, 0, True), (1000, 0, True)]
)
def test_the_last_one_within_the_limit_is_not_too_many(used: int, remaining: int, exceeded: bool) -> None:
    allowance = Allowance(3, used, 10)
    assert (allowance.remaining, allowance.exceeded) == (remaining, exceeded)


@pytest.mark.parametrize("caller", ["a", "b", "", "c" * 64])
def test_a_window_lasts_a_minute_and_the_next_one_follows(caller: str) -> None:
    seen = [window(caller, 1_000_000_000 + second) for second in range(3 * WINDOW_SECONDS)]
    assert {reset for _, reset in seen} == set(range(1, WINDOW_SECONDS + 1))
    for (number, reset), (following, _) in pairwise(seen):
        assert following == number + (reset == 1)


def test_windows_of_several_callers_do_not_begin_at_once() -> None:
    assert len({window(str(caller), 0)[1] for caller in range(100)}) > WINDOW_SECONDS / 2


async def test_each_caller_has_the_limit_and_it_comes_back(limits: CountedRateLimits, wall: Wall) -> None:
    one, other = uuid4().hex, uuid4().hex
    assert [(await limits.count(one)).remaining for _ in range(3)] == [2, 1, 0]
    fourth = await limits.count(one)
    assert fourth.exceeded
    assert not (await limits.count(other)).exceeded
    wall.seconds += fourth.reset
    assert (await limits.count(one)).remaining == 2


async def test_many_at_once_are_counted_each(limits: CountedRateLimits) -> None:
    caller = uuid4().hex
    await asyncio.gather(*(limits.count(caller) for _ in range(50)))
    assert (await limits.count(caller)).used == 51


async def test_replicas_count_together(replica: Callable[..., CountedRateLimits]) -> None:
    replicas, caller = [replica(), replica()], uuid4().hex
    used = [(await one.count(caller)).used for one in replicas * 2]
    assert used == [1, 2, 3, 4]


async def test_what_lies_at_a_counter_and_is_no_number_fails_nobody(
    servers: Servers, wall: Wall, replica: Callable[..., CountedRateLimits]
) -> None:
    limits, caller, client = replica(), uuid4().hex, connect(servers.valkey.url())
    await client.set(f"retenir:count:{caller}:{window(caller, wall.seconds)[0]}", "poison")
    assert [(await limits.count(caller)).used for _ in range(4)] == [1, 2, 3, 4]
    await client.aclose()


async def test_what_is_counted_is_forgotten_afterwards(
    servers: Servers, wall: Wall, replica: Callable[..., CountedRateLimits]
) -> None:
    limits, client = replica(), connect(servers.valkey.url())
    caller = uuid4().hex
    await limits.count(caller)
    assert 0 < await client.ttl(f"retenir:count:{caller}:{window(caller, wall.seconds)[0]}") <= 2 * WINDOW_SECONDS
    wall.seconds += 3 * WINDOW_SECONDS
    await limits.count("another")
    assert list(limits._own) == ["another"]
    await client.aclose()


def test_the_breaker_opens_at_the_second_failure_and_tries_again_after_a_moment() -> None:
    wall = Wall()
    breaker = Breaker(wall.monotonic)
    seen = []
    for step in (breaker.failed, breaker.worked, breaker.failed, breaker.failed):
        step()
        seen.append(breaker.closed)
    assert seen == [True, True, True, False]
    wall.seconds += PAUSE_SECONDS
    assert breaker.closed
    breaker.failed()
    assert not breaker.closed
    wall.seconds += PAUSE_SECONDS
    breaker.worked()
    breaker.failed()
    assert breaker.closed
