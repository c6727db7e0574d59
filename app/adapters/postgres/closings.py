"""What is being erased is hidden from every statement of a session but the eraser's, and nothing is added to it.

Beside lock 3, and as hard to forget: repositories know nothing of it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, or_, true
from sqlalchemy.orm import with_loader_criteria
from sqlalchemy.sql.base import ExecutableOption

from app.adapters.postgres.base import Scoped
from app.adapters.postgres.models import (
    ChannelLinkRow,
    CheckpointRow,
    ContradictionRow,
    DecisionRow,
    DocumentRow,
    MessageRow,
    ObservationRow,
    OrganisationRow,
    OrgFactRow,
    PersonRow,
    PostingRow,
    SourceRow,
    StoreFactRow,
    StoreRow,
    UserFactRow,
    VectorRow,
)
from app.domain.erasures import Closings
from app.domain.errors import Conflict
from app.domain.subjects import Scope

_REMEMBERED: Final[tuple[Any, ...]] = (
    *(OrgFactRow, StoreFactRow, UserFactRow, SourceRow, DecisionRow, ContradictionRow),
    *(MessageRow, ObservationRow, CheckpointRow, DocumentRow, PostingRow, VectorRow),
)
_OF_PEOPLE: Final[tuple[Any, ...]] = (
    *(PersonRow, ChannelLinkRow, CheckpointRow, UserFactRow, SourceRow, DecisionRow, ContradictionRow),
    *(MessageRow, ObservationRow, DocumentRow),
)
_OF_STORES: Final[tuple[Any, ...]] = (
    *(StoreRow, StoreFactRow, SourceRow, DecisionRow, ContradictionRow, MessageRow, ObservationRow, DocumentRow),
)
_ENTRIES: Final[tuple[Any, ...]] = (SourceRow, DecisionRow, ContradictionRow)
RETRY_SECONDS: Final = 2


def hidden(closings: Closings) -> list[ExecutableOption]:
    """What keeps a statement from seeing what is closed; nothing where nothing is."""
    if not closings:
        return []
    return [
        with_loader_criteria(table, ~closed, include_aliases=True)
        for table in dict.fromkeys((OrganisationRow, *_REMEMBERED, *_OF_PEOPLE, *_OF_STORES))
        if (closed := _closed(closings, table)) is not None
    ]


def require_open(closings: Closings, table: type[Scoped], rows: Iterable[Mapping[str, Any]]) -> None:
    """Raises Conflict `erasing` where one of these rows would come into what is closed."""
    if closings and any(_comes_into(closings, table, row) for row in rows):
        raise Conflict("erasing", "This is being erased; try again when that is done.", RETRY_SECONDS)


def _closed(closings: Closings, table: Any) -> ColumnElement[bool] | None:
    """Which rows of the table are closed; None: none."""
    if closings.organisation or (closings.memory and table in _REMEMBERED):
        return true()
    which: list[ColumnElement[bool]] = []
    if closings.people and table in _OF_PEOPLE:
        which.append(_is_one_of(table.user_id, closings.people))
    if closings.stores and table in _OF_STORES:
        which.append(_is_one_of(table.store_id, closings.stores))
    if closings.shared:
        which += _shared(table)
    return or_(*which) if which else None


def _shared(table: Any) -> Iterator[ColumnElement[bool]]:
    if table in (OrgFactRow, StoreFactRow):
        yield true()
    elif table in _ENTRIES:
        yield table.scope != Scope.USER.value
    elif table is DocumentRow:
        yield (table.kind == "fact") & table.user_id.is_(None)


def _is_one_of(column: Any, ids: frozenset[str]) -> ColumnElement[bool]:
    """Never null, so that it can be denied."""
    named: ColumnElement[bool] = column.is_not(None) & column.in_(ids)
    return named


def _comes_into(closings: Closings, table: Any, row: Mapping[str, Any]) -> bool:
    if closings.organisation or (closings.memory and table in _REMEMBERED):
        return True
    if closings.shared and (
        table in (OrgFactRow, StoreFactRow) or (table in _ENTRIES and row.get("scope") != Scope.USER.value)
    ):
        return True
    of_person = table in _OF_PEOPLE and row.get("user_id") in closings.people
    return of_person or (table in _OF_STORES and row.get("store_id") in closings.stores)
