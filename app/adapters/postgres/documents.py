"""The documents on a reader's shelves, narrowed by plain comparisons alone."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select

from app.adapters.postgres.models import DocumentRow
from app.domain.past import Moment
from app.domain.search import Shelf
from app.domain.subjects import OrgSubject, Scope, StoreSubject, Subject, UserSubject, store_of, user_of


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


def within(shelf: Shelf, moment: Moment, *columns: Any) -> Select[Any]:
    """These columns of the documents of a shelf, as far as they were there."""
    return select(*columns).where(*on_shelf(DocumentRow, shelf, moment))


def on_shelf(row: type[DocumentRow], shelf: Shelf, moment: Moment) -> Iterator[ColumnElement[bool]]:
    """That a document, under whatever name of the table, stands on the shelf, and was there."""
    yield row.shelf.in_([shelf_name(subject) for subject in shelf.subjects])
    yield row.kind.in_(shelf.kinds)
    yield row.agent_id.in_(shelf.agents)
    yield from _by(row, moment)
    if shelf.public_only:
        yield row.public.is_(True)
    if shelf.stores is not None:
        yield _of_stores(row, shelf.stores)


def _by(row: type[DocumentRow], moment: Moment) -> Iterator[ColumnElement[bool]]:
    """Said and known by then; of what was indexed before that was kept, when it was said stands for both."""
    if moment.as_of is not None:
        yield or_(row.at.is_(None), row.at <= moment.as_of)
    if moment.known_at is not None:
        learnt = func.coalesce(row.recorded_at, row.at)
        yield or_(learnt.is_(None), learnt <= moment.known_at)


def _of_stores(row: type[DocumentRow], stores: frozenset[str | None]) -> ColumnElement[bool]:
    named = row.store_id.in_([store for store in stores if store is not None])
    return or_(named, row.store_id.is_(None)) if None in stores else named
