"""The entries of the folds in memory."""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID

from app.adapters.doubles.state import State
from app.domain.crossing import CROSSING
from app.domain.sources import Decision, Entry, MessageRef, Source, Verdict
from app.domain.subjects import KeyRef, Scope, Subject, UserSubject
from app.domain.tenancy import NOBODY, Actor, ActorType

_OF_NO_MESSAGE: dict[str, Any] = {"message": None, "evidence": None, "reasoning": None}
_Test = Callable[[KeyRef, Source], bool]
_Entry = TypeVar("_Entry", Source, Decision)


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

    async def begin(self, sources: Sequence[tuple[KeyRef, Source]]) -> None:
        for ref, source in sources:
            self._state.require_subject(ref.subject)
            self._state.require_new(source.id in self._state.sources)
            self._state.sources[source.id] = ref, source

    async def decide(self, ref: KeyRef, decision: Decision) -> None:
        self._state.require_subject(ref.subject)
        self._state.require_new(decision.id in self._state.decisions)
        self._state.decisions[decision.id] = ref, decision

    async def restore(self, entries: Sequence[tuple[KeyRef, Entry]]) -> frozenset[UUID]:
        new: set[UUID] = set()
        for ref, entry in entries:
            if isinstance(entry, Source):
                known = [_session(*one) for one in self._state.sources.values()]
                heard = entry.observed is not None and _session(ref, entry) in known
                if not heard and await self.add(ref, entry):
                    new.add(entry.id)
            elif entry.id not in self._state.decisions:
                await self.decide(ref, entry)
                new.add(entry.id)
        return frozenset(new)

    async def entries(self, ref: KeyRef) -> list[Entry]:
        sources: list[Entry] = [source for place, source in self._state.sources.values() if place == ref]
        return sources + [decision for place, decision in self._state.decisions.values() if place == ref]

    async def entries_of(self, refs: Sequence[KeyRef]) -> dict[KeyRef, list[Entry]]:
        found = {ref: await self.entries(ref) for ref in refs}
        return {ref: entries for ref, entries in found.items() if entries}

    async def save(self, sources: Sequence[tuple[KeyRef, Source]]) -> None:
        for ref, source in sources:
            self._state.require_subject(ref.subject)
            known = [_session(*one) for place, one in self._state.sources.items() if place != source.id]
            self._state.require_new(source.observed is not None and _session(ref, source) in known)
            self._state.sources[source.id] = ref, source

    async def refs_of(self, messages: Sequence[MessageRef]) -> list[KeyRef]:
        return self._refs(_stated_by(messages))

    async def refs_said_by(self, user_id: str) -> list[KeyRef]:
        return list(dict.fromkeys([*self._refs(_shared_by(user_id)), *(ref for ref, _ in self._amended_by(user_id))]))

    async def refs_about(self, user_id: str) -> list[KeyRef]:
        return self._refs(lambda ref, _: ref.subject == UserSubject(user_id))

    async def stated_by(self, messages: Sequence[MessageRef]) -> list[tuple[KeyRef, Source]]:
        stated = _stated_by(messages)
        return [(ref, source) for ref, source in self._state.sources.values() if stated(ref, source)]

    async def messages_of(self, source_ids: Sequence[UUID]) -> list[MessageRef]:
        return [one.message for _, one in self._state.sources.values() if one.id in source_ids and one.message]

    async def reassign(self, user_id: str, heir: str) -> None:
        self._state.sources = _reassigned(self._state.sources, user_id, heir)
        self._state.decisions = _reassigned(self._state.decisions, user_id, heir)

    async def forget(self, source_ids: Sequence[UUID]) -> None:
        self._remove(lambda _, source: source.id in source_ids)
        kept = self._state.decisions.items()
        self._state.decisions = {place: one for place, one in kept if one[1].fact_id not in source_ids}

    async def remove(self, ref: KeyRef, source_ids: Sequence[UUID]) -> None:
        self._remove(lambda place, source: place == ref and source.id in source_ids)
        kept = self._state.decisions.items()
        self._state.decisions = {
            place: (at, decision) for place, (at, decision) in kept if at != ref or decision.fact_id not in source_ids
        }

    async def crossing(self, agent_id: str, fact_ids: Collection[UUID]) -> list[tuple[KeyRef, Decision]]:
        names = {str(fact_id) for fact_id in fact_ids}
        kept = [one for one in self._state.decisions.values() if one[1].verdict in CROSSING]
        return [(ref, one) for ref, one in kept if ref.agent_id == agent_id and one.changes.get("other") in names]

    async def redirect(self, decision_id: UUID, fact_id: UUID) -> None:
        ref, decision = self._state.decisions[decision_id]
        self._state.decisions[decision_id] = ref, replace(decision, fact_id=fact_id)

    async def withdraw(self, decision_ids: Sequence[UUID]) -> None:
        for decision_id in decision_ids:
            self._state.decisions.pop(decision_id, None)

    async def remove_messages(self, messages: Sequence[MessageRef]) -> None:
        self._remove(_stated_by(messages))

    async def remove_said_by(self, user_id: str, refs: Sequence[KeyRef]) -> list[UUID]:
        shared = _shared_by(user_id)
        gone = self._remove(lambda ref, source: ref in refs and shared(ref, source))
        for ref, amended in self._amended_by(user_id):
            if ref in refs:
                del self._state.decisions[amended.id]
        return gone

    async def detach_said_by(self, user_id: str, refs: Sequence[KeyRef]) -> None:
        shared = _shared_by(user_id)
        nobody = Actor(ActorType.PERSON, NOBODY)
        self._change(lambda ref, source: ref in refs and shared(ref, source), author=nobody, **_OF_NO_MESSAGE)
        for ref, amended in self._amended_by(user_id):
            if ref in refs:
                self._state.decisions[amended.id] = ref, replace(amended, author=nobody)

    async def unsign(self, user_id: str) -> None:
        theirs, nobody = Actor(ActorType.PERSON, user_id), Actor(ActorType.PERSON, NOBODY)
        self._state.decisions = {
            place: (ref, replace(one, author=nobody) if one.author == theirs else one)
            for place, (ref, one) in self._state.decisions.items()
        }

    async def detach_messages(self, messages: Sequence[MessageRef]) -> None:
        self._change(_stated_by(messages), **_OF_NO_MESSAGE)

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

    def _amended_by(self, user_id: str) -> list[tuple[KeyRef, Decision]]:
        theirs = Actor(ActorType.PERSON, user_id)
        return [
            (ref, one)
            for ref, one in self._state.decisions.values()
            if one.author == theirs and one.verdict is Verdict.AMEND and ref.subject.scope is not Scope.USER
        ]

    def _change(self, which: _Test, **changed: Any) -> None:
        self._state.sources = {
            place: (ref, replace(source, **changed) if which(ref, source) else source)
            for place, (ref, source) in self._state.sources.items()
        }

    def _remove(self, test: _Test) -> list[UUID]:
        gone = [source.id for ref, source in self._state.sources.values() if test(ref, source)]
        self._state.sources = {place: kept for place, kept in self._state.sources.items() if not test(*kept)}
        return gone


