"""Asking POST /memory/search."""

from typing import Any

from tests.support.world import Tenant


async def search(tenant: Tenant, query: str, person: str | None = "alice", key: str = "", **asked: Any) -> list[Any]:
    """The items that are answered to the person, or to the organisation itself."""
    client = tenant.with_key(key or tenant.key, person)
    body = {"query": query, "store_id": "shop1", **asked}
    answer = await client.post("/memory/search", json=body)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])


async def found(tenant: Tenant, query: str, person: str | None = "alice", key: str = "", **asked: Any) -> list[str]:
    """The contents of `search`, best first."""
    return [item["content"] for item in await search(tenant, query, person, key, **asked)]
