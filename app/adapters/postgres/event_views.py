"""What one reader sees of the audit trail. What is veiled is not joined, so it never leaves the database."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, false, or_, select, true
from sqlalchemy.orm import aliased

from app.adapters.postgres.fact_rows import TABLES
from app.adapters.postgres.models import EventRow, EventValuesRow, PersonRow, StoreRow
from app.domain.erasures import Closings
from app.domain.events import EventKind
from app.domain.subjects import Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import ATLAS, ActorType
from app.ports.events import EventFilter

_Author = aliased(PersonRow)
# Of a table of their own: on one that is joined already, a sub-select would be of the joined row.
_Named, _Reached = aliased(PersonRow), aliased(StoreRow)
_about_a_person = EventRow.scope.is_not_distinct_from(Scope.USER.value)


def visible_events(wanted: EventFilter, closings: Closings) -> Select[Any]:
    """The filter's events in no order: line, words, subject's person and store, author; None for what is not shown.

    The words of what is being erased are not.
    """
    shown = _readable(wanted)
    columns: tuple[Any, ...] = (EventRow, EventValuesRow, PersonRow.user_id, StoreRow.store_id, _Author.user_id)
    query: Select[Any] = (
        select(*columns)
        .select_from(EventRow)
        .outerjoin(EventValuesRow, and_(EventValuesRow.event_id == EventRow.id, shown, *_open(closings)))
        .outerjoin(PersonRow, _about_a_person & (PersonRow.ref == EventRow.subject_ref) & shown)
        .outerjoin(StoreRow, (EventRow.scope == Scope.STORE.value) & (StoreRow.ref == EventRow.subject_ref))
        .outerjoin(_Author, (_Author.ref == EventRow.actor_ref) & _named(wanted))
        .where(*_chosen(wanted), *_reach(wanted))
    )
    return query


def _open(closings: Closings) -> Iterator[ColumnElement[bool]]:
    """What the session hides of people and stores is not there for these looks, either."""
    if closings.people or closings.stores:
        person = select(_Named.ref).where(_Named.ref == EventRow.subject_ref).exists()
        store = select(_Reached.ref).where(_Reached.ref == EventRow.subject_ref).exists()
        yield EventRow.subject_ref.is_(None) | person | store
    if closings.memory:
        yield EventRow.fact_id.is_(None)
    elif closings.shared:
        yield EventRow.fact_id.is_(None) | _about_a_person


def person_ref(user_id: str) -> Any:
    """What stands for this person in the trail; null when they are not there."""
    return select(_Named.ref).where(_Named.user_id == user_id).scalar_subquery()


def _readable(wanted: EventFilter) -> ColumnElement[bool]:
    """Whether the reader may know what the event says."""
    if wanted.unveiled:
        return true()
    if wanted.reader is None:
        return ~_about_a_person
    own: ColumnElement[bool] = EventRow.subject_ref == person_ref(wanted.reader)
    return ~_about_a_person | own


def _named(wanted: EventFilter) -> ColumnElement[bool]:
    """Whether the reader may know who did it, where that is a person."""
    a_person = EventRow.actor_type == ActorType.PERSON.value
    if wanted.unveiled:
        return a_person
    themself = _about_a_person & EventRow.subject_ref.is_not_distinct_from(EventRow.actor_ref)
    as_operator = _Author.role.is_not(None) & (EventRow.kind != EventKind.TURN_SKIPPED.value) & ~themself
    return a_person & (as_operator | (_Author.user_id == wanted.reader if wanted.reader is not None else false()))


def _chosen(wanted: EventFilter) -> Iterator[ColumnElement[bool]]:
    if wanted.fact_id is not None:
        yield EventRow.fact_id == wanted.fact_id
    if wanted.kind is not None:
        yield EventRow.kind == wanted.kind.value
    if wanted.actor is not None:
        key = (EventRow.actor_type == ActorType.KEY.value) & (EventRow.actor_ref == _as_uuid(wanted.actor))
        yield (_Author.user_id == wanted.actor) | key
    if wanted.since is not None:
        yield EventRow.created_at >= wanted.since
    if wanted.until is not None:
        yield EventRow.created_at < wanted.until
    if wanted.scope is not None:
        about_no_fact = EventRow.scope.is_(None) if wanted.scope is Scope.ORG else false()
        yield (EventRow.scope == wanted.scope.value) | about_no_fact
    if wanted.subject is not None:
        yield (EventRow.scope == wanted.subject.scope.value) & _about(wanted.subject)


def _reach(wanted: EventFilter) -> Iterator[ColumnElement[bool]]:
    """A key's limits; an empty set of stores lets no store's event through."""
    if wanted.stores is not None:
        stores = select(_Reached.ref).where(_Reached.store_id.in_(wanted.stores))
        yield EventRow.scope.is_distinct_from(Scope.STORE.value) | EventRow.subject_ref.in_(stores)
    if wanted.agents is not None:
        pockets = {*wanted.agents, ATLAS}
        facts = [select(table.id).where(table.agent_id.in_(pockets)) for table in TABLES.values()]
        yield or_(EventRow.fact_id.is_(None), *(EventRow.fact_id.in_(ids) for ids in facts))


def _about(subject: Subject) -> ColumnElement[bool]:
    """Whom the event is about, as far as it is shown."""
    match subject:
        case StoreSubject(store_id):
            return StoreRow.store_id == store_id
        case UserSubject(user_id):
            return PersonRow.user_id == user_id
        case _:
            return true()


def _as_uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
