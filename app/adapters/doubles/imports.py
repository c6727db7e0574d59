"""What waits to be imported, in memory."""

from collections.abc import Callable, Collection, Sequence
from uuid import UUID

from app.adapters.doubles.state import State
from app.domain.imports import Staged


class InMemoryImports:
    """The records that wait, of one organisation."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, job_id: UUID, records: Sequence[Staged]) -> None:
        for record in records:
            self._state.require_new((job_id, record.seq) in self._state.staged)
            self._state.staged[job_id, record.seq] = record

    async def next(self, job_id: UUID, limit: int, after: Staged | None = None) -> list[Staged]:
        waiting = sorted((one for one in self._of(job_id) if after is None or _order(one) > _order(after)), key=_order)
        if not waiting:
            return []
        first = [one for one in waiting if one.step is waiting[0].step]
        taken = first[:limit]
        return taken + [one for one in first[limit:] if one.place and one.place == taken[-1].place]

    async def at(self, job_id: UUID, places: Collection[str]) -> list[Staged]:
        return sorted((one for one in self._of(job_id) if one.place in places), key=_order)

    async def remove(self, job_id: UUID, numbers: Collection[int]) -> None:
        self._forget(lambda job, one: job == job_id and one.seq in numbers)

    async def forget_person(self, user_id: str, job_id: UUID | None = None) -> int:
        return self._forget(lambda job, one: job_id in (None, job) and user_id in (one.user_id, one.author_id))

    def _of(self, job_id: UUID) -> list[Staged]:
        return [one for (job, _), one in self._state.staged.items() if job == job_id]

    def _forget(self, which: Callable[[UUID, Staged], bool]) -> int:
        before = len(self._state.staged)
        kept = {(job, seq): one for (job, seq), one in self._state.staged.items() if not which(job, one)}
        self._state.staged = kept
        return before - len(kept)


def _order(one: Staged) -> tuple[int, str, int]:
    return one.step, one.place, one.seq
