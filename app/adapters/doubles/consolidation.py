"""Consolidation of people in memory."""

from dataclasses import replace
from datetime import datetime

from app.adapters.doubles.facts import has_faded
from app.adapters.doubles.state import State
from app.domain.consolidation import Checkpoint
from app.domain.subjects import UserSubject
from app.ports.consolidation import Progress


class InMemoryConsolidations:
    """The consolidations of one organisation. Its transactions follow each other, so that holding a person is done."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def hold(self, user_id: str) -> None:
        """Held already."""

    async def progress(self, user_id: str, now: datetime) -> Progress:
        person, organisation = self._state.people.get(user_id), self._state.organisation
        if person is None or organisation is None:
            return Progress(remembered=False)
        waiting = [one for one in self._state.observations.values() if one.user_id == user_id]
        facts = [kept.fact for kept in self._state.facts.values() if kept.fact.ref.subject == UserSubject(user_id)]
        due = any(one.consolidated_at is None for one in waiting) or any(has_faded(fact, now) for fact in facts)
        remembered = person.remember and organisation.settings.enabled
        return Progress(remembered, due, self._state.checkpoints.get(user_id))

    async def save(self, user_id: str, checkpoint: Checkpoint) -> None:
        self._state.require(user_id=user_id)
        before = self._state.checkpoints.get(user_id)
        if before is not None:
            times = [at for at in (before.latest_at, checkpoint.latest_at) if at is not None]
            session_id = checkpoint.session_id or before.session_id
            checkpoint = replace(checkpoint, latest_at=max(times, default=None), session_id=session_id)
        self._state.checkpoints[user_id] = checkpoint
