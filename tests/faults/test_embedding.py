"""Vectors behind a running service: they come by themselves, wait while the provider is away, and are seen to."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.faults.programs import Service, running
from tests.faults.stand import Stand, Tenant
from tests.support.embeddings import DIMENSION, honest_vectors
from tests.support.model_server import ModelServer, failing, model_server
from tests.support.talk import turn
from tests.support.waiting import until

SAID = ["Le colis bleu part mardi.", "La boutique ferme à midi.", "Je préfère le thé."]


@pytest.fixture
async def provider() -> AsyncIterator[ModelServer]:
    async with model_server(honest_vectors) as server:
        yield server


def embedding_service(stand: Stand, provider: ModelServer, model: str = "m") -> Service:
    named = {"MODEL": model, "URL": provider.url, "DIMENSION": str(DIMENSION)}
    settings = {f"RETENIR_EMBEDDER_{name}": value for name, value in named.items()}
    return stand.service(**settings, RETENIR_EMBEDDER="openai")


async def embedded(client: httpx.AsyncClient) -> dict[str, int]:
    told: dict[str, int] = (await client.get("/memory/stats")).json()["embedded"]
    return told


async def jobs(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    listed = (await client.get("/memory/jobs")).json()["items"]
    return [job for job in listed if job["kind"] == "embedding"]


async def say(client: httpx.AsyncClient, text: str) -> None:
    answer = await client.post("/memory/turns", json=turn(text, store_id=None))
    assert answer.status_code == 202, answer.text


async def all_embedded(client: httpx.AsyncClient, least: int) -> None:
    async def done() -> bool:
        told = await embedded(client)
        return told["documents"] == told["embedded"] >= least

    await until(done)


async def test_what_is_written_is_embedded_without_being_asked_for(stand: Stand, provider: ModelServer) -> None:
    service = embedding_service(stand, provider)
    with running(service):
        tenant = await stand.organisation(service)
        async with tenant.client(service) as client:
            for text in SAID:
                await say(client, text)
            await all_embedded(client, len(SAID))
            assert {job["status"] for job in await jobs(client)} <= {"done", "running", "queued"}
            await remembered_by_hand(client)
            days = (await client.get("/memory/usage")).json()["items"]
            assert sum(day["embeddings"] for day in days) >= len(SAID)
            assert any(day["embedding_tokens"] for day in days)


async def remembered_by_hand(client: httpx.AsyncClient) -> None:
    """Whatever writes: nobody has to ask for vectors."""
    before = (await embedded(client))["documents"]
    body = {"key": "shop.colour", "value": "bleu", "content": "La couleur de la maison est le bleu."}
    made = await client.post("/memory/facts/org", json=body)
    assert made.status_code == 201, made.text
    await all_embedded(client, before + 1)


async def test_while_the_provider_is_away_things_wait_in_sight_and_are_done_when_it_is_back(
    stand: Stand, provider: ModelServer
) -> None:
    service = embedding_service(stand, provider)
    provider.answer = failing("503 Service Unavailable")
    with running(service):
        tenant = await stand.organisation(service)
        async with tenant.client(service) as client:
            await say(client, SAID[0])

            async def waits() -> bool:
                return any(
                    (job["status"], job["error"]) == ("queued", "embedder_unavailable") for job in await jobs(client)
                )

            await until(waits)
            assert (await embedded(client))["embedded"] == 0
            provider.answer = honest_vectors
            await all_embedded(client, 1)
            [job] = await jobs(client)
            assert (job["status"], job["result"]["failed"]) == ("done", 0)


async def test_another_model_is_told_of_and_never_compared(stand: Stand, provider: ModelServer) -> None:
    before = embedding_service(stand, provider)
    with running(before):
        tenant = await stand.organisation(before)
        async with tenant.client(before) as client:
            await say(client, SAID[0])
            await all_embedded(client, 1)
    await on_another_model(stand, provider, tenant)


async def on_another_model(stand: Stand, provider: ModelServer, tenant: Tenant) -> None:
    service = embedding_service(stand, provider, "another")
    with running(service):
        async with tenant.client(service) as client:
            assert (await client.get("/readyz")).json()["degraded"] == ["vectors"]
            assert (await embedded(client))["embedded"] == 0
    assert '"run": "retenir reembed"' in service.said()
    assert service.said().count("vectors_of_another_model") == 1
