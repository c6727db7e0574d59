"""Keyset pages over one ordered key: stable while others write."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, func, tuple_
from sqlalchemy.orm import InstrumentedAttribute

from app.adapters.postgres.session import TenantSession
from app.ports.paging import Page, PageKey, PageRequest

T = TypeVar("T")


async def keyset_page(
    session: TenantSession,
    query: Select[Any],
    keys: Sequence[InstrumentedAttribute[Any]],
    request: PageRequest,
    make: Callable[[Any], T],
    *,
    newest_first: bool = False,
) -> Page[T]:
    """One page of `query` (one entity) in the order of `keys`, which are unique within it."""
    total = None
    if request.with_total:
        counted = query.with_only_columns(func.count(), maintain_column_froms=True).order_by(None)
        total = (await session.execute(counted)).scalar_one()
    if request.after is not None:
        place: ColumnElement[Any] = tuple_(*keys)
        after = tuple_(*request.after)
        query = query.where(place < after if newest_first else place > after)
    order = [key.desc() for key in keys] if newest_first else list(keys)
    rows = (await session.execute(query.order_by(*order).limit(request.limit + 1))).scalars().all()
    shown = rows[: request.limit]
    following = _key(shown[-1], keys) if len(rows) > request.limit else None
    return Page([make(row) for row in shown], following, total)


def _key(row: Any, keys: Sequence[InstrumentedAttribute[Any]]) -> tuple[PageKey, ...]:
    return tuple(getattr(row, key.key) for key in keys)
