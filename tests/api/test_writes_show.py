"""Every route that writes, read off the app: what it changes is shown by the next answer of a warm replica.

The measure is a replica without a cache, at the same instant: what that one answers, the warm one must answer too.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import FastAPI

from tests.api.test_idempotency import ONLY_READ
from tests.support.replicas import at, replica
from tests.support.routes import Endpoint, endpoints
from tests.support.samples import Sample, Samples, is_platform_s
from tests.support.talk import FREE_FROM_80, path_of, turn, write
from tests.support.world import Tenant, World

Json = dict[str, Any]
CARRIER = turn("Le transporteur passe vers seize heures, sauf le lundi.")
READERS: list[tuple[str | None, Json]] = [
    ("alice", {"store_id": "shop1", "query": "Quand passe le transporteur ?"}),
    ("alice", {}),
    ("mia", {"store_id": "shop1"}),
    (None, {"store_id": "shop1"}),
    (None, {"channel": "whatsapp", "channel_address": "336"}),
]
"""Who asks, and for which prompt."""

TOLD: dict[str, tuple[dict[str, str], Json | None]] = {
    "POST /memory/turns": ({}, turn(FREE_FROM_80)),
    "POST /memory/observations": ({}, {"items": [{"type": "note", "content": "Elle aime le thé."}]}),
    "POST /memory/consolidations": ({}, {"deadline_ms": 10_000}),
    "POST /memory/prune": ({}, {"mode": "on", "older_than_days": 0}),
    "PATCH /memory/settings": ({}, {"language": "en"}),
    "PATCH /memory/users/{user_id}": ({"user_id": "alice"}, {"remember": False}),
    "DELETE /memory/messages/{message_id}": ({"message_id": CARRIER["user_message"]["id"]}, None),
    "DELETE /memory/users/{user_id}": ({"user_id": "mia"}, None),
    "DELETE /memory/stores/{store_id}": ({"store_id": "shop1"}, None),
    "PUT /orgs/{org_id}": ({}, {"name": "Us", "language": "en"}),
    "PUT /orgs/{org_id}/people/{user_id}": ({"user_id": "alice"}, {"role": "owner", "remember": False}),
    "DELETE /orgs/{org_id}/people/{user_id}": ({"user_id": "mia"}, None),
    "DELETE /orgs/{org_id}/stores/{store_id}": ({"store_id": "shop1"}, None),
    "PUT /orgs/{org_id}/channels/{channel}/{address}": (
        {"channel": "whatsapp", "address": "336"},
        {"user_id": "mia", "store_id": "shop1"},
    ),
    "DELETE /orgs/{org_id}/channels/{channel}/{address}": ({"channel": "whatsapp", "address": "336"}, None),
    "DELETE /orgs/{org_id}": ({}, None),
}
"""What is sent where the document's example would change nothing that a reader is shown."""

FIRST = {"unpin": "pin", "restore": "archive", "unmerge": "merge"}
"""What has to have been done before it can be undone."""

LATER = {"POST /memory/jobs/{job_id}/retry", "POST /memory/import"}
"""They queue a job; what it then writes, turns and consolidations write here, or `test_import` looks at."""

SILENT = {
    "POST /memory/tool-runs",
    "POST /memory/prune",  # takes only what nobody was shown lately
    "PUT /orgs/{org_id}/stores/{store_id}",
    "POST /orgs/{org_id}/api-keys",
    "DELETE /orgs/{org_id}/api-keys/{key_id}",
}
"""Routes whose writes no context shows; each other one must be seen to change an answer."""


@dataclass
class Scene:
    """Three replicas at one instant: one that writes, a warm one, and one without a cache."""

    writer: World
    warm: World
    cold: World

    async def furnish(self) -> Tenant:
        """An organisation in which there is something for each route to change."""
        tenant = await self.writer.organisation(people={"alice": "owner", "mia": "member"})
        alice, mia = tenant.acting("alice"), tenant.acting("mia")
        for scope in ("org", "store", "user"):
            await write(alice, scope, f"of.{scope}", f"{scope} before")
        await write(mia, "user", "of.mia", "mia before")
        await self.writer.platform.put(f"{tenant.path}/channels/whatsapp/336", json={"user_id": "alice"})
        observed = {"type": "tool_success", "metadata": {"toolName": "get_order"}, "session_id": "s1"}
        await alice.post("/memory/observations", json={"items": [observed]})
        await alice.post("/memory/turns", json=CARRIER)
        await self.writer.finish_jobs()
        return tenant

    async def shown(self, world: World, tenant: Tenant) -> list[Any]:
        """What each of the readers is answered there, without the receipt."""
        return [await _answered(at(world, tenant), *reader) for reader in READERS]


