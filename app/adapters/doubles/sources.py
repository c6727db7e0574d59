"""The entries of the folds in memory."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from uuid import UUID

from app.adapters.doubles.state import State
from app.domain.sources import Decision, Entry, MessageRef, Source
from app.domain.subjects import KeyRef, Scope, Subject, UserSubject
from app.domain.tenancy import Actor, ActorType

_Test = Callable[[KeyRef, Source], bool]


class InMemorySources:
    """The sources and decisions of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, ref: KeyRef, source: Source) -> bool:
        said = _statement(ref, source)
        kept = [_statement(*one) for one in self._state.sources.values() if one[1].message is not None]
        if source.id in self._state.sources or (source.message is not None and said in kept):
            return False
        self._state.require_subject(ref.subject)
        self._state.sources[source.id] = ref, source
        return True

    async def decide(self, ref: KeyRef, decision: Decision) -> None:
        self._state.require_subject(ref.subject)
        self._state.require_new(decision.id in self._state.decisions)
        self._state.decisions[decision.id] = ref, decision

    async def entries(self, ref: KeyRef) -> list[Entry]:
        kept = [*self._state.sources.values(), *self._state.decisions.values()]
        return [entry for place, entry in kept if place == ref]

    async def refs_of(self, messages: Sequence[MessageRef]) -> list[KeyRef]:
        return self._refs(_stated_by(messages))

    async def refs_said_by(self, user_id: str) -> list[KeyRef]:
        return self._refs(_shared_by(user_id))

    async def refs_about(self, user_id: str) -> list[KeyRef]:
        return self._refs(lambda ref, _: ref.subject == UserSubject(user_id))

    async def messages_of(self, source_ids: Sequence[UUID]) -> list[MessageRef]:
        return [one.message for _, one in self._state.sources.values() if one.id in source_ids and one.message]

    async def reassign(self, user_id: str, heir: str) -> None:
        first, second = Actor(ActorType.PERSON, user_id), Actor(ActorType.PERSON, heir)
        for table in (self._state.sources, self._state.decisions):
            _reassign(table, first, second)  # type: ignore[arg-type]

    async def remove(self, ref: KeyRef, source_ids: Sequence[UUID]) -> None:
        self._remove(lambda place, source: place == ref and source.id in source_ids)
        kept = self._state.decisions.items()
        self._state.decisions = {
            place: (at, decision) for place, (at, decision) in kept if at != ref or decision.fact_id not in source_ids
        }

    async def remove_messages(self, messages: Sequence[MessageRef]) -> None:
        self._remove(_stated_by(messages))

    async def remove_said_by(self, user_id: str) -> None:
        self._remove(_shared_by(user_id))

    async def everything(self, scope: Scope, subject: Subject | None) -> AsyncIterator[tuple[KeyRef, Source]]:
        for _, (ref, source) in sorted(self._state.sources.items()):
            if ref.subject.scope is scope and subject in (None, ref.subject):
                yield ref, source

    async def all_decisions(self, scope: Scope, subject: Subject | None) -> AsyncIterator[tuple[KeyRef, Decision]]:
        for _, (ref, decision) in sorted(self._state.decisions.items()):
            if ref.subject.scope is scope and subject in (None, ref.subject):
                yield ref, decision

    def _refs(self, test: _Test) -> list[KeyRef]:
        return list(dict.fromkeys(ref for ref, source in self._state.sources.values() if test(ref, source)))

    def _remove(self, test: _Test) -> None:
        self._state.sources = {place: kept for place, kept in self._state.sources.items() if not test(*kept)}
