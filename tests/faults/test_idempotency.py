"""Retrying is safe: whatever happens to the service, a request with an Idempotency-Key has its effect once."""

import asyncio
import os
import random

import httpx
import pytest

from app.domain.idempotency import LEASE
from tests.faults.failing import Failure, commits_failing
from tests.faults.load import listed
from tests.faults.programs import Service, running
from tests.faults.stand import Stand, Tenant

KEYS = int(os.environ.get("RETENIR_KEYS", "20"))
AT_ONCE = 50
KILLS = int(os.environ.get("RETENIR_KEY_KILLS", "4"))
WRITES = 40
PATIENCE = LEASE.total_seconds() + 30


async def write(client: httpx.AsyncClient, number: int) -> httpx.Response:
    """The fact of this number, under the key of this number. Said again it would be confirmed."""
    body = {"key": f"fact.{number}", "value": number}
    return await client.post("/memory/facts/org", json=body, headers={"Idempotency-Key": f"key-{number}"})


async def insist(client: httpx.AsyncClient, number: int) -> str:
    """Until it is answered that it is there: its id. Every other answer says that it may be tried again."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                answer = await write(client, number)
            except httpx.TransportError:
                await asyncio.sleep(0.05)
                continue
            if answer.is_success:
                return str(answer.json()["id"])
            assert (answer.status_code, answer.json()["code"]) in {
                (409, "idempotency_running"),
                (503, "database_unavailable"),
            }, answer.text
            await asyncio.sleep(0.2)


async def assert_each_is_there_once(client: httpx.AsyncClient, ids: list[str]) -> None:
    facts = await listed(client, "/memory/facts/org")
    assert sorted(fact["id"] for fact in facts) == sorted(ids)
    assert {fact["confirmation_count"] for fact in facts} == {1}


async def test_keys_that_come_many_times_at_once_have_one_effect_each(client: httpx.AsyncClient) -> None:
    ids: list[str] = []
    for number in range(KEYS):
        answers = await asyncio.gather(*(write(client, number) for _ in range(AT_ONCE)))
        done = {answer.json()["id"] for answer in answers if answer.is_success}
        refused = {answer.json()["code"] for answer in answers if not answer.is_success}
        assert refused <= {"idempotency_running", "database_unavailable"}
        assert len(done) == 1
        ids += done
    await assert_each_is_there_once(client, ids)


async def test_what_a_kill_left_unknown_is_done_once(stand: Stand) -> None:
    service, chance = stand.service(), random.Random(3)
    with running(service):
        tenant = await stand.organisation(service)
        async with tenant.client(service) as client:
            ids: list[str] = []
            for kill in range(KILLS):
                numbers = range(kill * WRITES, (kill + 1) * WRITES)
                writing = [asyncio.create_task(insist(client, number)) for number in numbers]
                async with asyncio.timeout(PATIENCE):
                    while sum(task.done() for task in writing) < chance.randrange(WRITES):
                        await asyncio.sleep(0)
                service.kill()
                await asyncio.to_thread(service.start)
                ids += await asyncio.gather(*writing)
            assert [await insist(client, number) for number in range(KILLS * WRITES)] == ids
            await assert_each_is_there_once(client, ids)


@pytest.mark.parametrize("failure", Failure)
async def test_after_a_commit_that_failed_the_key_is_free(
    stand: Stand, tenant: Tenant, client: httpx.AsyncClient, failure: Failure
) -> None:
    async with commits_failing(stand, tenant.org_id, failure, only="org_facts"):
        assert (await write(client, 0)).status_code in {500, 503}
        assert (await write(client, 0)).status_code in {500, 503}
    await assert_each_is_there_once(client, [(await write(client, 0)).json()["id"]])


async def test_the_outcome_is_kept_with_the_effect_or_neither(
    stand: Stand, service: Service, tenant: Tenant, client: httpx.AsyncClient
) -> None:
    """Where the answer cannot be kept, nothing was done that it would answer for."""
    finishing = "create trigger stop before update on idempotency for each row when (new.status is not null)"
    body = f"if new.org_id = '{tenant.org_id}' then raise exception 'refused'; end if; return new;"
    await stand.as_superuser(
        f"create function stop() returns trigger language plpgsql as $$ begin {body} end $$",
        f"{finishing} execute function stop()",
    )
    try:
        assert (await write(client, 0)).status_code == 500
        assert await listed(client, "/memory/facts/org") == []
    finally:
        await stand.as_superuser("drop function stop cascade")
    assert (await write(client, 0)).status_code == 201
