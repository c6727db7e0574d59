"""The documents on a reader's shelves, narrowed by plain comparisons alone.

A query is made once for all shelves of the same shapes, and what stands on them is bound: to make one costs more than
to run it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, DateTime, Select, bindparam, func, or_, select

from app.adapters.postgres.arrays import one_of_bound
from app.adapters.postgres.models import DocumentRow
from app.domain.past import Moment
from app.domain.search import Shelf
from app.domain.subjects import OrgSubject, Scope, StoreSubject, Subject, UserSubject, store_of, user_of

_TIME: Final = DateTime(timezone=True)


@dataclass(frozen=True, slots=True)
class ShelfShape:
    """Of a shelf: whether it leaves out what is not public, is of some stores only, and is also of none."""

    public_only: bool
    some_stores: bool
    no_store: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """What a query for shelves depends on: of each shelf its own, and which times bound what stands there."""

    shelves: tuple[ShelfShape, ...]
    as_of: bool
    known_at: bool


def shape_of(shelves: Sequence[Shelf], moment: Moment) -> Shape:
    """The shape of these shelves, read at that moment."""
    each = (ShelfShape(one.public_only, one.stores is not None, None in (one.stores or ())) for one in shelves)
    return Shape(tuple(each), moment.as_of is not None, moment.known_at is not None)


def bound(shelves: Sequence[Shelf], moment: Moment) -> dict[str, Any]:
    """What a query of their shape is to be given; of what it does not ask for, it takes no notice."""
    values: dict[str, Any] = {"as_of": moment.as_of, "known_at": moment.known_at}
    for place, shelf in enumerate(shelves):
        values[f"subjects_{place}"] = names_of([shelf])
        values[f"kinds_{place}"] = [kind.value for kind in shelf.kinds]
        values[f"agents_{place}"] = list(shelf.agents)
        values[f"stores_{place}"] = [store for store in shelf.stores or () if store is not None]
    return values


def names_of(shelves: Sequence[Shelf]) -> list[str]:
    """The names of those whom the shelves are about."""
    return [shelf_name(subject) for shelf in shelves for subject in shelf.subjects]


def shelf_name(subject: Subject) -> str:
    """A shelf's name. The callers' ids hold no space, so that no two shelves share one."""
    return f"{subject.scope} {user_of(subject) or store_of(subject) or ''}".rstrip()


def subject_on(shelf: str) -> Subject:
    """Whom the documents of a shelf of that name are about."""
    scope, _, whose = shelf.partition(" ")
    match Scope(scope):
        case Scope.ORG:
            return OrgSubject()
        case Scope.STORE:
            return StoreSubject(whose)
        case Scope.USER:
            return UserSubject(whose)


def within(shape: Shape, *columns: Any) -> list[Select[Any]]:
    """These columns of the documents of each shelf, as far as they were there."""
    return [select(*columns).where(*on_shelf(DocumentRow, shape, place)) for place in range(len(shape.shelves))]


def on_shelf(row: type[DocumentRow], shape: Shape, place: int) -> Iterator[ColumnElement[bool]]:
    """That a document, under whatever name of the table, stands on the shelf, and was there."""
    shelf = shape.shelves[place]
    yield one_of_bound(row.shelf, f"subjects_{place}")
    yield one_of_bound(row.kind, f"kinds_{place}")
    yield one_of_bound(row.agent_id, f"agents_{place}")
    yield from _by(row, shape)
    if shelf.public_only:
        yield row.public.is_(True)
    if shelf.some_stores:
        named = one_of_bound(row.store_id, f"stores_{place}")
        yield or_(named, row.store_id.is_(None)) if shelf.no_store else named


def since(at: Any) -> ColumnElement[bool]:
    """That something has no time, or none before `:since`."""
    return or_(at.is_(None), at >= bindparam("since", type_=_TIME))


def _by(row: type[DocumentRow], shape: Shape) -> Iterator[ColumnElement[bool]]:
    """Said and known by then; of what was indexed before that was kept, when it was said stands for both."""
    if shape.as_of:
        yield or_(row.at.is_(None), row.at <= bindparam("as_of", type_=_TIME))
    if shape.known_at:
        learnt = func.coalesce(row.recorded_at, row.at)
        yield or_(learnt.is_(None), learnt <= bindparam("known_at", type_=_TIME))
