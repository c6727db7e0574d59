"""2xx only after the commit: when it fails, no writing route says that anything was done, and nothing was."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from tests.faults.failing import Failure, commits_colliding, commits_failing
from tests.faults.load import Shop, listed, no_job_waits, turn_jobs
from tests.faults.programs import Service
from tests.faults.stand import Stand, Tenant

TO_BE = ("pin", "confirm", "archive", "restore", "edit", "tag", "delete")
"""What each fact is for."""
STATUS = {Failure.RAISES: 500, Failure.DEADLOCK: 503, Failure.CUT: 503}


@pytest.mark.parametrize("failure", Failure)
async def test_no_answer_is_2xx(
    stand: Stand, service: Service, tenant: Tenant, client: httpx.AsyncClient, failure: Failure
) -> None:
    async with stand.platform(service) as platform:
        writes = await prepared(client, platform, f"/orgs/{tenant.org_id}")
        before = await everything(client, platform, tenant)
        async with commits_failing(stand, tenant.org_id, failure):
            for name, write in writes.items():
                answer = await write()
                assert answer.status_code == STATUS[failure], (name, answer.text)
                assert answer.headers["content-type"] == "application/problem+json"
                assert ("retry-after" in answer.headers) == (answer.status_code == 503)
        assert await everything(client, platform, tenant) == before
        for name, write in writes.items():
            answer = await write()
            assert answer.is_success, (name, answer.text)


async def test_what_only_collides_is_done_again(
    stand: Stand, service: Service, tenant: Tenant, client: httpx.AsyncClient
) -> None:
    async with stand.platform(service) as platform:
        writes = await prepared(client, platform, f"/orgs/{tenant.org_id}")
        async with commits_colliding(stand, tenant.org_id, times=2) as again:
            for name, write in writes.items():
                answer = await write()
                assert answer.is_success, (name, answer.text)
                await again()
    async with stand.platform(service) as platform:
        assert (await platform.get(f"/orgs/{tenant.org_id}")).status_code == 404


async def prepared(
    client: httpx.AsyncClient, platform: httpx.AsyncClient, org: str
) -> dict[str, Callable[[], Awaitable[httpx.Response]]]:
    """A request to each kind of writing route; one by one in this order, all succeed."""
    shop = Shop(client, "shop1")
    await shop.talk(asyncio.Event(), turns=1)
    await no_job_waits(client)
    facts = {key: await written(client, key) for key in TO_BE}
    await client.post(f"{facts['restore']}/archive")
    key = await platform.post(f"{org}/api-keys", json={"name": "other", "role": "member"})
    await platform.put(f"{org}/channels/web/address", json={"user_id": "alice"})
    return {
        "turn": lambda: shop.repeat(1),
        "turn that leaves nothing": lambda: shop.repeat(2, " #noremember"),
        "fact of the organisation": lambda: client.post("/memory/facts/org", json={"key": "tone", "value": "warm"}),
        "fact of a new store": lambda: client.post(
            "/memory/facts/store", json={"key": "k", "value": 1, "store_id": "s"}
        ),
        "fact of a person": lambda: client.post("/memory/facts/user", json={"key": "k", "value": 1}),
        "pin": lambda: client.post(f"{facts['pin']}/pin"),
        "confirm": lambda: client.post(f"{facts['confirm']}/confirm"),
        "archive": lambda: client.post(f"{facts['archive']}/archive"),
        "restore": lambda: client.post(f"{facts['restore']}/restore"),
        "edit in place": lambda: client.patch(facts["tag"], json={"tags": ["paint"]}),
        "edit": lambda: client.patch(facts["edit"], json={"value": "green"}),
        "delete a fact": lambda: client.delete(facts["delete"]),
        "settings": lambda: client.patch("/memory/settings", json={"language": "en"}),
        "rules": lambda: client.put("/memory/rules", json={"markdown": "# Rules"}),
        "wish": lambda: client.patch("/memory/users/bob", json={"remember": False}),
        "organisation": lambda: platform.put(org, json={"name": "another"}),
        "store": lambda: platform.put(f"{org}/stores/new", json={"name": "new"}),
        "person": lambda: platform.put(f"{org}/people/bob", json={"role": "member"}),
        "channel": lambda: platform.put(f"{org}/channels/sms/336", json={"user_id": "alice"}),
        "key": lambda: platform.post(f"{org}/api-keys", json={"name": "new", "role": "admin"}),
        "revoke": lambda: platform.delete(f"{org}/api-keys/{key.json()['id']}"),
        "delete a channel": lambda: platform.delete(f"{org}/channels/web/address"),
        "delete a store": lambda: platform.delete(f"{org}/stores/shop1"),
        "delete an organisation": lambda: platform.delete(org),
    }


async def written(client: httpx.AsyncClient, key: str) -> str:
    """The path of a new fact."""
    made = await client.post("/memory/facts/org", json={"key": key, "value": "blue"})
    return f"/memory/facts/org/{made.json()['id']}"


async def everything(client: httpx.AsyncClient, platform: httpx.AsyncClient, tenant: Tenant) -> dict[str, Any]:
    """All that can be read of the organisation, but for the events that tell of this reading."""
    document = (await client.get("/memory/export")).json()
    del document["manifest"]
    document["events"] = [event for event in document["events"] if event["kind"] != "exported"]
    keys = await listed(platform, f"/orgs/{tenant.org_id}/api-keys")
    return {**document, "jobs": await turn_jobs(client), "keys": keys}
