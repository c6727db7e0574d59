"""What is being erased is hidden from every statement of a session but the eraser's, and nothing is added to it.

Beside lock 3, and as hard to forget: repositories know nothing of it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, false
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
_FOUND: Final[tuple[Any, ...]] = (DocumentRow,)
RETRY_SECONDS: Final = 2


def hidden(closings: Closings) -> list[ExecutableOption]:
    """What keeps a statement from seeing what is closed; nothing where nothing is.

    Each is a function of the class, which a statement may use under another name.
    """
    people, stores = sorted(closings.people), sorted(closings.stores)
    return [
        *(_never(table) for table in _all_of(closings)),
        *(
            _without(table, lambda row: row.user_id.is_(None) | row.user_id.not_in(people))
            for table in _OF_PEOPLE
            if people
        ),
        *(
            _without(table, lambda row: row.store_id.is_(None) | row.store_id.not_in(stores))
            for table in _OF_STORES
            if stores
        ),
        *(_without(table, lambda row: row.scope == "user") for table in _ENTRIES if closings.shared),
        *(
            _without(table, lambda row: row.user_id.is_not(None) | (row.kind != "fact"))
            for table in _FOUND
            if closings.shared
        ),
    ]


def _all_of(closings: Closings) -> tuple[Any, ...]:
    """The tables of which all rows are closed."""
    if closings.organisation:
        return tuple(dict.fromkeys((OrganisationRow, *_REMEMBERED, *_OF_PEOPLE, *_OF_STORES)))
    if closings.memory:
        return _REMEMBERED
    return (OrgFactRow, StoreFactRow) if closings.shared else ()


def _never(table: Any) -> ExecutableOption:
    return _without(table, lambda row: false())


def _without(table: Any, stands: Callable[[Any], ColumnElement[bool]]) -> ExecutableOption:
    return with_loader_criteria(table, stands, include_aliases=True)


def require_open(closings: Closings, table: type[Scoped], rows: Iterable[Mapping[str, Any]]) -> None:
    """Raises Conflict `erasing` where one of these rows would come into what is closed."""
    if closings and any(_comes_into(closings, table, row) for row in rows):
        raise Conflict("erasing", "This is being erased; try again when that is done.", RETRY_SECONDS)


def _comes_into(closings: Closings, table: Any, row: Mapping[str, Any]) -> bool:
    if closings.organisation or (closings.memory and table in _REMEMBERED):
        return True
    if closings.shared and (
        table in (OrgFactRow, StoreFactRow) or (table in _ENTRIES and row.get("scope") != Scope.USER.value)
    ):
        return True
    of_person = table in _OF_PEOPLE and row.get("user_id") in closings.people
    return of_person or (table in _OF_STORES and row.get("store_id") in closings.stores)
