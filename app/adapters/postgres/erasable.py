"""Every table that can hold words, and which of its rows belong to an extent. A table with text that is not named here
fails the build (`tests/architecture/test_erasable.py`).
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, false, func, or_, select, true, tuple_, union

from app.adapters.postgres.models import (
    ApiKeyRow,
    ChannelLinkRow,
    CheckpointRow,
    ContradictionRow,
    DecisionRow,
    DocumentRow,
    EventRow,
    EventValuesRow,
    IdempotencyRow,
    ImportRecordRow,
    JobRow,
    MessageRow,
    ObservationRow,
    OrgFactRow,
    PersonRow,
    PostingRow,
    ReceiptRow,
    RulesRow,
    SourceRow,
    StoreFactRow,
    StoreRow,
    UserFactRow,
    VectorRow,
)
from app.domain.erasures import ErasureKind, Extent
from app.domain.imports import Step
from app.domain.jobs import JobKind
from app.domain.subjects import Scope

Which = Callable[[Extent], ColumnElement[bool]]
_K = ErasureKind
EXEMPT: Final[Mapping[str, str]] = {
    "organisations": "the organisation's own row, removed last",
    "usage_days": "counts by day",
    "generations": "numbers; their shelves go with whom they are of",
    "event_seals": "digests over digests",
    "erasures": "receipts: counts and keyed hashes; of what is under way also the extent",
    "erased": "keyed hashes",
    "platform_erasures": "receipts that outlive their organisation: counts and keyed hashes",
    "platform_keys": "the platform's own",
}
"""Tables that hold no words of a tenant's, or go of themselves, with why."""


@dataclass(frozen=True, slots=True)
class Place:
    """A table, under which name its rows are counted, and which of them belong to an extent."""

    table: Any
    counted: str
    which: Which

    @property
    def name(self) -> str:
        """The table's."""
        return str(self.table.__tablename__)


def _facts(table: Any, scope: Scope) -> Which:
    def which(extent: Extent) -> ColumnElement[bool]:
        match extent.kind:
            case _K.PERSON if scope is Scope.USER:
                return _is(table.user_id, extent)
            case _K.STORE if scope is Scope.STORE:
                return _is(table.store_id, extent)
            case _K.SHARED if scope is not Scope.USER:
                return true()
        return _all(extent)

    return which


def _entries(table: Any) -> Which:
    return _about(table, lambda: table.scope != Scope.USER.value)


def _about(table: Any, shared: Callable[[], ColumnElement[bool]] = false) -> Which:
    """Rows that name their person and their store."""

    def which(extent: Extent) -> ColumnElement[bool]:
        match extent.kind:
            case _K.PERSON:
                return _is(table.user_id, extent)
            case _K.STORE:
                return _is(table.store_id, extent)
            case _K.SHARED:
                return shared()
        return _all(extent)

    return which


def _of_people(table: Any, *kinds: ErasureKind) -> Which:
    """Rows of a person's, or of an extent of these kinds."""

    def which(extent: Extent) -> ColumnElement[bool]:
        if extent.kind is _K.PERSON:
            return _is(table.user_id, extent)
        return true() if extent.kind in kinds else false()

    return which


def _words(extent: Extent) -> ColumnElement[bool]:
    """The words of events about whom the extent is, or about a fact that is in it."""
    lines = select(EventRow.id)
    match extent.kind:
        case _K.PERSON:
            whose = select(PersonRow.ref).where(PersonRow.user_id == extent.id).scalar_subquery()
            theirs = select(UserFactRow.id).where(UserFactRow.user_id == extent.id)
        case _K.STORE:
            whose = select(StoreRow.ref).where(StoreRow.store_id == extent.id).scalar_subquery()
            theirs = select(StoreFactRow.id).where(StoreFactRow.store_id == extent.id)
        case _K.SHARED:
            shared = EventRow.scope.in_((Scope.ORG.value, Scope.STORE.value))
            return EventValuesRow.event_id.in_(lines.where(EventRow.fact_id.is_not(None), shared))
        case _K.MEMORY:
            return EventValuesRow.event_id.in_(lines.where(EventRow.fact_id.is_not(None)))
        case _:
            return _all(extent)
    # Two looks by index: an `or` of them reads every line.
    about = union(lines.where(EventRow.subject_ref == whose), lines.where(EventRow.fact_id.in_(theirs)))
    return EventValuesRow.event_id.in_(about)


