"""Keyset pages over values in memory."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from app.ports.paging import Page, PageKey, PageRequest

T = TypeVar("T")


def page_of(
    rows: Iterable[T], key: Callable[[T], tuple[PageKey, ...]], request: PageRequest, *, newest_first: bool = False
) -> Page[T]:
    """One page of the rows in the order of `key`, which is unique among them."""

    def place(row: T) -> Any:
        return key(row)

    ordered = sorted(rows, key=place, reverse=newest_first)
    after: Any = request.after
    if after is None:
        rest = ordered
    else:
        rest = [row for row in ordered if (place(row) < after if newest_first else place(row) > after)]
    shown = rest[: request.limit]
    following = key(shown[-1]) if len(rest) > request.limit else None
    return Page(shown, following, len(ordered) if request.with_total else None)
