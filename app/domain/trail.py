"""What one transaction tells of rows: of each, the first state and the last make one event, whatever lay between."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from app.domain.events import Change, EventKind, MemoryEvent, events_of
from app.domain.tenancy import Actor


@dataclass(frozen=True, slots=True)
class Teller:
    """Who changed rows, when and why; `gone` is what befell those that are no longer there."""

    actor: Actor
    now: datetime
    reason: str | None = None
    gone: EventKind = EventKind.DELETED


class Trail:
    """The changes of a transaction that have yet to be told."""

    def __init__(self) -> None:
        self._told: dict[UUID, tuple[Change, Teller]] = {}
        self._silent: set[UUID] = set()

    def tell(self, changed: Iterable[Change], teller: Teller) -> None:
        """Another step of these rows; the last one who tells of a row is who changed it."""
        for change in changed:
            before = self._told.pop(change.row.id, (change, teller))[0].before
            self._told[change.row.id] = Change(before, change.after), teller

    def silence(self, fact_ids: Iterable[UUID]) -> None:
        """Of these rows it is told that they changed, without words."""
        self._silent.update(fact_ids)

    def take(self) -> tuple[list[MemoryEvent], list[UUID]]:
        """One event for each row that is another than it was, and the rows that are gone; then nothing waits.

        Of what is gone no words are told.
        """
        told, silent = list(self._told.values()), self._silent
        self.clear()
        moved = [(change, teller) for change, teller in told if change.before != change.after]
        gone = [change.row.id for change, _ in moved if change.after is None]
        events = [event for change, teller in moved for event in _event(change, teller)]
        return [_wordless(event) if event.fact_id in {*gone, *silent} else event for event in events], gone

    def clear(self) -> None:
        """Nothing waits any more: what would have been told was undone."""
        self._told, self._silent = {}, set()


def _event(change: Change, teller: Teller) -> Sequence[MemoryEvent]:
    return list(events_of([change], teller.actor, teller.now, teller.reason, teller.gone))


def _wordless(event: MemoryEvent) -> MemoryEvent:
    return replace(event, values=None)
