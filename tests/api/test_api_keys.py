"""API keys: made once, shown once, narrowed, ended."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.domain.credentials import KeyKind, kind_of
from tests.support.clock import MovingClock
from tests.support.world import Tenant, World

NAMED = {"name": "backend", "role": "admin", "act_for_people": True}


@pytest.fixture
async def tenant(world: World) -> Tenant:
    return await world.organisation()


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


async def made(tenant: Tenant, **fields: Any) -> dict[str, Any]:
    answer = await tenant.owner.post(f"{tenant.path}/api-keys", json={**NAMED, **fields})
    assert answer.status_code == 201, answer.text
    key: dict[str, Any] = answer.json()
    return key


async def test_a_key_opens_from_the_moment_it_is_made(tenant: Tenant) -> None:
    key = await made(tenant)
    assert key.keys() == {"id", "key"}
    assert kind_of(key["key"]) is KeyKind.API
    assert (await tenant.with_key(key["key"]).get("/memory/settings")).status_code == 200


async def test_a_key_is_shown_once_and_stored_nowhere(tenant: Tenant, superuser_url: str) -> None:
    key = await made(tenant)
    listed = await tenant.owner.get(f"{tenant.path}/api-keys")
    assert key["id"] in listed.text
    assert key["key"] not in listed.text
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    async with engine.connect() as connection:
        rows = await connection.execute(text("select k::text from api_keys k where id::text = :id"), {"id": key["id"]})
        stored = rows.scalar_one()
    assert key["key"] not in stored
    assert key["key"].encode().hex() not in stored


async def test_a_listed_key_tells_what_it_may(tenant: Tenant) -> None:
    expires_at = (datetime.now(UTC) + timedelta(days=9)).isoformat()
    limits = {"store_ids": ["shop1"], "agent_ids": ["maya", "atlas"], "expires_at": expires_at}
    key = await made(tenant, **limits)
    newest = (await tenant.owner.get(f"{tenant.path}/api-keys", params={"limit": 1})).json()["items"][0]
    assert newest.items() >= {**NAMED, "id": key["id"], "revoked_at": None}.items()
    assert (newest["store_ids"], newest["agent_ids"]) == (["shop1"], ["maya", "atlas"])
    assert datetime.fromisoformat(newest["expires_at"]) == datetime.fromisoformat(expires_at)


async def test_a_revoked_key_opens_nothing_from_then_on(tenant: Tenant) -> None:
    key = await made(tenant)
    client = tenant.with_key(key["key"])
    assert (await client.get("/memory/settings")).status_code == 200
    for _ in range(2):
        assert (await tenant.owner.delete(f"{tenant.path}/api-keys/{key['id']}")).status_code == 204
        assert problem(await client.get("/memory/settings")) == (401, "unauthenticated")
    assert (await tenant.owner.get(f"{tenant.path}/api-keys")).json()["items"][0]["revoked_at"] is not None


async def test_a_key_expires(tenant: Tenant, clock: MovingClock) -> None:
    key = await made(tenant, expires_at=(datetime.now(UTC) + timedelta(days=1)).isoformat())
    client = tenant.with_key(key["key"])
    assert (await client.get("/memory/settings")).status_code == 200
    clock.advance(days=1, seconds=1)
    assert problem(await client.get("/memory/settings")) == (401, "unauthenticated")


async def test_making_and_revoking_are_events(tenant: Tenant) -> None:
    key = await made(tenant)
    await tenant.owner.delete(f"{tenant.path}/api-keys/{key['id']}")
    await tenant.owner.delete(f"{tenant.path}/api-keys/{key['id']}")
    events = (await tenant.owner.get("/memory/events")).json()["items"]
    assert [event["kind"] for event in events][:2] == ["key_revoked", "key_made"]
    assert key["key"] not in str(events)


@pytest.mark.parametrize(
    "wrong",
    [
        {"role": None},
        {"role": "platform"},
        {"store_ids": []},
        {"agent_ids": []},
        {"store_ids": [""]},
        {"expires_at": "2026-11-30"},
        {"expires_at": "2126-11-30T09:00:00"},
        {"act_for_people": "yes"},
        {"name": " "},
        {"created_by": "alice"},
        {"org_id": "other"},
    ],
)
async def test_a_key_that_cannot_be_is_refused(tenant: Tenant, wrong: dict[str, Any]) -> None:
    answer = await tenant.owner.post(f"{tenant.path}/api-keys", json={**NAMED, **wrong})
    assert problem(answer) == (422, "invalid_request")


async def test_a_key_that_has_expired_already_is_refused(tenant: Tenant) -> None:
    answer = await tenant.owner.post(f"{tenant.path}/api-keys", json={**NAMED, "expires_at": "2020-01-01T00:00:00Z"})
    assert problem(answer) == (422, "already_expired")


async def test_nobody_ends_a_key_of_another_organisation(world: World, tenant: Tenant) -> None:
    other = await world.organisation()
    key = await made(other)
    for id_ in (key["id"], "no-uuid"):
        assert problem(await tenant.owner.delete(f"{tenant.path}/api-keys/{id_}")) == (404, "not_found")
    assert (await other.with_key(key["key"]).get("/memory/settings")).status_code == 200


async def test_an_owner_who_lost_the_role_makes_no_keys(tenant: Tenant) -> None:
    await tenant.owner.put(f"{tenant.path}/people/ada", json={"role": "owner"})
    assert (await tenant.token("ada").post(f"{tenant.path}/api-keys", json=NAMED)).status_code == 201
    await tenant.owner.put(f"{tenant.path}/people/ada", json={"role": "admin"})
    assert problem(await tenant.token("ada").post(f"{tenant.path}/api-keys", json=NAMED)) == (403, "forbidden")
