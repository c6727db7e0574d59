"""Contradictions in memory."""

from collections.abc import Sequence
from uuid import UUID

from app.adapters.doubles.paging import page_of
from app.adapters.doubles.state import State
from app.domain.contradictions import Contradiction
from app.domain.subjects import KeyRef, StoreSubject, UserSubject, store_of, user_of
from app.domain.tenancy import ATLAS
from app.ports.contradictions import ContradictionFilter
from app.ports.paging import Page, PageRequest


class InMemoryContradictions:
    """The contradictions of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def save(self, ref: KeyRef, contradictions: Sequence[Contradiction]) -> None:
        if contradictions:
            self._state.require_subject(ref.subject)
        others = {place: kept for place, kept in self._state.contradictions.items() if kept.ref != ref}
        self._state.contradictions = others | {kept.id: kept for kept in contradictions}

    async def get(self, contradiction_id: UUID) -> Contradiction | None:
        return self._state.contradictions.get(contradiction_id)

    async def page(self, wanted: ContradictionFilter, request: PageRequest) -> Page[Contradiction]:
        found = [kept for kept in self._state.contradictions.values() if _chosen(kept, wanted)]
        reached = [kept for kept in found if self._reached(kept.ref, wanted)]
        return page_of(reached, lambda kept: (kept.opened_at, kept.id), request, newest_first=True)

    def _reached(self, ref: KeyRef, wanted: ContradictionFilter) -> bool:
        if isinstance(ref.subject, UserSubject):
            person = ref.subject.user_id
            looked_after = wanted.contacts and self._state.people[person].role is None
            if person != wanted.reader and not looked_after:
                return False
        if wanted.stores is not None and isinstance(ref.subject, StoreSubject):
            return ref.subject.store_id in wanted.stores and _in_pockets(ref, wanted)
        return _in_pockets(ref, wanted)


def _in_pockets(ref: KeyRef, wanted: ContradictionFilter) -> bool:
    return wanted.agents is None or ref.agent_id in {*wanted.agents, ATLAS}


def _chosen(kept: Contradiction, wanted: ContradictionFilter) -> bool:
    asked = (
        (wanted.standing, kept.standing),
        (wanted.scope, kept.ref.subject.scope),
        (wanted.store_id, store_of(kept.ref.subject)),
        (wanted.user_id, user_of(kept.ref.subject)),
        (wanted.key, kept.ref.key),
    )
    return all(value is None or value == held for value, held in asked)
