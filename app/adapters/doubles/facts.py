"""Facts in memory."""

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import datetime
from uuid import UUID

from app.adapters.doubles.paging import page_of
from app.adapters.doubles.state import State
from app.domain.decay import Tier
from app.domain.events import Change
from app.domain.facts import Fact
from app.domain.subjects import KeyRef, Scope, StoreSubject, Subject, UserSubject
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

    async def get(self, scope: Scope, fact_id: UUID) -> FactRecord | None:
        return self._state.facts.get((scope, fact_id))

    async def page(self, wanted: FactFilter, request: PageRequest) -> Page[FactRecord]:
        return page_of(self._chosen(wanted), lambda kept: (kept.fact.id,), request, newest_first=True)

    async def candidates(self, subjects: Sequence[Subject], agents: Sequence[str], limit: int) -> list[Fact]:
        found: dict[UUID, Fact] = {}
        for subject in subjects:
            live = [fact for fact in self._live(subject) if fact.ref.agent_id in agents]
            chosen = [fact for fact in live if fact.pinned]
            for tier in Tier:
                chosen += _strongest([fact for fact in live if fact.traits.tier is tier], limit)
            found |= {fact.id: fact for fact in chosen}
        return list(found.values())

    async def among(self, fact_ids: Sequence[UUID], subjects: Sequence[Subject]) -> list[Fact]:
        return [fact for subject in subjects for fact in self._live(subject) if fact.id in fact_ids]

    async def apply(self, changed: Sequence[Change], now: datetime) -> None:
        for change in changed:
            fact, place = change.after, (change.row.ref.subject.scope, change.row.id)
            kept = self._state.facts.get(place)
            if fact is None:
                self._state.facts.pop(place, None)
            elif change.before is None:
                self._state.require_subject(fact.ref.subject)
                self._state.require_new(kept is not None)
                self._state.facts[place] = FactRecord(fact, now, 1)
            elif kept is not None:
                self._state.facts[place] = FactRecord(fact, now, kept.version + 1)

    async def everything(self, wanted: FactFilter) -> AsyncIterator[FactRecord]:
        for kept in sorted(self._chosen(wanted), key=lambda kept: kept.fact.id):
            yield kept

    def _live(self, subject: Subject) -> list[Fact]:
        rows = [kept.fact for kept in self._state.facts.values()]
        return [fact for fact in rows if fact.live and fact.ref.subject == subject]

    def _chosen(self, wanted: FactFilter) -> Iterator[FactRecord]:
        for (scope, _), kept in self._state.facts.items():
            if scope is wanted.scope and self._reached(kept.fact, wanted) and _meets(kept.fact, wanted):
                yield kept

    def _reached(self, fact: Fact, wanted: FactFilter) -> bool:
        """Within the limits of whoever asks."""
        subject = fact.ref.subject
        if wanted.subject not in (None, subject):
            return False
        if wanted.agents is not None and fact.ref.agent_id not in {*wanted.agents, ATLAS}:
            return False
        if wanted.stores is not None and isinstance(subject, StoreSubject) and subject.store_id not in wanted.stores:
            return False
        if wanted.contacts_only and isinstance(subject, UserSubject):
            return self._state.people[subject.user_id].role is None
        return True


def _meets(fact: Fact, wanted: FactFilter) -> bool:
    """What was asked for."""
    asked = (
        (wanted.archived, not fact.live),
        (wanted.category, fact.traits.category),
        (wanted.agent_id, fact.ref.agent_id),
        (wanted.pinned, fact.pinned),
        (wanted.contradicted, fact.contradicted),
        (wanted.audience, fact.traits.audience),
    )
    return (
        all(value is None or value == held for value, held in asked)
        and (wanted.tag is None or wanted.tag in fact.traits.tags)
        and fact.ref.key.startswith(wanted.key_prefix or "")
        and (wanted.text or "").lower() in fact.content.lower()
        and (wanted.min_score is None or fact.score(wanted.now) >= wanted.min_score)
    )


def _strongest(facts: list[Fact], limit: int) -> list[Fact]:
    """Those of the highest rank; see `Facts.candidates` for rows with a half-life of their own."""
    return sorted(facts, key=lambda fact: fact.rank, reverse=True)[:limit]
