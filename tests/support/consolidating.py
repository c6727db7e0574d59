"""A tool is used in sessions, and a session starts, as callers tell it."""

from typing import Any

import httpx


async def happen(client: httpx.AsyncClient, *sessions: str, **fields: Any) -> None:
    """A tool is used in each session."""
    told = {"type": "tool_success", "metadata": {"toolName": "get_order"}, **fields}
    items = [{**told, "session_id": session} for session in sessions]
    answer = await client.post("/memory/observations", json={"items": items})
    assert answer.status_code == 202, answer.text


async def consolidate(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await client.post("/memory/consolidations", json={"deadline_ms": 10_000, **body})
    assert answer.status_code == 200, answer.text
    assert answer.json()["degraded"] == []
    return dict(answer.json())
