"""What a transaction tells of rows: one event for each that is another at its end."""

from dataclasses import replace

from app.domain.events import Change, EventKind, MemoryEvent
from app.domain.trail import Teller, Trail
from tests.unit.memories import ALICE, day, fact

ROW = fact(1)
MORE = replace(ROW, confirmation_count=ROW.confirmation_count + 1)
PINNED = replace(MORE, pinned=True)
TELLER = Teller(ALICE, day(9), "why")


def told(*changes: Change, silent: bool = False) -> tuple[list[tuple[EventKind, bool]], int]:
    """The kinds of events with whether they have words, and how many rows are gone."""
    trail = Trail()
    for change in changes:
        trail.tell([change], TELLER)
    if silent:
        trail.silence([ROW.id])
    events, gone = trail.take()
    assert trail.take() == ([], [])
    return [(event.kind, event.values is not None) for event in events], len(gone)


def test_the_first_state_and_the_last_make_the_event() -> None:
    assert told(Change(ROW, MORE), Change(MORE, PINNED)) == ([(EventKind.PINNED, True)], 0)
    assert told(Change(None, ROW), Change(ROW, MORE)) == ([(EventKind.CREATED, True)], 0)
    assert told(Change(ROW, MORE), Change(MORE, None)) == ([(EventKind.DELETED, False)], 1)


def test_there_and_back_is_no_change() -> None:
    assert told(Change(ROW, MORE), Change(MORE, ROW)) == ([], 0)
    assert told(Change(None, ROW), Change(ROW, None)) == ([], 0)
    assert told(Change(ROW, None), Change(None, MORE)) == ([(EventKind.CONFIRMED, True)], 0)


def test_what_is_silenced_is_told_without_words() -> None:
    assert told(Change(ROW, MORE), silent=True) == ([(EventKind.CONFIRMED, False)], 0)


def test_the_last_teller_is_who_did_it() -> None:
    trail = Trail()
    trail.tell([Change(ROW, MORE)], TELLER)
    trail.tell([Change(MORE, None)], replace(TELLER, now=day(10), gone=EventKind.EXPIRED))
    [event], _ = trail.take()
    assert isinstance(event, MemoryEvent)
    assert (event.kind, event.created_at) == (EventKind.EXPIRED, day(10))


def test_what_was_undone_is_not_told() -> None:
    trail = Trail()
    trail.tell([Change(ROW, MORE)], TELLER)
    trail.clear()
    assert trail.take() == ([], [])
