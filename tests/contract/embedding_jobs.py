"""An embedder that minds what it is shown, and short ways to do embedding jobs."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from app.adapters.doubles.embedder import WORDS, InMemoryEmbedder
from app.domain.embedding import Vector
from app.domain.jobs import Claim, Job
from app.domain.messages import Message
from app.domain.tenancy import TenantScope
from app.ports.embedders import EmbeddingFailed, Tally
from app.ports.paging import PageRequest
from app.ports.storage import Storage
from app.ports.vectors import Progress
from app.services.embedding import Embedding
from tests.contract.backends import Backend
from tests.contract.finding import EVERYTHING
from tests.contract.test_messages import message

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@dataclass
class Fastidious(InMemoryEmbedder):
    """Will not embed what has one of these words, and ends what it was asked for at once."""

    unfit: tuple[str, ...] = ("poison",)
    meanwhile: Callable[[], Awaitable[None]] | None = None
    asked: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    async def passages(self, texts: Sequence[str], tally: Tally | None = None) -> list[list[Vector]]:
        self.asked.append(len(texts))
        if self.meanwhile is not None:
            await self.meanwhile()
        if any(word in text for word in self.unfit for text in texts):
            raise EmbeddingFailed("embedder_unavailable", "Not these.")
        return await super().passages(texts, tally)


def apart(number: int, **more: Any) -> Message:
    """Message `m<number>`, in a conversation of its own."""
    return message(number, **{"conversation_id": f"talk-{number}", **more})


async def jobs(storage: Storage, scope: TenantScope) -> list[Job]:
    async with storage.transaction(scope) as uow:
        return list((await uow.jobs.page(None, None, PageRequest(50))).items)


async def claimed(backend: Backend, scope: TenantScope, now: datetime = NOW) -> Claim | None:
    """The organisation's own job, queued if it is time for it."""
    await backend.directory.queue_embedding(500, now)
    return next((one for one in await backend.directory.claim_jobs(500, now) if one.org_id == scope.org_id), None)


async def work(backend: Backend, scope: TenantScope, embedder: InMemoryEmbedder, now: datetime = NOW) -> int:
    """Does jobs until there is none; answers how many attempts it took."""
    embedding, attempts = Embedding(backend.storage, embedder, lambda: now), 0
    while claim := await claimed(backend, scope, now):
        attempts += 1
        await embedding.run(scope, claim)
    return attempts


async def progress(storage: Storage, scope: TenantScope) -> Progress:
    async with storage.transaction(scope) as uow:
        return await uow.vectors.progress(WORDS.name)


async def nearness(storage: Storage, scope: TenantScope, text: str) -> dict[int, float]:
    """How near each document is to this text, as its own words would be."""
    [[asked]] = await InMemoryEmbedder().passages([text])
    async with storage.transaction(scope) as uow:
        near = await uow.vectors.nearest(asked, WORDS.name, [EVERYTHING], 2000)
    return {id.int: round(cosine, 2) for each in near.values() for id, cosine in each.cosines.items()}
