"""Every list, page by page, while rows come and go: none that stands all the time is left out, none is shown twice."""

import asyncio
import os
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any
from urllib.parse import quote

import asyncpg
import pytest
from fastapi import FastAPI

from app.adapters.embedded.roles import DRIVER
from app.domain.identifiers import uuid7
from tests.support.copies import Copies
from tests.support.routes import endpoints
from tests.support.town import CHANNEL
from tests.support.world import Tenant, World

ROWS = int(os.environ.get("RETENIR_PAGE_ROWS", "400"))
CHANGES = int(os.environ.get("RETENIR_PAGE_CHANGES", "100"))
"""The promise is of 10,000 rows and 1,000 rows that come while as many go."""


@dataclass(frozen=True)
class Kept:
    """Where the rows of a list lie; `shown` is what its items call the column that tells the rows apart."""

    table: str
    column: str = "id"
    shown: str = "id"
    query: dict[str, str] = field(default_factory=dict)
    name: Callable[[int], Any] = lambda _: uuid7()


def by_name(number: int) -> str:
    """An id of the caller's own."""
    return f"n-{number:08}"


def by_version(number: int) -> int:
    """A version after the first, which is there."""
    return number + 2


def by_day(number: int) -> date:
    """A day before any in which a turn was read."""
    return date(1990, 1, 1) + timedelta(days=number)


LISTS = {
    "/memory/facts/org": Kept("org_facts"),
    "/memory/facts/store": Kept("store_facts", query={"store_id": "shop1"}),
    "/memory/facts/user": Kept("user_facts"),
    "/memory/observations": Kept("observations"),
    "/memory/contradictions": Kept("contradictions"),
    "/memory/jobs": Kept("jobs"),
    "/memory/events": Kept("events"),
    "/memory/usage": Kept("usage_days", "day", "day", name=by_day),
    "/memory/rules/versions": Kept("rules", "version", "version", name=by_version),
    "/orgs/{org_id}/stores": Kept("stores", "store_id", "store_id", name=by_name),
    "/orgs/{org_id}/people": Kept("people", "user_id", "user_id", name=by_name),
    "/orgs/{org_id}/channels": Kept("channel_links", "address", "address", name=by_name),
    "/orgs/{org_id}/api-keys": Kept("api_keys"),
}


@pytest.fixture(scope="module")
async def tenant(world: World) -> Tenant:
    """An organisation with something in every list."""
    tenant = await world.organisation()
    alice = tenant.acting("alice")
    message = {"id": "m1", "content": "Bonjour", "sent_at": "2026-03-02T10:00:00Z"}
    puts = {
        "/memory/rules": {"markdown": "Vouvoyer."},
        f"{tenant.path}/channels/{CHANNEL}/{quote('+33')}": {"user_id": "alice"},
    }
    posts: list[tuple[str, Any]] = [
        ("/memory/facts/store", {"key": "a", "value": "1", "store_id": "shop1"}),
        ("/memory/facts/user", {"key": "a", "value": "1", "user_id": "alice"}),
        ("/memory/turns", {"conversation_id": "c", "channel": "web", "user_message": message}),
        ("/memory/observations", {"items": [{"type": "tool_success", "metadata": {"toolName": "t"}}]}),
    ]
    for path, body in puts.items():
        assert (await alice.put(path, json=body)).is_success
    opposed = [await alice.post("/memory/facts/org", json={"key": "c", "value": value}) for value in "ab"]
    await alice.post(f"/memory/facts/org/{opposed[0].json()['id']}/restore")
    for path, body in posts:
        assert (await alice.post(path, json=body)).is_success
    await world.finish_jobs()
    return tenant


@pytest.fixture(scope="module")
async def connection(superuser_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(superuser_url.replace(f"+{DRIVER}", ""))
    yield connection
    await connection.close()


def test_no_list_is_forgotten(app: FastAPI) -> None:
    assert {endpoint.path for endpoint in endpoints(app) if endpoint.is_list} == LISTS.keys()


@pytest.mark.parametrize("path", LISTS)
async def test_pages_neither_skip_nor_repeat_while_rows_come_and_go(
    tenant: Tenant, connection: asyncpg.Connection, path: str
) -> None:
    kept, dice = LISTS[path], random.Random(5)
    copies = Copies(connection, tenant.org_id, kept.table, kept.column)
    names = [kept.name(number) for number in range(ROWS + 2 * CHANGES)]
    dice.shuffle(names)
    going, coming, standing = names[:CHANGES], names[CHANGES : 2 * CHANGES], names[2 * CHANGES :]
    await copies.add([*going, *standing])
    changing = asyncio.create_task(change(copies, going, coming))
    passes = 0
    while not passes or not changing.done():
        seen = await listed(tenant, path, kept, dice)
        assert [name for name, times in seen.items() if times > 1] == []
        assert {str(name) for name in standing} - seen.keys() == set()
        passes += 1
    await changing
    await copies.remove([*standing, *coming])


async def change(copies: Copies, going: list[Any], coming: list[Any]) -> None:
    """One comes and one goes, again and again, each in a transaction of its own."""
    for gone, come in zip(going, coming, strict=True):
        await copies.add([come])
        await copies.remove([gone])
        await asyncio.sleep(0)


async def listed(tenant: Tenant, path: str, kept: Kept, dice: random.Random) -> Counter[str]:
    """How often each row was shown, over pages of every size."""
    client, url = tenant.acting("alice"), path.format(org_id=tenant.org_id)
    seen: Counter[str] = Counter()
    cursor: dict[str, str] = {}
    while True:
        limit = str(dice.choice((50, 100, 200)))
        answer = await client.get(url, params={**kept.query, **cursor, "limit": limit})
        assert answer.status_code == 200, answer.text
        page = answer.json()
        seen.update(str(item[kept.shown]) for item in page["items"])
        if page["next_cursor"] is None:
            return seen
        cursor = {"cursor": page["next_cursor"]}
