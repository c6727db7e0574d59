"""kill -9 of the service, again and again while shops write: what was acknowledged is there, once."""

import asyncio
import os
import random

from tests.faults.load import Shop, every_turn_had_its_one_effect, progress, talking
from tests.faults.programs import running
from tests.faults.stand import Stand

KILLS = int(os.environ.get("RETENIR_KILLS", "20"))
SHOPS = 6


async def test_no_kill_loses_or_doubles_what_was_acknowledged(stand: Stand) -> None:
    service, chance = stand.service(), random.Random(9)
    with running(service):
        tenant = await stand.organisation(service)
        async with tenant.client(service) as client:
            shops = [Shop(client, f"shop{number}") for number in range(SHOPS)]
            async with talking(shops):
                for _ in range(KILLS):
                    await progress(shops, chance.randint(1, 24))
                    service.kill()
                    await asyncio.to_thread(service.start)
            assert sum(shop.unknown for shop in shops) >= KILLS
            await every_turn_had_its_one_effect(client, shops)
            for shop in shops:
                again = (await shop.repeat(len(shop.jobs) - 1)).json()
                assert (again["stored"], again["job_id"]) == (0, shop.jobs[-1])
