"""Health tells the truth: live while the loop turns, ready while the database can be used, degraded without a cache."""

import httpx


async def test_is_live_and_ready_without_credentials(client: httpx.AsyncClient) -> None:
    assert (await client.get("/healthz")).json() == {"status": "live"}
    ready = await client.get("/readyz")
    assert (ready.status_code, ready.json()) == (200, {"status": "ready", "degraded": []})
