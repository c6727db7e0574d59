"""What was said, who said it and every secret stay out of the logs, whatever goes wrong: the service's, the worker's,
and the database's own."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from tests.faults.failing import Failure, commits_failing
from tests.faults.programs import Program, Service, gone_after
from tests.faults.stand import SECRET, Stand, Tenant

CANARY = "canaryq7x"
DEADLINE_SECONDS = 30.0
MESSAGE = {
    "id": CANARY,
    "content": f"Chez nous, la livraison est offerte dès 60 €. {CANARY} !",
    "sent_at": "2026-11-02T09:00:00Z",
}
TURN = {
    "conversation_id": CANARY,
    "channel": CANARY,
    "user_id": CANARY,
    "store_id": CANARY,
    "agent_id": CANARY,
    "user_message": MESSAGE,
    "assistant_message": {**MESSAGE, "id": f"{CANARY}.2"},
}
FACT = {"key": CANARY, "value": CANARY, "content": CANARY, "category": CANARY, "tags": [CANARY], "agent_id": CANARY}
PERSON = {"role": "member", "display_name": CANARY}
HEADERS: tuple[dict[str, str], ...] = (
    {},
    {"X-User-Id": CANARY},
    {"X-Org-Id": CANARY},
    {"Authorization": f"Bearer rtn_{CANARY}"},
)
WRONG: tuple[Any, ...] = (
    [CANARY],
    CANARY,
    {CANARY: CANARY},
    {"items": [TURN, {CANARY: 1}, CANARY]},
    {**TURN, "user_message": {**MESSAGE, "content": f"{CANARY}\0"}},
    {**TURN, "user_message": {**MESSAGE, "sent_at": CANARY}},
    {**FACT, "tier": CANARY, "key": f"{CANARY} !"},
    {**FACT, "value": CANARY * 1000},
)
BROKEN = (f'{{"{CANARY}": NaN}}', f'{{"{CANARY}": "{CANARY}', f'"{CANARY}\\ud800"', "[" * 40 + f'"{CANARY}"' + "]" * 40)


def requests(org: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and the rest, with a canary in every field."""
    query = {"store_id": CANARY, "text": CANARY, "tag": CANARY, "category": CANARY, "cursor": CANARY}
    for place, body in ((f"people/{CANARY}", PERSON), (f"stores/{CANARY}", {"name": CANARY}), ("", {"name": CANARY})):
        yield "PUT", f"{org}/{place}".rstrip("/"), {"json": body}
    for body in (TURN, *WRONG):
        yield "POST", "/memory/turns", {"json": body}
    for body in ({"user_id": CANARY, "store_id": CANARY, "conversation_id": CANARY, "query": CANARY}, *WRONG):
        yield "POST", "/memory/context", {"json": body}
    for scope, subject in (("org", {}), ("store", {"store_id": CANARY}), ("user", {"user_id": CANARY})):
        for body in ({**FACT, **subject}, *WRONG):
            yield "POST", f"/memory/facts/{scope}", {"json": body}
        yield "GET", f"/memory/facts/{scope}", {"params": query}
        yield "PATCH", f"/memory/facts/{scope}/{CANARY}", {"json": {"value": CANARY}}
    for content in BROKEN:
        yield "POST", "/memory/turns", {"content": content, "headers": {"content-type": "application/json"}}
    yield "PUT", f"{org}/channels/{CANARY}/{CANARY}", {"json": {"user_id": CANARY, "store_id": CANARY}}
    yield "POST", f"{org}/api-keys", {"json": {"name": CANARY, "role": "member", "store_ids": [CANARY]}}
    yield "PATCH", "/memory/settings", {"json": {"language": CANARY, "time_zone": CANARY}}
    yield "PUT", "/memory/rules", {"json": {"markdown": CANARY}}
    yield "PATCH", f"/memory/users/{CANARY}", {"json": {"remember": CANARY}}
    yield "GET", f"/{CANARY}/{CANARY}", {"params": {CANARY: CANARY}}
    yield "GET", "/memory/export", {"params": {"scope": CANARY}}
    for headers in HEADERS:
        yield "GET", "/memory/jobs", {"headers": headers}


@pytest.fixture(scope="module")
def settings_of_service() -> dict[str, str]:
    return {"RETENIR_LOG_LEVEL": "debug", "RETENIR_WORKER_IN_PROCESS": "false"}


@pytest.fixture
async def speaker(tenant: Tenant, service: Service) -> AsyncIterator[httpx.AsyncClient]:
    """Acts for whomever a request names."""
    async with tenant.client(service, None) as client:
        yield client


async def test_no_log_holds_a_word_or_a_key(
    stand: Stand, service: Service, tenant: Tenant, speaker: httpx.AsyncClient
) -> None:
    worker = stand.worker(RETENIR_LOG_LEVEL="debug")
    with gone_after(worker):
        for failure in Failure:
            async with commits_failing(stand, tenant.org_id, failure):
                await ask_everything(speaker, tenant)
        await ask_everything(speaker, tenant)
        async with commits_failing(stand, tenant.org_id, Failure.RAISES):
            worker.start()
            await logged(worker, "claim_broke")
        async with commits_failing(stand, tenant.org_id, Failure.RAISES, only="fact_sources"):
            await logged(worker, "job_broke")
        async with locked(stand):
            await ask_everything(speaker, tenant)
        with stand.postgres_ended():
            await ask_everything(speaker, tenant)
            await logged(worker, "claim_failed")
    database = (stand.folder / "postgres" / "server.log").read_text()
    assert {status for status in (202, 401, 404, 422, 500, 503) if f'"status": {status}' in service.said()} == {
        202, 401, 404, 422, 500, 503,
    }  # fmt: skip
    assert "ready to accept connections" in database
    for log in (service.said(), worker.said(), database):
        for hidden in (CANARY, "60 €", tenant.key, stand.platform_key, SECRET, *passwords(stand)):
            assert hidden not in log


async def ask_everything(client: httpx.AsyncClient, tenant: Tenant) -> None:
    for method, path, rest in requests(f"/orgs/{tenant.org_id}"):
        await client.request(method, path, **rest)


@asynccontextmanager
async def locked(stand: Stand) -> AsyncIterator[None]:
    """For the block statements on these tables are cut off by their time limit."""
    async with stand.superuser() as connection, connection.transaction():
        await connection.execute("lock table fact_sources in access exclusive mode")
        yield


async def logged(program: Program, event: str) -> None:
    async with asyncio.timeout(DEADLINE_SECONDS):
        while event not in program.said():
            await asyncio.sleep(0.05)


def passwords(stand: Stand) -> Iterator[str]:
    for url in (stand.urls.owner, stand.urls.serving):
        yield url.split(":")[2].split("@")[0]
