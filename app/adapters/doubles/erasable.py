"""Every place that can hold words, and which of it belongs to an extent; what is being erased is set aside."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Final
from uuid import UUID

from app.adapters.doubles.state import State
from app.domain.erasures import Closings, ErasureKind, Extent
from app.domain.export import Section
from app.domain.imports import Step
from app.domain.jobs import JobKind
from app.domain.subjects import Scope, Subject, store_of, user_of

Belongs = Callable[[State, Any, Any, Extent], bool]
_K = ErasureKind


def _whole(*kinds: ErasureKind) -> Belongs:
    return lambda state, key, kept, extent: extent.kind in kinds


def _about(user_id: str | None, store_id: str | None, extent: Extent) -> bool:
    named = user_id if extent.kind is _K.PERSON else store_id if extent.kind is _K.STORE else None
    return extent.kind in (_K.MEMORY, _K.ORGANISATION) or (named is not None and named == extent.id)


def _of_subject(subject: Subject, extent: Extent) -> bool:
    shared = extent.kind is _K.SHARED and subject.scope is not Scope.USER
    return shared or _about(user_of(subject), store_of(subject), extent)


def _facts(scope: Scope) -> Belongs:
    return lambda state, key, kept, extent: key[0] is scope and _of_subject(kept.fact.ref.subject, extent)


def _entry(state: State, key: UUID, kept: Any, extent: Extent) -> bool:
    return _of_subject(kept[0].subject, extent)


def happened(state: State, key: UUID, kept: Any, extent: Extent) -> bool:
    return _about(kept.user_id, kept.store_id, extent)


def _job(state: State, key: UUID, kept: Any, extent: Extent) -> bool:
    job = kept.job
    in_store = key in state.messages and _about(None, state.messages[key].store_id, extent)
    theirs = extent.kind is _K.PERSON and extent.id in (job.user_id, job.created_by.id)
    return job.kind is not JobKind.ERASURE and (theirs or in_store or _about(None, None, extent))


def _staged(state: State, key: Any, kept: Any, extent: Extent) -> bool:
    if extent.kind is _K.SHARED:
        return kept.step is Step.BELIEFS and kept.user_id is None
    said = extent.kind is _K.PERSON and kept.section is Section.SOURCES and kept.author_id == extent.id
    return said or _about(kept.user_id, kept.store_id, extent)


def _words(state: State, key: UUID, kept: Any, extent: Extent) -> bool:
    if kept.values is None:
        return False
    if extent.kind in (_K.SHARED, _K.MEMORY):
        return kept.fact_id is not None and (extent.kind is _K.MEMORY or kept.scope is not Scope.USER)
    theirs = {fact_id for (_, fact_id), row in state.facts.items() if _of_subject(row.fact.ref.subject, extent)}
    return kept.fact_id in theirs or (kept.subject is not None and _of_subject(kept.subject, extent))


@dataclass(frozen=True, slots=True)
class Place:
    name: str
    counted: str
    table: str
    belongs: Belongs


PLACES: Final = (
    Place("import_records", "imports", "staged", _staged),
    Place("jobs", "jobs", "jobs", _job),
    Place("messages", "messages", "messages", happened),
    Place("observations", "observations", "observations", happened),
    Place("event_values", "event_values", "events", _words),
    Place("postings", "postings", "", _whole()),
    Place("vectors", "vectors", "", _whole()),
    Place("documents", "documents", "documents", lambda s, k, kept, e: _of_subject(kept.subject, e)),
    Place("contradictions", "contradictions", "contradictions", lambda s, k, kept, e: _of_subject(kept.ref.subject, e)),
    Place("fact_decisions", "decisions", "decisions", _entry),
    Place("fact_sources", "sources", "sources", _entry),
    Place("org_facts", "facts", "facts", _facts(Scope.ORG)),
    Place("store_facts", "facts", "facts", _facts(Scope.STORE)),
    Place("user_facts", "facts", "facts", _facts(Scope.USER)),
    Place("receipts", "receipts", "receipts", happened),
    Place("checkpoints", "checkpoints", "checkpoints", lambda s, key, kept, e: _about(key, None, e)),
    Place(
        "channel_links",
        "channel_links",
        "links",
        lambda s, k, kept, e: e.kind is not _K.MEMORY and _about(kept.user_id, None, e),
    ),
    Place(
        "idempotency", "answers", "claims", lambda s, k, kept, e: e.kind is _K.ORGANISATION and kept.outcome is not None
    ),
    Place("events", "events", "events", _whole(_K.ORGANISATION)),
    Place("api_keys", "api_keys", "keys", _whole(_K.ORGANISATION)),
    Place("rules", "rules", "rules", _whole(_K.ORGANISATION)),
    Place("people", "people", "people", lambda s, key, kept, e: e.kind is not _K.MEMORY and _about(key, None, e)),
    Place("stores", "stores", "stores", lambda s, key, kept, e: e.kind is not _K.MEMORY and _about(None, key, e)),
)
_HIDDEN: Final = (
    "import_records",
    "jobs",
    "event_values",
    "idempotency",
    "events",
    "api_keys",
    "rules",
    "receipts",
    "postings",
    "vectors",
)
"""Places that a closed extent does not hide, or that go with another one."""


def set_aside(state: State) -> State:
    """Takes what is being erased out of the state; answers it."""
    aside = State()
    closed = [kept.erasure.extent for kept in state.erasures.values() if kept.erasure.completed_at is None]
    state.closings = Closings(frozenset(closed))
    taken = [
        (place.table, key)
        for extent in closed
        for place in PLACES
        if place.name not in _HIDDEN
        for key, kept in getattr(state, place.table).items()
        if place.belongs(state, key, kept, extent)
    ]
    for table, key in dict.fromkeys(taken):
        getattr(aside, table)[key] = getattr(state, table).pop(key)
    return aside


def put_back(state: State, aside: State) -> None:
    """The other way round."""
    state.closings = Closings()
    for item in fields(aside):
        table = getattr(aside, item.name)
        if isinstance(table, dict):
            getattr(state, item.name).update(table)
