"""A provider that is away for long, or slow: turns wait without dying, few calls are made, and recall works on."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.adapters.providers import Limits
from app.worker import beside
from tests.api.test_models import LIMITS, jobs_of, outcome, reading_by, usage
from tests.support.clock import MovingClock
from tests.support.model_server import Asked, ModelServer, failing, honest, model_server
from tests.support.talk import FREE_FROM_60, block, facts, tell, write
from tests.support.waiting import DONE, settled, until
from tests.support.world import World

TALKS, HOURS = 6, 24


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as made:
        yield made


async def test_an_outage_of_a_day_loses_no_turn_and_costs_few_calls(
    world: World, server: ModelServer, clock: MovingClock
) -> None:
    async with reading_by("openai", server, world, clock, LIMITS) as here:
        shop = await here.organisation()
        server.answer = failing("503 Service Unavailable")
        for number in range(TALKS):
            await tell(shop.acting("alice"), f"J'ai {number + 2} chats.", conversation_id=f"talk-{number}")
        await write(shop.owner, "store", "shipping.free_threshold", "60 €", content=FREE_FROM_60)
        for _ in range(HOURS):
            await here.finish_jobs()
            clock.advance(hours=1)
        standing = await jobs_of(shop)
        assert (standing["dead"], standing["done"]) == (0, 0)
        assert FREE_FROM_60.rstrip(".") in await block(shop.acting("alice"))
        assert len(server.asked) <= 2 + HOURS  # each time one looks, and the others leave it alone
        server.answer = honest
        await here.finish_jobs()
        clock.advance(minutes=6)
        await here.finish_jobs()
        assert await jobs_of(shop) == {"done": TALKS}
        assert len(await facts(shop.acting("alice"), "user")) == TALKS
        assert (await usage(shop))["model_calls"] == len(server.asked)


async def test_what_no_model_can_answer_dies_in_sight_while_others_go_on(
    world: World, server: ModelServer, clock: MovingClock
) -> None:
    def answer(asked: Asked) -> bytes | None:
        poisoned = failing("500 Internal Server Error") if "poison" in asked.message else honest
        return poisoned(asked)

    server.answer = answer
    async with reading_by("anthropic", server, world, clock) as here:
        shop = await here.organisation()
        job_id = (await tell(shop.acting("alice"), "J'ai du poison.", conversation_id="bad"))["job_id"]
        for number in range(10):
            await tell(shop.acting("alice"), f"J'ai {number} chats.", conversation_id=f"talk-{number}")
            await here.finish_jobs()
            clock.advance(minutes=16)
        job = await outcome(shop, job_id)
        assert (job["status"], job["error"], job["attempts"]) == ("dead", "model_unavailable", 8)
        assert await jobs_of(shop) == {"dead": 1, "done": 10}
        assert len(server.asked) == 18


async def test_a_refused_rest_is_kept_by_all(world: World, server: ModelServer, clock: MovingClock) -> None:
    server.misbehave(failing("429 Too Many Requests", "retry-after: 600"), 1)
    async with reading_by("anthropic", server, world, clock) as here:
        shop = await here.organisation()
        for number in range(3):
            await tell(shop.acting("alice"), f"J'ai {number} chats.", conversation_id=f"talk-{number}")
        for _ in range(9):
            await here.finish_jobs()
            clock.advance(minutes=1)
        assert len(server.asked) == 1
        clock.advance(minutes=10)
        await here.finish_jobs()
        assert (await jobs_of(shop), len(server.asked)) == ({"done": 3}, 4)


async def test_few_calls_are_under_way_at_once_and_none_holds_a_connection(
    world: World, server: ModelServer, clock: MovingClock, superuser_url: str
) -> None:
    server.gate.clear()
    async with reading_by("openai", server, world, clock, Limits(seconds=20, at_once=2)) as here:
        shop = await here.organisation()
        jobs = [
            (await tell(shop.acting("alice"), f"J'ai {number} chats.", conversation_id=f"talk-{number}"))["job_id"]
            for number in range(8)
        ]
        async with beside(here.container):
            await until(lambda: _so_many(server, 2))
            await until(lambda: _nothing_held(superuser_url))
            assert len(server.asked) == 2
            server.gate.set()
            for job_id in jobs:
                await settled(shop.owner, job_id, DONE)
    assert server.most == 2


async def _so_many(server: ModelServer, number: int) -> bool:
    return len(server.asked) >= number


async def _nothing_held(superuser_url: str) -> bool:
    """Whether no transaction waits for its service, at one moment."""
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    query = "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in %'"
    async with engine.connect() as connection:
        return bool((await connection.execute(text(query))).scalar_one() == 0)
