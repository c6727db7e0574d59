"""Short ways to report what happens in sessions, and to read it back."""

from typing import Any

import httpx

OBSERVATIONS = "/memory/observations"
TOOL: dict[str, Any] = {"type": "tool_success", "metadata": {"toolName": "get_order", "durationMs": 120}}


async def post(client: httpx.AsyncClient, *items: Any) -> list[dict[str, Any]]:
    """What became of each item of an accepted batch."""
    answer = await client.post(OBSERVATIONS, json={"items": items})
    assert answer.status_code == 202, answer.text
    return list(answer.json()["items"])


async def mine(client: httpx.AsyncClient, **query: Any) -> list[dict[str, Any]]:
    """The person's own observations, newest first."""
    answer = await client.get(OBSERVATIONS, params={"limit": 200, **query})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])
