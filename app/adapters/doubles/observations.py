"""Observations in memory."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from app.adapters.doubles.paging import page_of
from app.adapters.doubles.state import State
from app.domain.identifiers import first_uuid7
from app.domain.observations import ErrorFamily, Failures, Observation
from app.domain.sources import MessageRef
from app.domain.tenancy import ATLAS
from app.ports.observations import ObservationFilter
from app.ports.paging import Page, PageRequest


class InMemoryObservations:
    """The observations of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, observations: Sequence[Observation]) -> frozenset[UUID]:
        new = {one.id: one for one in observations if one.id not in self._state.observations}
        for one in new.values():
            self._state.require(user_id=one.user_id, store_id=one.store_id)
        self._state.observations |= new
        return frozenset(new)

    async def page(self, wanted: ObservationFilter, request: PageRequest) -> Page[Observation]:
        chosen = [one for one in self._state.observations.values() if _meets(one, wanted) and _reached(one, wanted)]
        return page_of(chosen, lambda one: (one.id,), request, newest_first=True)

    async def take_unconsolidated(self, user_id: str, limit: int) -> list[Observation]:
        return [one for one in self._open() if one.user_id == user_id][:limit]

    async def mark_consolidated(self, observation_ids: Sequence[UUID], now: datetime) -> int:
        taken = [one for one in self._open() if one.id in observation_ids]
        self._state.observations |= {one.id: replace(one, consolidated_at=now) for one in taken}
        return len(taken)

    async def people_with_unconsolidated(
        self, limit: int, after: str | None = None, store_id: str | None = None
    ) -> list[str]:
        there = [one for one in self._open() if store_id in (None, one.store_id)]
        return sorted({one.user_id for one in there if one.user_id > (after or "")})[:limit]

    async def failures(self, user_id: str, since: datetime) -> list[Failures]:
        latest: dict[tuple[str, str, ErrorFamily, str], datetime] = {}
        for one in self._state.observations.values():
            if one.user_id == user_id and one.occurred_at >= since and (family := one.error_family) is not None:
                alike = one.agent_id, str(one.metadata["toolName"]), family, one.session
                latest[alike] = max(one.occurred_at, latest.get(alike, one.occurred_at))
        return [Failures(*alike, last) for alike, last in latest.items()]

    async def reassign(self, user_id: str, heir: str, store_id: str | None) -> None:
        for place, one in self._state.observations.items():
            if one.user_id == user_id:
                self._state.require(user_id=heir, store_id=store_id)
                self._state.observations[place] = replace(one, user_id=heir, store_id=one.store_id or store_id)

    async def get(self, observation_ids: Sequence[UUID]) -> list[Observation]:
        return [one for place, one in sorted(self._state.observations.items()) if place in observation_ids]

    async def delete(self, observation_ids: Sequence[UUID]) -> int:
        return self._delete(lambda one: one.id in observation_ids)

    async def found_in(self, messages: Sequence[MessageRef]) -> list[Observation]:
        wanted = {(message.conversation_id, message.message_id) for message in messages}
        kept = [one for _, one in sorted(self._state.observations.items())]
        return [one for one in kept if one.message and (one.message.conversation_id, one.message.message_id) in wanted]

    async def delete_found_in(self, messages: Sequence[MessageRef]) -> int:
        gone = {one.id for one in await self.found_in(messages)}
        return self._delete(lambda one: one.id in gone)

    async def forget_before(self, instant: datetime) -> int:
        return self._delete(lambda one: one.id < first_uuid7(instant))

    async def everything(self, user_id: str | None) -> AsyncIterator[Observation]:
        for _, one in sorted(self._state.observations.items()):
            if user_id in (None, one.user_id):
                yield one

    def _open(self) -> list[Observation]:
        kept = sorted(self._state.observations.items())
        return [one for _, one in kept if one.consolidated_at is None]

    def _delete(self, which: Callable[[Observation], bool]) -> int:
        before = len(self._state.observations)
        kept = self._state.observations.items()
        self._state.observations = {place: one for place, one in kept if not which(one)}
        return before - len(self._state.observations)


def _reached(one: Observation, wanted: ObservationFilter) -> bool:
    """Within the limits of a key, and within its time."""
    if wanted.recorded_since is not None and one.id < first_uuid7(wanted.recorded_since):
        return False
    if wanted.agents is not None and one.agent_id not in {*wanted.agents, ATLAS}:
        return False
    return wanted.stores is None or one.store_id is None or one.store_id in wanted.stores


def _meets(one: Observation, wanted: ObservationFilter) -> bool:
    """What was asked for."""
    return (
        one.user_id == wanted.user_id
        and wanted.type in (None, one.type)
        and wanted.agent_id in (None, one.agent_id)
        and wanted.session_id in (None, one.session)
        and (wanted.tag is None or wanted.tag in one.tags)
        and (wanted.since is None or one.occurred_at >= wanted.since)
        and (wanted.until is None or one.occurred_at < wanted.until)
    )
