"""The audit trail in memory."""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from uuid import UUID

from app.adapters.doubles.paging import page_of
from app.adapters.doubles.seals import line_of
from app.adapters.doubles.state import State
from app.domain.events import Change, EventKind, MemoryEvent
from app.domain.subjects import Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import ATLAS, Actor, ActorType
from app.domain.trail import Teller, Trail
from app.ports.events import EventFilter
from app.ports.paging import Page, PageRequest


class InMemoryEvents:
    """The events of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state
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
        self._erase(lambda event: event.fact_id in gone)
        self._insert(events)

    async def append(self, events: Sequence[MemoryEvent]) -> None:
        if events:
            await self.flush()
            self._insert(events)

    async def restore(self, events: Sequence[MemoryEvent]) -> int:
        new = [event for event in events if event.id not in self._state.events]
        self._insert(new)
        return len(new)

    def _insert(self, events: Sequence[MemoryEvent]) -> None:
        for event in events:
            self._state.require()
            self._state.require_new(event.id in self._state.events)
            self._state.events[event.id] = known = self._known(event)
            self._state.lines[event.id] = line_of(known, len(self._state.lines) + 1)

    async def page(self, wanted: EventFilter, request: PageRequest) -> Page[MemoryEvent]:
        await self.flush()
        return page_of(self._seen(wanted), lambda event: (event.id,), request, newest_first=True)

    async def erase_values(self, fact_ids: Sequence[UUID]) -> int:
        self._trail.silence(fact_ids)
        return self._erase(lambda event: event.fact_id in fact_ids)

    async def erase_about(self, subject: Subject, *, with_facts: bool = True) -> int:
        return self._erase(lambda event: event.subject == subject and (with_facts or event.fact_id is None))

    def _erase(self, which: Callable[[MemoryEvent], bool]) -> int:
        spoken = [event for event in self._state.events.values() if event.values and which(event)]
        self._state.events |= {event.id: replace(event, values=None) for event in spoken}
        self._wordless += len(spoken)
        return len(spoken)

    async def everything(self, wanted: EventFilter) -> AsyncIterator[MemoryEvent]:
        await self.flush()
        for event in sorted(self._seen(wanted), key=lambda event: event.id):
            yield event

    def _known(self, event: MemoryEvent) -> MemoryEvent:
        """The event with only those in it who are there; the platform and the worker go by their kind's name."""
        actor, subject = event.actor, event.subject
        if actor is not None and actor.type is ActorType.PERSON:
            actor = actor if actor.id in self._state.people else None
        elif actor is not None and actor.type is not ActorType.KEY:
            actor = Actor(actor.type, actor.type.value)
        stranger = isinstance(subject, UserSubject) and subject.user_id not in self._state.people
        nowhere = isinstance(subject, StoreSubject) and subject.store_id not in self._state.stores
        return replace(event, actor=actor, subject=None if stranger or nowhere else subject)

    def _seen(self, wanted: EventFilter) -> Iterator[MemoryEvent]:
        for event in self._state.events.values():
            if self._reached(event, wanted) and _chosen(seen := self._veiled(event, wanted), wanted):
                yield seen

    def _reached(self, event: MemoryEvent, wanted: EventFilter) -> bool:
        """Within the limits of a key."""
        if wanted.stores is not None and event.scope is Scope.STORE:
            within = isinstance(event.subject, StoreSubject) and event.subject.store_id in wanted.stores
            if not within:
                return False
        if wanted.agents is None or event.fact_id is None:
            return True
        kept = [record.fact for (_, fact_id), record in self._state.facts.items() if fact_id == event.fact_id]
        return any(fact.ref.agent_id in {*wanted.agents, ATLAS} for fact in kept)

    def _veiled(self, event: MemoryEvent, wanted: EventFilter) -> MemoryEvent:
        """The event as this reader may know it."""
        if wanted.unveiled:
            return event
        own = wanted.reader is not None and event.subject == UserSubject(wanted.reader)
        actor = event.actor
        if actor is not None and actor.type is ActorType.PERSON and not self._named(event, actor.id, wanted):
            actor = None
        if event.scope is Scope.USER and not own:
            return replace(event, actor=actor, subject=None, values=None)
        return replace(event, actor=actor)

    def _named(self, event: MemoryEvent, user_id: str, wanted: EventFilter) -> bool:
        """Whether this reader may know that the person did it."""
        operator = self._state.people[user_id].role is not None
        themself = event.subject == UserSubject(user_id)
        return user_id == wanted.reader or (operator and not themself and event.kind is not EventKind.TURN_SKIPPED)


def _chosen(seen: MemoryEvent, wanted: EventFilter) -> bool:
    """What was asked for, of what may be seen."""
    scopes = {wanted.scope, None} if wanted.scope is Scope.ORG else {wanted.scope}
    return (
        (wanted.fact_id is None or seen.fact_id == wanted.fact_id)
        and (wanted.kind is None or seen.kind is wanted.kind)
        and (wanted.since is None or seen.created_at >= wanted.since)
        and (wanted.until is None or seen.created_at < wanted.until)
        and (wanted.scope is None or seen.scope in scopes)
        and (wanted.subject is None or seen.subject == wanted.subject)
        and (wanted.actor is None or (seen.actor is not None and seen.actor.id == wanted.actor))
    )