def _statement(ref: KeyRef, source: Source) -> tuple[object, ...]:
    """What a message may state once: a key, or where it holds many values, each value."""
    message = source.message
    said = (message.conversation_id, message.message_id) if message else (source.id,)
    return ref, said, source.normal if source.traits.many else None


def _session(ref: KeyRef, source: Source) -> tuple[KeyRef, str | None]:
    """What is shown once: a key in a session."""
    return ref, source.observed.session if source.observed else None


def _stated_by(messages: Sequence[MessageRef]) -> _Test:
    wanted = {(message.conversation_id, message.message_id) for message in messages}
    return lambda _, source: (
        source.message is not None and (source.message.conversation_id, source.message.message_id) in wanted
    )


def _shared_by(user_id: str) -> _Test:
    author = Actor(ActorType.PERSON, user_id)
    return lambda ref, source: source.author == author and not isinstance(ref.subject, UserSubject)


def _reassigned(table: dict[UUID, tuple[KeyRef, _Entry]], user_id: str, heir: str) -> dict[UUID, tuple[KeyRef, _Entry]]:
    """The table with the first one's entries about themself as the heir's."""
    author, inherited = Actor(ActorType.PERSON, user_id), Actor(ActorType.PERSON, heir)
    moved = dict(table)
    for place, (ref, entry) in table.items():
        if ref.subject == UserSubject(user_id):
            said = replace(entry, author=inherited) if entry.author == author else entry
            moved[place] = replace(ref, subject=UserSubject(heir)), said
    return moved