def _jobs(extent: Extent) -> ColumnElement[bool]:
    """Not the one that erases."""
    other = JobRow.kind != JobKind.ERASURE.value
    if extent.kind is _K.PERSON:
        return other & or_(JobRow.user_id == extent.id, JobRow.maker_id == extent.id)
    if extent.kind is _K.STORE:
        return other & JobRow.id.in_(select(MessageRow.id).where(MessageRow.store_id == extent.id))
    return other & _all(extent)


def _parts(table: Any) -> Which:
    """What is held of the documents of an extent."""

    def which(extent: Extent) -> ColumnElement[bool]:
        documents = select(DocumentRow.kind, DocumentRow.id).where(_documents(extent))
        return tuple_(table.kind, table.document).in_(documents)

    return which


_documents = _about(DocumentRow, lambda: (DocumentRow.kind == "fact") & DocumentRow.user_id.is_(None))


def _staged(extent: Extent) -> ColumnElement[bool]:
    """What waits to be imported: also whatever else names the person or the store, which it may have been said by."""
    row = ImportRecordRow
    if extent.id:
        named = func.strpos(row.record, json.dumps(extent.id, ensure_ascii=False)) > 0
        return or_(_about(row)(extent), named)
    if extent.kind is _K.SHARED:
        return (row.step == int(Step.BELIEFS)) & row.user_id.is_(None)
    return _about(row)(extent)


def _only(*kinds: ErasureKind) -> Which:
    return lambda extent: true() if extent.kind in kinds else false()


def _stores(extent: Extent) -> ColumnElement[bool]:
    if extent.kind is _K.STORE:
        return _is(StoreRow.store_id, extent)
    return true() if extent.kind is _K.ORGANISATION else false()


def _answers(extent: Extent) -> ColumnElement[bool]:
    """Answers that are kept for everybody; those that name somebody are looked for by text."""
    finished = IdempotencyRow.status.is_not(None)
    return finished if extent.kind is _K.ORGANISATION else false()


def _is(column: Any, extent: Extent) -> ColumnElement[bool]:
    here: ColumnElement[bool] = column == extent.id
    return here


def _all(extent: Extent) -> ColumnElement[bool]:
    return true() if extent.kind in (_K.MEMORY, _K.ORGANISATION) else false()


PLACES: Final = (
    Place(ImportRecordRow, "imports", _staged),
    Place(JobRow, "jobs", _jobs),
    Place(MessageRow, "messages", _about(MessageRow)),
    Place(ObservationRow, "observations", _about(ObservationRow)),
    Place(EventValuesRow, "event_values", _words),
    Place(PostingRow, "postings", _parts(PostingRow)),
    Place(VectorRow, "vectors", _parts(VectorRow)),
    Place(DocumentRow, "documents", _documents),
    Place(ContradictionRow, "contradictions", _entries(ContradictionRow)),
    Place(DecisionRow, "decisions", _entries(DecisionRow)),
    Place(SourceRow, "sources", _entries(SourceRow)),
    Place(OrgFactRow, "facts", _facts(OrgFactRow, Scope.ORG)),
    Place(StoreFactRow, "facts", _facts(StoreFactRow, Scope.STORE)),
    Place(UserFactRow, "facts", _facts(UserFactRow, Scope.USER)),
    Place(ReceiptRow, "receipts", _about(ReceiptRow)),
    Place(CheckpointRow, "checkpoints", _of_people(CheckpointRow, _K.MEMORY, _K.ORGANISATION)),
    Place(ChannelLinkRow, "channel_links", _of_people(ChannelLinkRow, _K.ORGANISATION)),
    Place(IdempotencyRow, "answers", _answers),
    Place(EventRow, "events", _only(_K.ORGANISATION)),
    Place(ApiKeyRow, "api_keys", _only(_K.ORGANISATION)),
    Place(RulesRow, "rules", _only(_K.ORGANISATION)),
    Place(PersonRow, "people", _of_people(PersonRow, _K.ORGANISATION)),
    Place(StoreRow, "stores", _stores),
)
"""In the order in which they are struck: what hangs on something before it."""