async def _answered(tenant: Tenant, person: str | None, asked: Json) -> tuple[int, Json]:
    client = tenant.owner if person is None else tenant.acting(person)
    answer = await client.post("/memory/context", json={"deadline_ms": 10_000, **asked})
    told = answer.json()
    assert not told.get("degraded"), told
    return answer.status_code, {name: value for name, value in told.items() if not name.endswith("_id")}


@pytest.fixture(scope="module")
async def scene(world: World) -> AsyncIterator[Scene]:
    instant = datetime.now(UTC)

    def still() -> datetime:
        return instant

    async with (
        replica(world, still) as writer,
        replica(world, still) as warm,
        replica(world, still, redis_url=None) as cold,
    ):
        yield Scene(writer, warm, cold)


async def request_of(tenant: Tenant, app: FastAPI, endpoint: Endpoint) -> Sample:
    """A request that changes something, with what has to be there for it."""
    if endpoint.name in TOLD:
        ids, body = TOLD[endpoint.name]
        return Sample(endpoint.method, endpoint.at(**{"org_id": tenant.org_id, **ids}), body)
    sample = await Samples(tenant, app.openapi()).of(endpoint, spend=True)
    alice, place = tenant.acting("alice"), sample.url.rpartition("/")[0]
    if endpoint.path.endswith("/confirm"):
        doubted = await alice.patch(place, json={"confidence": 0.5})
        assert doubted.is_success, doubted.text
    before = FIRST.get(endpoint.path.rpartition("/")[2])
    if before is not None:
        into = {"into": (await write(alice, endpoint.path.split("/")[3], "into", "into"))["id"]}
        done = await alice.post(f"{place}/{before}", json=into if before == "merge" else None)
        assert done.is_success, done.text
    return sample


async def test_a_warm_replica_shows_what_each_route_wrote(app: FastAPI, scene: Scene) -> None:
    silent: set[str] = set()
    writing = [endpoint for endpoint in endpoints(app) if endpoint.writes]
    for endpoint in (endpoint for endpoint in writing if endpoint.name not in ONLY_READ | LATER):
        tenant = await scene.furnish()
        sample = await request_of(tenant, app, endpoint)
        before = await scene.shown(scene.warm, tenant)
        client = scene.writer.platform if is_platform_s(endpoint) else tenant.acting("alice")
        wrote = await client.request(sample.method, sample.url, json=sample.json)
        assert wrote.is_success or endpoint.name in SILENT, f"{endpoint.name} {wrote.text}"
        await scene.writer.finish_jobs()
        after = await scene.shown(scene.warm, tenant)
        assert after == await scene.shown(scene.cold, tenant), endpoint.name
        if after == before:
            silent.add(endpoint.name)
    assert silent == SILENT


async def test_a_key_of_idempotency_changes_nothing_about_that(scene: Scene) -> None:
    """There the writes are parts of one transaction."""
    tenant = await scene.furnish()
    alice = tenant.acting("alice")
    for number in range(3):
        await scene.shown(scene.warm, tenant)
        body = {"key": "of.org", "value": f"org {number}"}
        for _ in range(2):
            wrote = await alice.post("/memory/facts/org", json=body, headers={"Idempotency-Key": f"k{number}"})
            assert wrote.status_code == 201
        assert f"org {number}" in str(await scene.shown(scene.warm, tenant))
    fact = await write(alice, "user", "of.user", "new", confidence=0.9)
    assert "new" in str(await scene.shown(scene.warm, tenant))
    assert (await alice.delete(path_of(fact), headers={"Idempotency-Key": "gone"})).is_success
    assert "new" not in str(await scene.shown(scene.warm, tenant))
