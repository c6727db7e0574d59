"""Keyset pages, as storage gives them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Generic, TypeVar
from uuid import UUID

T = TypeVar("T")
PageKey = str | float | int | bool | date | datetime | UUID | None


@dataclass(frozen=True, slots=True)
class PageRequest:
    """`after` is the key of the last row seen, None for the first page; `limit` rows at most."""

    limit: int = 50
    after: tuple[PageKey, ...] | None = None
    with_total: bool = False


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """`next` is None on the last page; `total` counts all rows of the filter where it was asked for."""

    items: Sequence[T]
    next: tuple[PageKey, ...] | None = None
    total: int | None = None
