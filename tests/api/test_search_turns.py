"""Many search at once: each has its turn, and nobody waits for ever."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.adapters.doubles.embedder import InMemoryEmbedder
from app.domain.embedding import Vector
from app.ports.embedders import Tally
from app.services.finding import Questions
from app.services.search import AT_ONCE, Search
from tests.api.test_embedded import embedding_with
from tests.support.readers import SlowReader
from tests.support.searching import search
from tests.support.talk import FORMAL, tell
from tests.support.waiting import until
from tests.support.world import Tenant, World


class SlowToAnswer(InMemoryEmbedder):
    """Answers questions once it is told to; `open` are those that wait, `most` how many there were."""

    def __init__(self) -> None:
        super().__init__()
        self.told, self.full = asyncio.Event(), asyncio.Event()
        self.open, self.most = 0, 0

    async def question(self, text: str, tally: Tally | None = None) -> Vector | None:
        self.open += 1
        self.most = max(self.most, self.open)
        if self.open == AT_ONCE:
            self.full.set()
        try:
            await self.told.wait()
            return await super().question(text, tally)
        finally:
            self.open -= 1


def ask(shop: Tenant, number: int) -> "asyncio.Task[list[object]]":
    return asyncio.create_task(search(shop, f"Qui préfère quoi ? {number}"))


async def test_of_many_searches_a_few_are_worked_on_and_all_are_answered(world: World) -> None:
    embedder = SlowToAnswer()
    async with embedding_with(embedder, world) as shop:
        await tell(shop.acting("alice"), FORMAL)
        asked = [ask(shop, number) for number in range(3 * AT_ONCE)]
        await embedder.full.wait()
        embedder.told.set()
        answers = await asyncio.gather(*asked)
        assert all(answers)
        assert embedder.most == AT_ONCE


BODY = {"query": "Qui préfère quoi ?", "store_id": "shop1"}


@asynccontextmanager
async def full(world: World) -> AsyncIterator[tuple[Tenant, SlowToAnswer, Search]]:
    """A shop that is searched by as many as there is room for; they are answered at the end."""
    embedder = SlowToAnswer()
    async with embedding_with(embedder, world) as shop:
        await tell(shop.acting("alice"), FORMAL)
        container = shop.world.container
        searching = Search(container.storage, Questions(embedder), container.clock, hurry_seconds=0.01)
        container.search = searching
        asked = [ask(shop, number) for number in range(AT_ONCE)]
        await embedder.full.wait()
        yield shop, embedder, searching
        await asyncio.gather(*asked)


async def late(searching: Search, waiting: int) -> None:
    """So many wait, and have done so for too long."""

    async def wait() -> bool:
        return searching.waiting == waiting

    await until(wait)
    await asyncio.sleep(0.02)


async def test_whose_turn_comes_late_is_answered_by_words_alone(world: World) -> None:
    async with full(world) as (shop, embedder, searching):
        asked = asyncio.create_task(shop.acting("alice").post("/memory/search", json=BODY))
        await late(searching, 1)
        embedder.told.set()
        answer = (await asked).json()
        assert answer["items"]
        assert answer["degraded"] == ["vectors"]
        assert embedder.most == AT_ONCE


async def test_who_has_hung_up_by_their_turn_is_not_searched_for(world: World) -> None:
    async with full(world) as (shop, embedder, searching):
        both = [SlowReader(shop.world.app, shop.acting("alice"), "/memory/search", BODY) for _ in range(2)]
        running = [asyncio.create_task(reader.run()) for reader in both]
        await late(searching, 2)
        both[0].leave()
        for reader in both:
            reader.take()
        embedder.told.set()
        await asyncio.gather(*running)
        assert both[0].taken < both[1].taken, "nothing was found for who had gone"


async def test_whose_turn_does_not_come_is_told_so(world: World) -> None:
    embedder = SlowToAnswer()
    async with embedding_with(embedder, world) as shop:
        container = shop.world.container
        container.search = Search(container.storage, Questions(embedder), container.clock, turn_seconds=0.05)
        asked = [ask(shop, number) for number in range(AT_ONCE)]
        await embedder.full.wait()
        late = await shop.acting("alice").post("/memory/search", json={"query": "trop tard", "store_id": "shop1"})
        assert (late.status_code, late.json()["code"], late.headers["retry-after"]) == (503, "overloaded", "1")
        embedder.told.set()
        await asyncio.gather(*asked)
