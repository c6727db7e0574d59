"""Facts in memory."""

from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from app.adapters.doubles.paging import page_of
from app.adapters.doubles.state import State
from app.domain.candidates import shown, stated
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.observations import FactCategory
from app.domain.subjects import KeyRef, Scope, StoreSubject, Subject, UserSubject, user_of
from app.domain.tenancy import ATLAS
from app.ports.facts import FactFilter, FactRecord
from app.ports.paging import Page, PageRequest


class InMemoryFacts:
    """The facts of one organisation. Its transactions follow each other, so that a key needs no lock of its own."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def lock(self, refs: Sequence[KeyRef]) -> None:
        """Held already."""

    async def of_key(self, ref: KeyRef) -> list[Fact]:
        rows = [kept.fact for kept in self._state.facts.values() if kept.fact.ref == ref]
        return sorted(rows, key=lambda fact: (fact.created_at, fact.id))

    async def of_keys(self, refs: Sequence[KeyRef]) -> list[Fact]:
        return [fact for ref in dict.fromkeys(refs) for fact in await self.of_key(ref)]

    async def get(self, scope: Scope, fact_id: UUID) -> FactRecord | None:
        return self._state.facts.get((scope, fact_id))

    async def records(self, scope: Scope, fact_ids: Sequence[UUID]) -> list[FactRecord]:
        return [kept for (where, place), kept in self._state.facts.items() if where is scope and place in fact_ids]

    async def merged_into(self, scope: Scope, fact_ids: Sequence[UUID]) -> list[Fact]:
        rows = sorted((place, kept.fact) for (where, place), kept in self._state.facts.items() if where is scope)
        return [fact for _, fact in rows if fact.merged_into in fact_ids]

    async def page(self, wanted: FactFilter, request: PageRequest) -> Page[FactRecord]:
        return page_of(self._chosen(wanted), lambda kept: (kept.fact.id,), request, newest_first=True)

    async def candidates(self, subjects: Sequence[Subject], agents: Sequence[str], limit: int) -> list[Fact]:
        return [fact for subject in subjects for fact in stated(self._live(subject), agents, limit)]

    async def across(self, subjects: Sequence[Subject], agents: Sequence[str], keys: Collection[str]) -> list[Fact]:
        places = {(subject, agent_id) for subject in subjects for agent_id in agents}
        rows = [kept.fact for kept in self._state.facts.values()]
        return [fact for fact in rows if (fact.ref.subject, fact.ref.agent_id) in places and fact.ref.key in keys]

    async def behaviour(
        self, user_id: str, agents: Sequence[str], limit: int, categories: Sequence[FactCategory] = tuple(FactCategory)
    ) -> list[FactRecord]:
        chosen = shown(self._live(UserSubject(user_id)), agents, limit, categories)
        return [self._state.facts[Scope.USER, fact.id] for fact in chosen]

    async def faded_behaviour(self, user_id: str, now: datetime, limit: int) -> list[Fact]:
        rows = [kept.fact for kept in self._state.facts.values() if kept.fact.ref.subject == UserSubject(user_id)]
        gone = sorted((fact.fades_at, fact.id, fact) for fact in rows if fact.fades_at and has_faded(fact, now))
        return [fact for _, _, fact in gone[:limit]]

    async def people_with_faded_behaviour(self, now: datetime, limit: int, after: str | None = None) -> list[str]:
        gone = [kept.fact for kept in self._state.facts.values() if has_faded(kept.fact, now)]
        people = {user_of(fact.ref.subject) or "" for fact in gone}
        return sorted(person for person in people if person > (after or ""))[:limit]

    async def among(self, fact_ids: Sequence[UUID], subjects: Sequence[Subject]) -> list[Fact]:
        return [fact for subject in subjects for fact in self._live(subject) if fact.id in fact_ids]

    async def apply(self, changed: Sequence[Change], now: datetime) -> None:
        for change in changed:
            fact, place = change.after, (change.row.ref.subject.scope, change.row.id)
            kept = self._state.facts.get(place)
            if fact is None:
                self._state.facts.pop(place, None)
                for row in await self.merged_into(place[0], [place[1]]):
                    self._keep(replace(self._state.facts[place[0], row.id], fact=replace(row, merged_into=None)))
            elif change.before is None:
                self._state.require_subject(fact.ref.subject)
                self._state.require_new(kept is not None)
                self._state.facts[place] = FactRecord(fact, now, 1)
            elif kept is not None:
                self._keep(FactRecord(fact, now, kept.version + 1, kept.last_seen_at))

    async def stamp(self, records: Sequence[FactRecord]) -> None:
        for record in records:
            place = record.fact.ref.subject.scope, record.fact.id
            self._state.facts[place] = replace(record, fact=self._state.facts[place].fact)
            compared = self._state.compared - {record.fact.id}
            self._state.compared = compared | {record.fact.id} if record.compared_at else compared

    async def everything(self, wanted: FactFilter) -> AsyncIterator[FactRecord]:
        for kept in sorted(self._chosen(wanted), key=lambda kept: kept.fact.id):
            yield kept

    def _keep(self, record: FactRecord) -> None:
        self._state.facts[record.fact.ref.subject.scope, record.fact.id] = record

    def _live(self, subject: Subject) -> list[Fact]:
        rows = [kept.fact for kept in self._state.facts.values()]
        return [fact for fact in rows if fact.live and fact.ref.subject == subject]

    def _chosen(self, wanted: FactFilter) -> Iterator[FactRecord]:
        for (scope, _), kept in self._state.facts.items():
            if scope is wanted.scope and reached(self._state, kept.fact.ref, wanted) and wanted.admits(kept.fact):
                yield kept


def reached(state: State, ref: KeyRef, wanted: FactFilter) -> bool:
    """Whether the key lies within the limits of whoever asks."""
    subject = ref.subject
    if wanted.subject not in (None, subject):
        return False
    if wanted.agents is not None and ref.agent_id not in {*wanted.agents, ATLAS}:
        return False
    if wanted.stores is not None and isinstance(subject, StoreSubject) and subject.store_id not in wanted.stores:
        return False
    if wanted.contacts_only and isinstance(subject, UserSubject):
        return state.people[subject.user_id].role is None
    return True


def has_faded(fact: Fact, now: datetime) -> bool:
    """Whether this is behaviour under its line."""
    return fact.behaviour is not None and fact.fades_at is not None and fact.fades_at <= now
