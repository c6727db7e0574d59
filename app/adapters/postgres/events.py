"""The audit trail in Postgres. People and stores are written as their `ref` and read back as their ids."""

from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, delete, func, null, select

from app.adapters.postgres.event_views import person_ref, visible_events
from app.adapters.postgres.messages import STREAM_ROWS
from app.adapters.postgres.models import EventRow, EventValuesRow, StoreRow
from app.adapters.postgres.session import TenantSession
from app.domain.events import EventKind, EventValues, MemoryEvent
from app.domain.subjects import OrgSubject, Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Actor, ActorType
from app.ports.events import EventFilter
from app.ports.paging import Page, PageRequest


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
        if words:
            await self._session.execute(self._session.insertion(EventValuesRow, words))

    async def page(self, wanted: EventFilter, request: PageRequest) -> Page[MemoryEvent]:
        query = visible_events(wanted)
        total = None
        if request.with_total:
            counted = query.with_only_columns(func.count())
            total = (await self._session.execute(counted)).scalar_one()
        if request.after is not None:
            query = query.where(EventRow.id < request.after[0])
        rows = (await self._session.execute(query.order_by(EventRow.id.desc()).limit(request.limit + 1))).all()
        shown = [_event(row) for row in rows[: request.limit]]
        return Page(shown, (shown[-1].id,) if len(rows) > request.limit else None, total)

    async def erase_values(self, fact_ids: Sequence[UUID]) -> int:
        about = select(EventRow.id).where(EventRow.fact_id.in_(fact_ids))
        statement = delete(EventValuesRow).where(EventValuesRow.event_id.in_(about)).returning(EventValuesRow.event_id)
        return len((await self._session.execute(statement)).all())

    async def everything(self, wanted: EventFilter) -> AsyncIterator[MemoryEvent]:
        query = visible_events(wanted).order_by(EventRow.id)
        rows = await self._session.stream(query.execution_options(yield_per=STREAM_ROWS))
        async for row in rows:
            yield _event(row)

    def _line(self, event: MemoryEvent) -> dict[str, Any]:
        actor = event.actor
        return {
            "id": event.id,
            "kind": event.kind.value,
            "scope": event.scope.value if event.scope else None,
            "subject_ref": _subject_ref(event.subject),
            "fact_id": event.fact_id,
            "actor_type": (actor.type if actor else ActorType.PERSON).value,
            "actor_ref": self._actor_ref(actor),
            "digest": event.digest,
            "created_at": event.created_at,
        }

    def _actor_ref(self, actor: Actor | None) -> Any:
        if actor is None:
            return null()
        if actor.type is ActorType.KEY:
            return UUID(actor.id)
        return person_ref(actor.id) if actor.type is ActorType.PERSON else null()


def _subject_ref(subject: Subject | None) -> Any:
    if isinstance(subject, StoreSubject):
        return select(StoreRow.ref).where(StoreRow.store_id == subject.store_id).scalar_subquery()
    return person_ref(subject.user_id) if isinstance(subject, UserSubject) else null()


def _event(row: Row[Any]) -> MemoryEvent:
    line, words, user_id, store_id, author = tuple(row)
    subject: Subject | None = OrgSubject() if line.scope == Scope.ORG.value else None
    if user_id is not None:
        subject = UserSubject(user_id)
    elif store_id is not None:
        subject = StoreSubject(store_id)
    return MemoryEvent(
        id=line.id,
        kind=EventKind(line.kind),
        actor=_actor(line, author),
        created_at=line.created_at,
        subject=subject,
        fact_id=line.fact_id,
        values=EventValues(words.old, words.new, words.reason, words.salt) if words else None,
        scope=Scope(line.scope) if line.scope else None,
        digest=line.digest,
    )


def _actor(line: EventRow, author: str | None) -> Actor | None:
    kind = ActorType(line.actor_type)
    if kind is ActorType.PERSON:
        return Actor(kind, author) if author is not None else None
    return Actor(kind, str(line.actor_ref) if kind is ActorType.KEY else kind.value)
