"""Several workers on one database, some of them killed or frozen in the middle of jobs."""

import asyncio
import random
from typing import Any

import httpx
import pytest

from tests.faults.failing import jobs_taking, poisoned
from tests.faults.load import Shop, every_turn_had_its_one_effect, no_job_waits, read, turn_jobs
from tests.faults.programs import gone_after, running
from tests.faults.stand import Stand, Tenant, frozen

SHOPS, TURNS = 8, 30
WORKERS, VICTIMS, ROUNDS = 5, 3, 3
JOB_SECONDS = 0.25


@pytest.fixture(scope="module")
def settings_of_service() -> dict[str, str]:
    return {"RETENIR_WORKER_IN_PROCESS": "false"}


async def test_killed_workers_lose_and_double_nothing(stand: Stand, client: httpx.AsyncClient, tenant: Tenant) -> None:
    workers, chance = [stand.worker() for _ in range(WORKERS)], random.Random(9)
    shops = [Shop(client, f"shop{number}") for number in range(SHOPS)]
    await asyncio.gather(*(shop.talk(asyncio.Event(), TURNS) for shop in shops))
    with running(*workers):
        async with jobs_taking(stand, tenant.org_id, JOB_SECONDS):
            for _ in range(ROUNDS):
                await seen(client, "running")
                await asyncio.sleep(chance.uniform(0, 0.5))
                for victim in chance.sample(workers, VICTIMS):
                    victim.kill()
                    victim.start()
        await every_turn_had_its_one_effect(client, shops)
    jobs = {job["id"]: job for job in await turn_jobs(client)}
    assert any(job["attempts"] > 1 for job in jobs.values())
    for shop in shops:
        keep_their_order(jobs, shop)


async def test_a_worker_that_outlives_its_lease_changes_nothing(
    stand: Stand, client: httpx.AsyncClient, tenant: Tenant
) -> None:
    workers = [stand.worker(RETENIR_JOB_LEASE_SECONDS="2") for _ in range(2)]
    shops = [Shop(client, f"shop{number}") for number in range(SHOPS)]
    await asyncio.gather(*(shop.talk(asyncio.Event(), TURNS // 2) for shop in shops))
    with running(*workers):
        async with jobs_taking(stand, tenant.org_id, JOB_SECONDS):
            for worker in workers:
                await seen(client, "running")
                with frozen(worker.pid):
                    await asyncio.sleep(3)
        await every_turn_had_its_one_effect(client, shops)
    assert any(job["attempts"] > 1 for job in await turn_jobs(client))


async def test_what_is_given_up_can_be_seen_and_tried_again(
    stand: Stand, client: httpx.AsyncClient, tenant: Tenant
) -> None:
    shop = Shop(client, "shop1")
    await shop.talk(asyncio.Event(), turns=4)
    refused, left, *others = shop.jobs
    await stand.as_superuser(
        f"update jobs set attempts = 7 where id = '{refused}'",
        f"update jobs set attempts = 8, status = 'running', lease_until = now() where id = '{left}'",
    )
    worker = stand.worker()
    with gone_after(worker):
        async with poisoned(stand, tenant.org_id, "m0.user"):
            worker.start()
            await no_job_waits(client)
        dead = await turn_jobs(client, status="dead")
        assert {job["id"]: (job["error"], job["attempts"]) for job in dead} == {
            refused: ("internal", 8),
            left: ("attempts_exhausted", 9),
        }
        assert {job["id"] for job in await turn_jobs(client, status="done")} == set(others)
        for job in dead:
            assert (await client.post(f"/memory/jobs/{job['id']}/retry")).json()["status"] == "queued"
        await every_turn_had_its_one_effect(client, [shop])


async def seen(client: httpx.AsyncClient, status: str) -> None:
    """A job in that state was seen. Raises TimeoutError when none is."""
    async with asyncio.timeout(30):
        while not (await read(client, "/memory/jobs", status=status, limit="1"))["items"]:
            await asyncio.sleep(0.01)


def keep_their_order(jobs: dict[str, Any], shop: Shop) -> None:
    """Within a conversation a turn is read after the one before it."""
    by_conversation: dict[str, list[str]] = {}
    for (conversation, _), job in zip(shop.said("user"), shop.jobs, strict=True):
        by_conversation.setdefault(conversation, []).append(jobs[job]["finished_at"])
    assert all(ended == sorted(ended) for ended in by_conversation.values())
