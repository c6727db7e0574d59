"""SIGTERM, as a deploy sends it: nothing acknowledged is lost, and the process ends in time, by itself."""

import asyncio
import random

from tests.faults.load import Shop, every_turn_had_its_one_effect, progress, read, talking
from tests.faults.programs import PROMISED_SECONDS, running
from tests.faults.stand import Stand

DEPLOYS = 4
SHOPS = 6


async def test_a_deploy_under_load_loses_nothing(stand: Stand) -> None:
    service, chance = stand.service(), random.Random(9)
    with running(service):
        tenant = await stand.organisation(service)
        async with tenant.client(service) as client:
            shops = [Shop(client, f"shop{number}") for number in range(SHOPS)]
            async with talking(shops):
                for _ in range(DEPLOYS):
                    await progress(shops, chance.randint(1, 24))
                    assert await asyncio.to_thread(service.terminate) < PROMISED_SECONDS
                    await asyncio.to_thread(service.start)
            await every_turn_had_its_one_effect(client, shops)


async def test_a_job_under_way_is_finished_before_the_worker_ends(stand: Stand) -> None:
    service, worker = stand.service(RETENIR_WORKER_IN_PROCESS="false"), stand.worker()
    with running(service):
        tenant = await stand.organisation(service)
        async with tenant.client(service) as client:
            shops = [Shop(client, f"shop{number}") for number in range(SHOPS)]
            await asyncio.gather(*(shop.talk(asyncio.Event(), turns=10) for shop in shops))
            with running(worker):
                while not (await read(client, "/memory/jobs", status="done", limit="1"))["items"]:
                    await asyncio.sleep(0.01)
                assert await asyncio.to_thread(worker.terminate) < PROMISED_SECONDS
            assert (await client.get("/memory/jobs?status=running")).json()["items"] == []
            assert (await client.get("/memory/jobs?status=queued")).json()["items"]
            with running(worker):
                await every_turn_had_its_one_effect(client, shops)


async def test_ends_in_time_although_the_database_hangs(stand: Stand) -> None:
    service, worker = stand.service(), stand.worker()
    with running(service, worker):
        tenant = await stand.organisation(service)
        async with tenant.client(service) as client:
            shops = [Shop(client, f"shop{number}") for number in range(SHOPS)]
            async with talking(shops):
                await progress(shops, 30)
                with stand.postgres_frozen():
                    ending = (asyncio.to_thread(program.terminate) for program in (service, worker))
                    assert max(await asyncio.gather(*ending)) < PROMISED_SECONDS
                await asyncio.to_thread(service.start)
            await every_turn_had_its_one_effect(client, shops)
