"""The audit trail in Postgres. People and stores are written as their `ref` and read back as their ids."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, delete, func, select

from app.adapters.postgres.arrays import one_of_found
from app.adapters.postgres.event_views import visible_events
from app.adapters.postgres.models import EventRow, EventValuesRow, PersonRow, RulesRow, StoreRow
from app.adapters.postgres.session import TenantSession
from app.adapters.postgres.streaming import rows_of
from app.domain.events import Change, EventKind, EventValues, MemoryEvent
from app.domain.subjects import OrgSubject, Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Actor, ActorType
from app.domain.trail import Teller, Trail
from app.ports.events import EventFilter
from app.ports.paging import Page, PageRequest

_Refs = Mapping[Subject, UUID]


class PostgresEvents:
    """The events of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session
        self._trail = Trail()
        self._wordless = 0

    @property
    def wordless(self) -> int:
        return self._wordless

    def tell(self, changed: Iterable[Change], teller: Teller) -> None:
        self._trail.tell(changed, teller)

    def forget(self) -> None:
        """What was told and is not written was undone."""
        self._trail.clear()

    async def flush(self) -> None:
        events, gone = self._trail.take()
        if gone:
            await self._erase(EventRow.fact_id.in_(gone))
        if events:
            await self._insert(events)

    async def append(self, events: Sequence[MemoryEvent]) -> None:
        if events:
            await self.flush()
            await self._insert(events)

    async def restore(self, events: Sequence[MemoryEvent]) -> int:
        if not events:
            return 0
        refs = await self._refs(events)
        lines = self._session.insertion(EventRow, [_line(event, refs) for event in events]).on_conflict_do_nothing()
        new = frozenset((await self._session.execute(lines.returning(EventRow.id))).scalars())
        await self._say([event for event in events if event.id in new])
        return len(new)

    async def _insert(self, events: Sequence[MemoryEvent]) -> None:
        refs = await self._refs(events)
        lines = [_line(event, refs) for event in events]
        await self._session.execute(self._session.insertion(EventRow, lines))
        await self._say(events)

    async def _say(self, events: Sequence[MemoryEvent]) -> None:
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
        await self.flush()
        query = visible_events(wanted, self._session.closings)
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
        self._trail.silence(fact_ids)
        return await self._erase(EventRow.fact_id.in_(fact_ids))

    async def erase_about(self, subject: Subject, *, with_facts: bool = True) -> int:
        ref = (await self._refs_of([subject])).get(subject)
        if ref is None:
            return 0
        about = EventRow.subject_ref == ref
        return await self._erase(about if with_facts else about & EventRow.fact_id.is_(None))

    async def _erase(self, which: ColumnElement[bool]) -> int:
        about = select(EventRow.id).where(which)
        theirs = one_of_found(EventValuesRow.event_id, about)
        statement = delete(EventValuesRow).where(theirs).returning(EventValuesRow.event_id)
        erased = len((await self._session.execute(statement)).all())
        self._wordless += erased
        return erased

    async def everything(self, wanted: EventFilter) -> AsyncIterator[MemoryEvent]:
        await self.flush()
        query = visible_events(wanted, self._session.closings).order_by(EventRow.id)
        async for row in rows_of(self._session, query):
            yield _event(row)

    async def _refs(self, events: Sequence[MemoryEvent]) -> _Refs:
        """What stands for the people and stores of these events in the trail; those who are not there have none."""
        actors = [event.actor.id for event in events if event.actor and event.actor.type is ActorType.PERSON]
        subjects = [event.subject for event in events if event.subject is not None]
        return await self._refs_of([*subjects, *map(UserSubject, actors)])

    async def _refs_of(self, subjects: Sequence[Subject]) -> _Refs:
        people = {subject.user_id for subject in subjects if isinstance(subject, UserSubject)}
        stores = {subject.store_id for subject in subjects if isinstance(subject, StoreSubject)}
        refs: dict[Subject, UUID] = {}
        if people:
            known = select(PersonRow.user_id, PersonRow.ref).where(PersonRow.user_id.in_(people))
            refs |= {UserSubject(user_id): ref for user_id, ref in await self._session.execute(known)}
        if stores:
            standing = select(StoreRow.store_id, StoreRow.ref).where(StoreRow.store_id.in_(stores))
            refs |= {StoreSubject(store_id): ref for store_id, ref in await self._session.execute(standing)}
        return refs


def _line(event: MemoryEvent, refs: _Refs) -> dict[str, Any]:
    actor = event.actor
    return {
        "id": event.id,
        "kind": event.kind.value,
        "scope": event.scope.value if event.scope else None,
        "subject_ref": refs.get(event.subject) if event.subject else None,
        "fact_id": event.fact_id,
        "actor_type": (actor.type if actor else ActorType.PERSON).value,
        "actor_ref": _actor_ref(actor, refs),
        "digest": event.digest,
        "created_at": event.created_at,
    }


def _actor_ref(actor: Actor | None, refs: _Refs) -> UUID | None:
    if actor is not None and actor.type is ActorType.KEY:
        return UUID(actor.id)
    return refs.get(UserSubject(actor.id)) if actor is not None and actor.type is ActorType.PERSON else None


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
        actor=actor_of(line, author),
        created_at=line.created_at,
        subject=subject,
        fact_id=line.fact_id,
        values=EventValues(words.old, words.new, words.reason, words.salt) if words else None,
        scope=Scope(line.scope) if line.scope else None,
        digest=line.digest,
    )


def actor_of(line: EventRow | RulesRow, author: str | None) -> Actor | None:
    """Who did it; `author` is the person, None where they are gone or not to be named."""
    kind = ActorType(line.actor_type)
    if kind is ActorType.PERSON:
        return Actor(kind, author) if author is not None else None
    return Actor(kind, str(line.actor_ref) if kind is ActorType.KEY else kind.value)
