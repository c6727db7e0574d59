"""Large erasures: closed with the answer, finished by a job whatever becomes of its workers."""

import asyncio
import os
import random
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.domain.tenancy import Rank, TenantScope
from app.services.learning import StaleClaimError
from tests.support.clock import MovingClock
from tests.support.erasing import erase, leave_words, word
from tests.support.talk import FREE_FROM_60, facts, problem, recall, tables_holding, turn
from tests.support.world import WORKER, Tenant, World

MANY = 10_001
KILLS = 20
INTERLEAVINGS = int(os.environ.get("RETENIR_INTERLEAVINGS", "12"))
"""How many; 1,000 are promised."""


@pytest.fixture
async def shop(world: World) -> Tenant:
    people = {"olga": "owner", "carla": None, "dave": None}
    return await world.organisation(people=people, stores=("shop1", "shop2"))


async def fill(tenant: Tenant, person: str, store: str, said: str) -> None:
    """More happened to the person there than is erased while somebody waits."""
    one = {"type": "tool_success", "user_id": person, "store_id": store, "content": said}
    for first in range(0, MANY, 500):
        items = [{**one, "metadata": {"toolName": f"t{number}"}} for number in range(first, min(first + 500, MANY))]
        answer = await tenant.owner.post("/memory/observations", json={"items": items})
        while answer.status_code == 503:  # the machine is busy with other tests
            answer = await tenant.owner.post("/memory/observations", json={"items": items})
        assert answer.status_code == 202, answer.text


async def test_what_is_being_erased_is_closed_at_once(world: World, shop: Tenant, superuser_url: str) -> None:
    said = word()
    await leave_words(world, shop, "carla", said)
    await fill(shop, "carla", "shop2", said)
    receipt = await erase(shop.acting("carla"), "/memory/users/carla", 202)
    assert (receipt["completed_at"], receipt["job_id"]) == (None, receipt["receipt_id"])
    olga = shop.acting("olga")
    assert (await shop.owner.get(f"{shop.path}/people/carla")).status_code == 404
    assert await facts(shop.acting("carla"), "user") == []
    listed = await olga.get("/memory/facts/user", params={"user_id": "carla"})
    assert said not in listed.text
    export = await olga.get("/memory/export")
    assert (export.status_code, f'"{said}"' in export.text) == (200, False)
    for path in ("/memory/rules", "/memory/rules/versions", "/memory/settings", "/memory/events", "/memory/stats"):
        assert (await olga.get(path)).status_code == 200, path
    others = await recall(shop.acting("dave"), query=said)
    assert (others["degraded"], said in others["block"]) == ([], False)
    await shop.acting("dave").post("/memory/observations", json={"items": [{"type": "note", "content": "Thé"}]})
    for refused in (
        await shop.acting("carla").post("/memory/turns", json=turn(FREE_FROM_60, at=9000)),
        await shop.owner.put(f"{shop.path}/people/carla", json={"role": None}),
        await shop.owner.post("/memory/facts/user", json={"key": "k", "value": 1, "user_id": "carla"}),
    ):
        assert problem(refused) == (409, "erasing")
        assert int(refused.headers["retry-after"]) > 0
    assert (await olga.get(f"/memory/erasures/{receipt['receipt_id']}")).json()["completed_at"] is None
    await world.finish_jobs()
    done = (await olga.get(f"/memory/erasures/{receipt['receipt_id']}")).json()
    assert (done["remaining"], done["completed_at"] is not None) == (0, True)
    assert done["erased"]["observations"] > MANY
    job = (await olga.get(f"/memory/jobs/{receipt['job_id']}")).json()
    assert (job["kind"], job["status"], job["result"]) == ("erasure", "done", {"receipt_id": receipt["receipt_id"]})
    assert await tables_holding(superuser_url, said) == {}
    assert (await shop.owner.put(f"{shop.path}/people/carla", json={"role": None})).status_code == 201


async def test_a_store_that_is_being_erased_is_closed(world: World, shop: Tenant, superuser_url: str) -> None:
    said = word()
    await leave_words(world, shop, "carla", said, "shop2")
    await fill(shop, "carla", "shop2", said)
    receipt = await erase(shop.acting("olga"), "/memory/stores/shop2", 202)
    listed = await shop.acting("olga").get("/memory/facts/store", params={"store_id": "shop2"})
    assert said not in listed.text
    assert (await shop.owner.get(f"{shop.path}/stores/shop2")).status_code == 404
    assert problem(await shop.acting("carla").post("/memory/turns", json=turn("Bonjour", at=9, store_id="shop2"))) == (
        409,
        "erasing",
    )
    assert problem(await shop.acting("olga").delete("/memory/stores/shop2")) == (404, "not_found")
    await world.finish_jobs()
    done = (await shop.acting("olga").get(f"/memory/erasures/{receipt['receipt_id']}")).json()
    assert (done["remaining"], done["erased"]["observations"] >= MANY) == (0, True)


