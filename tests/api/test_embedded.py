"""What callers see of embedding: how far it is, what it used, and who is told."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
import pytest

from app.adapters.doubles.embedder import WORDS, InMemoryEmbedder
from app.container import Container
from app.domain.embedding import Vector
from app.domain.tenancy import Rank, TenantScope
from app.main import create_app
from app.ports.embedders import EmbedderAway, Tally
from tests.support.talk import FORMAL, tell, write
from tests.support.world import WORKER, Tenant, World


@asynccontextmanager
async def embedding_with(embedder: InMemoryEmbedder, world: World) -> AsyncIterator[Tenant]:
    """An organisation of a service on the same database that has this embedder; it is gone at the end."""
    container = Container(world.settings, world.container.clock, embedder=embedder)
    await container.open()
    try:
        here = World(create_app(world.settings, container), world.settings, container, world.platform_key)
        shop = await here.organisation()
        yield shop
        assert (await here.platform.delete(shop.path)).status_code == 200
    finally:
        await container.close()


async def work(shop: Tenant) -> None:
    """The organisation's jobs are done, its vectors' too."""
    container = shop.world.container
    await container.directory.queue_embedding(500, container.clock())
    for claim in await container.directory.claim_jobs(500, container.clock()):
        await container.job_runner.run(TenantScope(claim.org_id, WORKER, Rank.OWNER), claim)


async def test_statistics_tell_how_far_it_is(world: World) -> None:
    async with embedding_with(InMemoryEmbedder(), world) as shop:
        await tell(shop.acting("alice"), FORMAL)
        lacking = (await shop.owner.get("/memory/stats")).json()["embedded"]
        assert lacking == {"documents": 1, "embedded": 0, "failed": 0}
        await work(shop)
        await work(shop)
        done = (await shop.owner.get("/memory/stats")).json()["embedded"]
        assert done == {"documents": done["documents"], "embedded": done["documents"], "failed": 0}
        days = (await shop.owner.get("/memory/usage")).json()["items"]
        assert sum(day["embeddings"] for day in days) >= done["documents"]
        assert not any(day["embedding_tokens"] for day in days)
        limited = shop.with_key(await shop.make_key("admin", store_ids=["shop1"]))
        assert (await limited.get("/memory/stats")).json()["embedded"] is None


class Passing(InMemoryEmbedder):
    """Goes away once it has embedded so many texts."""

    def __init__(self, lasts: int) -> None:
        super().__init__()
        self.lasts = lasts

    async def passages(self, texts: Sequence[str], tally: Tally | None = None) -> list[list[Vector]]:
        made = await super().passages(texts, tally)
        if len(self.embedded) > self.lasts:
            raise EmbedderAway("embedder_unavailable", "The embedder is away.", 30)
        return made


@pytest.mark.parametrize("lasts", [1_000, 1], ids=["all along", "it goes away meanwhile"])
async def test_what_comparing_costs_is_counted(world: World, lasts: int) -> None:
    embedder = Passing(lasts)
    async with embedding_with(embedder, world) as shop:
        for number, said in enumerate(("We open at nine.", "The shop opens at nine.", "Our logo is green.")):
            await write(shop.owner, "org", f"note.{number}", said)
        await shop.world.container.duplicates.run(TenantScope(shop.org_id, WORKER, Rank.OWNER))
        days = (await shop.owner.get("/memory/usage")).json()["items"]
        assert sum(day["embeddings"] for day in days) == len(embedder.embedded) > 0


async def test_without_an_embedder_there_is_nothing_to_tell(world: World) -> None:
    shop = await world.organisation()
    assert (await shop.owner.get("/memory/stats")).json()["embedded"] is None


async def embedding_jobs(client: httpx.AsyncClient) -> list[tuple[str, str, int]]:
    listed = (await client.get("/memory/jobs")).json()["items"]
    return [(job["status"], job["error"], job["attempts"]) for job in listed if job["kind"] == "embedding"]


async def test_its_jobs_are_for_admins_to_see(world: World) -> None:
    embedder = InMemoryEmbedder(fault=EmbedderAway("embedder_unavailable", "The embedder is away.", 30))
    async with embedding_with(embedder, world) as shop:
        await shop.world.platform.put(f"{shop.path}/people/bob", json={"role": "member"})
        await tell(shop.acting("alice"), FORMAL)
        await work(shop)
        assert await embedding_jobs(shop.owner) == [("queued", "embedder_unavailable", 0)]
        assert await embedding_jobs(shop.token("bob")) == []


async def test_vectors_of_another_model_are_named_by_readiness(world: World) -> None:
    async with embedding_with(InMemoryEmbedder(), world) as shop:
        await tell(shop.acting("alice"), FORMAL)
        await work(shop)
        await work(shop)
        another = InMemoryEmbedder(replace(WORDS, name="another@64"))
        async with embedding_with(another, world) as other:
            assert "vectors" in (await other.owner.get("/readyz")).json()["degraded"]
