"""The audit trail in Postgres. People and stores are written as their `ref` and read back as their ids."""

from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, delete, func, null, select
from sqlalchemy.orm import aliased

from app.adapters.postgres.messages import STREAM_ROWS
from app.adapters.postgres.models import EventRow, EventValuesRow, PersonRow, StoreRow
from app.adapters.postgres.session import TenantSession
from app.domain.events import EventKind, EventValues, MemoryEvent
from app.domain.subjects import OrgSubject, Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Actor, ActorType
from app.ports.events import EventFilter
from app.ports.paging import Page, PageRequest

_Author = aliased(PersonRow)


class PostgresEvents:
    """The events of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def append(self, events: Sequence[MemoryEvent]) -> None:
        if not events:
            return
        lines = [self._line(event) for event in events]
        await self._session.execute(self._session.insertion(EventRow, lines))
        words = [
            {
                "event_id": event.id,
                "old": event.values.old,
                "new": event.values.new,
                "reason": event.values.reason,
                "salt": event.values.salt,
            }
            for event in events
            if event.values is not None
        ]
        await self._session.execute(self._session.insertion(EventValuesRow, words))

    async def page(self, wanted: EventFilter, request: PageRequest) -> Page[MemoryEvent]:
        query = _events().where(*_conditions(wanted)).order_by(EventRow.id.desc()).limit(request.limit + 1)
        total = None
        if request.with_total:
            counted = select(func.count()).select_from(EventRow).where(*_conditions(wanted))
            total = (await self._session.execute(counted)).scalar_one()
        if request.after is not None:
            query = query.where(EventRow.id < request.after[0])
        rows = (await self._session.execute(query)).all()
        shown = [_event(row) for row in rows[: request.limit]]
        return Page(shown, (shown[-1].id,) if len(rows) > request.limit else None, total)

    async def erase_values(self, fact_ids: Sequence[UUID]) -> int:
        about = select(EventRow.id).where(EventRow.fact_id.in_(fact_ids))
        statement = delete(EventValuesRow).where(EventValuesRow.event_id.in_(about)).returning(EventValuesRow.event_id)
        return len((await self._session.execute(statement)).all())

    async def everything(self, subject: Subject | None) -> AsyncIterator[MemoryEvent]:
        query = _events().order_by(EventRow.id)
        if subject is not None:
            query = query.where(EventRow.scope == subject.scope.value, EventRow.subject_ref == _subject_ref(subject))
        rows = await self._session.stream(query.execution_options(yield_per=STREAM_ROWS))
        async for row in rows:
            yield _event(row)

    def _line(self, event: MemoryEvent) -> dict[str, Any]:
        actor = event.actor
        return {
            "id": event.id,
            "kind": event.kind.value,
            "scope": event.subject.scope.value if event.subject else None,
            "subject_ref": _subject_ref(event.subject),
            "fact_id": event.fact_id,
            "actor_type": actor.type.value if actor else None,
            "actor_ref": self._actor_ref(actor),
            "digest": event.values.digest() if event.values else "",
            "created_at": event.created_at,
        }

    def _actor_ref(self, actor: Actor | None) -> Any:
        if actor is None:
            return null()
        if actor.type is ActorType.KEY:
            return UUID(actor.id)
        return _person_ref(actor.id) if actor.type is ActorType.PERSON else null()


def _person_ref(user_id: str) -> Any:
    return select(PersonRow.ref).where(PersonRow.user_id == user_id).scalar_subquery()


def _subject_ref(subject: Subject | None) -> Any:
    if isinstance(subject, StoreSubject):
        return select(StoreRow.ref).where(StoreRow.store_id == subject.store_id).scalar_subquery()
    return _person_ref(subject.user_id) if isinstance(subject, UserSubject) else null()


def _events() -> Select[Any]:
    """Events with their words and with the ids that their refs still stand for."""
    columns: tuple[Any, ...] = (
        EventRow,
        EventValuesRow,
        PersonRow.user_id,
        StoreRow.store_id,
        _Author.user_id.label("author"),
    )
    query: Select[Any] = (
        select(*columns)
        .outerjoin(EventValuesRow, EventValuesRow.event_id == EventRow.id)
        .outerjoin(PersonRow, (EventRow.scope == Scope.USER.value) & (PersonRow.ref == EventRow.subject_ref))
        .outerjoin(StoreRow, (EventRow.scope == Scope.STORE.value) & (StoreRow.ref == EventRow.subject_ref))
        .outerjoin(_Author, (EventRow.actor_type == ActorType.PERSON.value) & (_Author.ref == EventRow.actor_ref))
    )
    return query


def _conditions(wanted: EventFilter) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.fact_id is not None:
        found.append(EventRow.fact_id == wanted.fact_id)
    if wanted.kind is not None:
        found.append(EventRow.kind == wanted.kind.value)
    if wanted.since is not None:
        found.append(EventRow.created_at >= wanted.since)
    if wanted.until is not None:
        found.append(EventRow.created_at < wanted.until)
    if wanted.actor is not None:
        people = select(PersonRow.ref).where(PersonRow.user_id == wanted.actor)
        found.append(EventRow.actor_ref.in_(people) | (EventRow.actor_ref == _as_uuid(wanted.actor)))
    return found


def _as_uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _event(row: Row[Any]) -> MemoryEvent:
    line, words, user_id, store_id, author = tuple(row)
    subject: Subject | None = OrgSubject() if line.scope == Scope.ORG.value else None
    if user_id is not None:
        subject = UserSubject(user_id)
    elif store_id is not None:
        subject = StoreSubject(store_id)
    named = author or (str(line.actor_ref) if line.actor_type == ActorType.KEY.value else line.actor_type)
    return MemoryEvent(
        id=line.id,
        kind=EventKind(line.kind),
        actor=Actor(ActorType(line.actor_type), named),
        created_at=line.created_at,
        subject=subject,
        fact_id=line.fact_id,
        values=EventValues(words.old, words.new, words.reason, words.salt) if words else None,
    )
