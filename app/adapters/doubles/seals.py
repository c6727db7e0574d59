"""Seals in memory."""

from collections.abc import AsyncIterator
from uuid import NAMESPACE_OID, UUID, uuid5

from app.adapters.doubles.state import State
from app.domain.events import EventValues, MemoryEvent
from app.domain.seals import Line, Seal
from app.domain.subjects import OrgSubject, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Actor, ActorType
from app.ports.seals import Kept


class InMemorySeals:
    """The seals of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def hold(self) -> bool:
        return self._state.organisation is not None

    async def last(self) -> Seal | None:
        return self._state.seals[max(self._state.seals)] if self._state.seals else None

    async def unsealed(self, after: int, upto: int, limit: int) -> list[Line]:
        return [line for line in self._state.lines.values() if after < line.place <= upto][:limit]

    async def add(self, seal: Seal) -> None:
        self._state.require()
        self._state.require_new(seal.seq in self._state.seals)
        self._state.seals[seal.seq] = seal

    async def chain(self) -> AsyncIterator[Seal]:
        for seq in sorted(self._state.seals):
            yield self._state.seals[seq]

    async def lines(self, after: int, upto: int | None = None) -> AsyncIterator[tuple[Line, EventValues | None]]:
        for line in list(self._state.lines.values()):
            if line.place > after and (upto is None or line.place <= upto):
                yield line, self._state.events[line.id].values

    async def kept(self) -> Kept:
        words = sum(event.values is not None for event in self._state.events.values())
        return Kept(len(self._state.seals), words)


def line_of(event: MemoryEvent, place: int) -> Line:
    """The event as it is kept. Those who are there are stood for by what is made of their ids."""
    actor = event.actor
    return Line(
        place=place,
        id=event.id,
        kind=event.kind.value,
        scope=event.scope.value if event.scope else None,
        subject_ref=_ref(event.subject),
        fact_id=event.fact_id,
        actor_type=(actor.type if actor else ActorType.PERSON).value,
        actor_ref=_actor_ref(actor),
        digest=event.digest,
        created_at=event.created_at,
    )


def _ref(subject: Subject | None) -> UUID | None:
    return None if subject is None or isinstance(subject, OrgSubject) else uuid5(NAMESPACE_OID, _name(subject))


def _name(subject: StoreSubject | UserSubject) -> str:
    return f"person {subject.user_id}" if isinstance(subject, UserSubject) else f"store {subject.store_id}"


def _actor_ref(actor: Actor | None) -> UUID | None:
    if actor is None or actor.type not in (ActorType.PERSON, ActorType.KEY):
        return None
    return UUID(actor.id) if actor.type is ActorType.KEY else _ref(UserSubject(actor.id))