async def test_an_organisation_s_keys_open_nothing_from_the_answer_on(world: World, shop: Tenant) -> None:
    await fill(shop, "carla", "shop2", word())
    receipt = await erase(world.platform, shop.path, 202)
    assert problem(await shop.acting("olga").get("/memory/facts/store"))[0] == 401
    assert problem(await shop.token("olga").get("/memory/facts/store")) == (404, "not_found")
    assert problem(await world.platform.put(shop.path, json={"name": "again"})) == (409, "erasing")
    assert (await world.platform.get(shop.path)).status_code == 404
    path = f"/jobs/{receipt['job_id']}"
    assert (await world.platform.get(path)).json()["status"] == "running"
    await world.finish_jobs()
    assert (await world.platform.get(path)).json()["status"] == "done"
    kept = (await world.platform.get(f"/erasures/{receipt['receipt_id']}")).json()
    assert (kept["remaining"], kept["erased"]["observations"]) == (0, MANY)
    assert (await world.platform.put(shop.path, json={"name": "again"})).status_code == 201


async def test_a_memory_that_is_being_erased_is_closed(world: World, shop: Tenant, superuser_url: str) -> None:
    said = word()
    await leave_words(world, shop, "carla", said)
    await fill(shop, "carla", "shop2", said)
    await erase(shop.acting("olga"), "/memory", 202, confirm=shop.org_id)
    assert await facts(shop.acting("olga")) == await facts(shop.acting("carla"), "user") == []
    refused = await shop.acting("carla").post("/memory/turns", json=turn(FREE_FROM_60, at=9000))
    assert problem(refused) == (409, "erasing")
    await world.finish_jobs()
    assert await tables_holding(superuser_url, said) == {}
    assert (await shop.acting("carla").post("/memory/turns", json=turn(FREE_FROM_60, at=9000))).status_code == 202


async def checksum(superuser_url: str, org_id: str) -> dict[str, Any]:
    """Every table's rows of the organisation, as one digest each."""
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.connect() as connection:
        names = await connection.execute(text("select tablename from pg_tables where schemaname = 'public'"))
        return {
            name: (
                await connection.execute(
                    text(
                        f"select md5(coalesce(string_agg(t::text, '' order by t::text), '')) from \"{name}\" t"
                        " where to_jsonb(t) ->> 'org_id' = :org_id"
                    ),
                    {"org_id": org_id},
                )
            ).scalar_one()
            for name in names.scalars().all()
        }


@pytest.mark.parametrize("seed", range(2))
async def test_a_job_that_is_killed_again_and_again_finishes(
    world: World, shop: Tenant, clock: MovingClock, superuser_url: str, seed: int
) -> None:
    """A kill is a transaction that never commits; the lease ends, and the next worker goes on."""
    chance = random.Random(seed)
    neighbour = await world.organisation(people={"olga": "owner", "carla": None})
    said, kept = word(), word()
    for tenant, words in ((shop, said), (neighbour, kept)):
        await leave_words(world, tenant, "carla", words)
    await fill(shop, "carla", "shop1", said)
    await world.container.receipts.close()
    await world.finish_jobs()
    before = await checksum(superuser_url, neighbour.org_id)
    receipt = await erase(world.platform, shop.path, 202)
    for _ in range(KILLS):
        clock.advance(seconds=120)
        for claim in await world.container.directory.claim_jobs(50, clock()):
            if str(claim.job_id) != receipt["job_id"]:
                continue
            work = asyncio.create_task(
                world.container.erasures.run(TenantScope(claim.org_id, WORKER, Rank.OWNER), claim)
            )
            await asyncio.wait({work}, timeout=chance.uniform(0, 0.2))
            work.cancel()
            with suppress(asyncio.CancelledError, StaleClaimError):
                await work
    clock.advance(seconds=3600)
    await world.finish_jobs()
    done = (await world.platform.get(f"/erasures/{receipt['receipt_id']}")).json()
    assert (done["completed_at"] is not None, done["remaining"]) == (True, 0)
    assert await tables_holding(superuser_url, said) == await tables_holding(superuser_url, shop.org_id) == {}
    assert await checksum(superuser_url, neighbour.org_id) == before


async def test_what_is_on_its_way_does_not_come_back(world: World, shop: Tenant, superuser_url: str) -> None:
    """Turns, readings and consolidations at the same moment as the erasure, in whatever order they come through."""
    for number in range(INTERLEAVINGS):
        person, said = f"p{number}-{uuid4().hex[:6]}", word()
        client = shop.acting(person)
        first = turn(f"Je préfère le thé {said}.")
        await client.post("/memory/turns", json=first)
        late = turn(f"Chez nous, le transporteur est {said}.")
        acts = [
            client.post("/memory/turns", json=late),
            client.post("/memory/turns", json=first),
            client.post("/memory/consolidations", json={"user_id": person}),
            shop.acting(person).delete(f"/memory/users/{person}"),
            world.finish_jobs(),
        ]
        random.Random(number).shuffle(acts)
        answers = await asyncio.gather(*acts)
        await world.finish_jobs()
        erased = [one.status_code for one in answers if one is not None and one.request.method == "DELETE"]
        again = await client.delete(f"/memory/users/{person}")
        assert (erased, again.status_code) in (([200], 404), ([404], 200)), "whoever was erased is not there again"
        assert await tables_holding(superuser_url, said, shop.org_id) == {}
