"""Short ways to speak to a storage."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypeVar

from app.domain.tenancy import Rank, TenantScope
from app.ports.paging import Page, PageKey, PageRequest
from tests.unit.memories import ALICE

T = TypeVar("T")


def scope_of(org_id: str) -> TenantScope:
    return TenantScope(org_id, ALICE, Rank.OWNER, "alice")


async def gathered(rows: AsyncIterator[T]) -> list[T]:
    return [row async for row in rows]


async def walked(
    read: Callable[[PageRequest], Awaitable[Page[T]]],
    limit: int,
    between: Callable[[], Awaitable[object]] | None = None,
) -> Sequence[T]:
    """All rows, page by page; `between` happens after each page."""
    seen: list[T] = []
    after: tuple[PageKey, ...] | None = None
    while True:
        page = await read(PageRequest(limit, after))
        assert len(page.items) <= limit
        seen += page.items
        if page.next is None:
            return seen
        assert len(page.items) == limit
        after = page.next
        if between is not None:
            await between()
