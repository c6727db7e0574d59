"""Short ways to give documents vectors, and to compare them."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.domain.embedding import Vector
from app.domain.messages import Message
from app.domain.search import DocumentKind, Shelf
from app.domain.tenancy import TenantScope
from app.ports.storage import Storage
from app.ports.vectors import Embedded, Nearness, Stamped
from tests.contract.finding import EVERYTHING

SPACE, OTHER = "m 3", "another 3"


async def say(storage: Storage, scope: TenantScope, *messages: Message) -> None:
    async with storage.transaction(scope) as uow:
        await uow.messages.add(messages)


async def lacking(storage: Storage, scope: TenantScope, limit: int = 50, space: str | None = None) -> list[Stamped]:
    async with storage.transaction(scope) as uow:
        return await uow.vectors.lacking(limit, space)


async def embed(
    storage: Storage, scope: TenantScope, vectors: Mapping[int, Sequence[Vector]], space: str = SPACE
) -> list[Stamped]:
    """Give these documents, by number, these vectors. Answers them as they were looked at."""
    seen = [one for one in await lacking(storage, scope, space=space) if one.id.int in vectors]
    async with storage.transaction(scope) as uow:
        assert await uow.vectors.put(space, {one: Embedded(vectors[one.id.int]) for one in seen}) == len(seen)
    return seen


async def nearest(
    storage: Storage,
    scope: TenantScope,
    question: Vector,
    *shelves: Shelf,
    space: str = SPACE,
    limit: int = 10,
    **more: Any,
) -> Mapping[DocumentKind, Nearness]:
    async with storage.transaction(scope) as uow:
        return await uow.vectors.nearest(question, space, shelves or [EVERYTHING], limit, **more)


def order(near: Mapping[DocumentKind, Nearness], kind: DocumentKind = DocumentKind.MESSAGE) -> list[int]:
    return [document.int for document in near[kind].cosines]
