"""What an organisation uses and how much it may: counted by day; over it turns wait, visibly, and are read later."""

from datetime import UTC, timedelta
from typing import Any

import pytest

from app.domain.drafts import ExtractionRequest
from app.domain.usage import ModelUse
from app.ports.extractors import Extraction
from app.worker import beside
from tests.support.clock import MovingClock
from tests.support.extractors import Scripted, reading_with
from tests.support.talk import facts, problem, tell
from tests.support.waiting import settled
from tests.support.world import Tenant, World

WAITS = frozenset({"queued"})


class Costly(Scripted):
    """Each reading costs 60 tokens."""

    async def extract(self, request: ExtractionRequest) -> Extraction:
        return Extraction((await super().extract(request)).drafts, ModelUse(1, 50, 10))


async def say(shop: Tenant, number: int) -> str:
    told = await tell(shop.acting("alice"), f"Phrase {number}.", conversation_id=f"talk-{number}")
    return str(told["job_id"])


async def standing(shop: Tenant, job_ids: list[str]) -> list[tuple[str, str | None, int]]:
    jobs = [(await shop.owner.get(f"/memory/jobs/{job_id}")).json() for job_id in job_ids]
    return [(job["status"], job["error"], job["attempts"]) for job in jobs]


async def days(shop: Tenant, **query: Any) -> list[dict[str, Any]]:
    answer = await shop.owner.get("/memory/usage", params=query)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])


async def allow(shop: Tenant, **quotas: int) -> None:
    changed = await shop.world.platform.put(shop.path, json={"name": "Shop", "quotas": quotas})
    assert changed.status_code == 200, changed.text


async def test_turns_and_tokens_are_counted_by_day(world: World, clock: MovingClock) -> None:
    async with reading_with(Costly(), world) as here:
        shop = await here.organisation()
        assert await days(shop) == []
        first = clock().date()
        for number in (1, 2):
            await say(shop, number)
        await here.finish_jobs()
        clock.advance(days=1)
        await say(shop, 3)
        await here.finish_jobs()
        assert [(day["turns"], day["model_calls"], day["input_tokens"], day["tokens"]) for day in await days(shop)] == [
            (1, 1, 50, 60),
            (2, 2, 100, 120),
        ]
        assert [day["turns"] for day in await days(shop, until=first.isoformat())] == [2]
        assert [day["turns"] for day in await days(shop, since=(first + timedelta(days=1)).isoformat())] == [1]
        page = (await shop.owner.get("/memory/usage", params={"limit": 1})).json()
        assert [day["turns"] for day in await days(shop, limit=1, cursor=page["next_cursor"])] == [2]


async def test_over_the_quota_of_turns_the_rest_waits_for_the_next_day(world: World, clock: MovingClock) -> None:
    async with reading_with(Scripted(), world) as here:
        shop = await here.organisation(quotas={"turns_per_day": 2})
        jobs = [await say(shop, number) for number in range(4)]
        await here.finish_jobs()
        await here.finish_jobs()
        waits = ("queued", "turns_per_day_reached", 0)
        assert await standing(shop, jobs) == [("done", None, 1), ("done", None, 1), waits, waits]
        assert [day["turns"] for day in await days(shop)] == [2]
        midnight = clock().astimezone(UTC).replace(hour=0, minute=0, second=0) + timedelta(days=1)
        clock.advance(seconds=(midnight - clock()).total_seconds() - 60)
        await here.finish_jobs()
        assert len(await facts(shop.acting("alice"), "user")) == 2
        clock.advance(minutes=2)
        await here.finish_jobs()
        assert await standing(shop, jobs) == [("done", None, 1)] * 4
        assert len(await facts(shop.acting("alice"), "user")) == 4


async def test_turns_that_are_read_at_once_do_not_pass_the_quota(world: World) -> None:
    async with reading_with(Costly(), world) as here:
        shop = await here.organisation(quotas={"turns_per_day": 3})
        jobs = [await say(shop, number) for number in range(8)]
        async with beside(here.container):
            for job_id in jobs:
                await settled(shop.owner, job_id, WAITS | {"done"})
        assert sorted(status for status, _, _ in await standing(shop, jobs)) == ["done"] * 3 + ["queued"] * 5
        assert len(await facts(shop.acting("alice"), "user")) == 3
        (day,) = await days(shop)
        assert day["turns"] == 3
        assert 3 <= day["model_calls"] <= 8


async def test_over_the_quota_of_tokens_nothing_more_is_asked_until_it_is_raised(world: World) -> None:
    async with reading_with(extractor := Costly(), world) as here:
        shop = await here.organisation(quotas={"model_tokens_per_day": 100})
        jobs = [await say(shop, number) for number in range(4)]
        await here.finish_jobs()
        assert [status for status, _, _ in await standing(shop, jobs)] == ["done", "done", "queued", "queued"]
        assert (await standing(shop, jobs))[-1] == ("queued", "model_tokens_per_day_reached", 0)
        assert len(extractor.read) == 2
        await allow(shop, model_tokens_per_day=1000)
        await here.finish_jobs()
        assert await standing(shop, jobs) == [("done", None, 1)] * 4


async def test_rules_cost_no_tokens(world: World) -> None:
    shop = await world.organisation(quotas={"model_tokens_per_day": 1})
    jobs = [await say(shop, number) for number in range(2)]
    await world.finish_jobs()
    assert await standing(shop, jobs) == [("done", None, 1)] * 2
    assert [(day["turns"], day["tokens"]) for day in await days(shop)] == [(2, 0)]


async def test_what_is_asked_of_one_organisation_leaves_the_others_alone(world: World) -> None:
    shop, other = await world.organisation(quotas={"turns_per_day": 1}), await world.organisation()
    jobs = [await say(shop, number) for number in range(2)]
    elsewhere = [await say(other, number) for number in range(2)]
    await world.finish_jobs()
    assert [status for status, _, _ in await standing(shop, jobs)] == ["done", "queued"]
    assert [status for status, _, _ in await standing(other, elsewhere)] == ["done", "done"]
    assert [day["turns"] for day in await days(other)] == [2]


async def test_quotas_are_the_platform_s_to_set_and_stay_until_it_sets_others(world: World) -> None:
    shop = await world.organisation(quotas={"turns_per_day": 9, "model_tokens_per_day": None})
    assert (await shop.owner.get(shop.path)).json()["quotas"] == {"turns_per_day": 9, "model_tokens_per_day": None}
    renamed = await world.platform.put(shop.path, json={"name": "Renamed"})
    assert renamed.json()["quotas"]["turns_per_day"] == 9
    assert problem(await shop.owner.put(shop.path, json={"name": "Mine", "quotas": {}})) == (403, "forbidden")
    await allow(shop)
    assert (await shop.owner.get(shop.path)).json()["quotas"] == {"turns_per_day": None, "model_tokens_per_day": None}


@pytest.mark.parametrize("quotas", [{"turns_per_day": 0}, {"turns_per_day": "9"}, {"bytes": 5}, [], 7])
async def test_a_quota_that_is_none_is_refused(world: World, quotas: Any) -> None:
    shop = await world.organisation()
    answer = await world.platform.put(shop.path, json={"name": "Shop", "quotas": quotas})
    assert problem(answer) == (422, "invalid_request")
