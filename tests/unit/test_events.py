"""The audit trail told from the rows before and after."""

from uuid import UUID

import pytest

from app.domain.events import EventKind, EventValues, MemoryEvent, changes, event, events_of
from app.domain.facts import Fact
from app.domain.sources import Entry, Verdict
from tests.unit.memories import (
    ALICE,
    SHOP,
    changed,
    corrected,
    day,
    decided,
    edited,
    folded,
    said,
    wrote,
)


def trail(before: list[Entry], *more: Entry) -> list[MemoryEvent]:
    """The events that `more` makes after `before`."""
    return list(events_of(changes(folded(*before), folded(*before, *more)), ALICE, day(9), "why"))


def kinds(events: list[MemoryEvent]) -> list[tuple[str, int]]:
    return [(event.kind.value, event.fact_id.int if event.fact_id else 0) for event in events]


FIRST: list[Entry] = [said(1, "60 €", 0)]
CONTESTED: list[Entry] = [*FIRST, said(2, "80 €", 1)]
ARCHIVED: list[Entry] = [*FIRST, decided(Verdict.ARCHIVE, 1, 1)]


@pytest.mark.parametrize(
    ("before", "entry", "expected"),
    [
        ([], said(1, "60 €", 0), [("created", 1)]),
        ([], corrected(1, "60 €", 0), [("corrected", 1)]),
        (FIRST, said(2, "60 €", 1), [("confirmed", 1)]),
        (FIRST, said(2, "80 €", 1), [("contradicted", 2)]),
        (FIRST, changed(2, "80 €", 1), [("superseded", 1), ("updated", 2)]),
        (FIRST, corrected(2, "80 €", 1), [("superseded", 1), ("corrected", 2)]),
        (FIRST, wrote(2, "80 €", 1), [("superseded", 1), ("created", 2)]),
        (FIRST, edited(2, "80 €", 1, replaces=1), [("superseded", 1), ("edited", 2)]),
        (CONTESTED, said(3, "80 €", 2), [("confirmed", 2)]),
        (CONTESTED, said(3, "60 €", 2), [("superseded", 1), ("contradicted", 3)]),
        (CONTESTED, changed(3, "80 €", 2), [("superseded", 1), ("confirmed", 2)]),
        (FIRST, decided(Verdict.PIN, 1, 1), [("pinned", 1)]),
        ([*FIRST, decided(Verdict.PIN, 1, 1)], decided(Verdict.UNPIN, 1, 2), [("unpinned", 1)]),
        (FIRST, decided(Verdict.ARCHIVE, 1, 1), [("archived", 1)]),
        (ARCHIVED, decided(Verdict.RESTORE, 1, 2), [("restored", 1)]),
        (ARCHIVED, decided(Verdict.PIN, 1, 2), [("pinned", 1)]),
        (FIRST, decided(Verdict.AMEND, 1, 1, tags=["legal"]), [("edited", 1)]),
        (FIRST, decided(Verdict.UNPIN, 1, 1), []),
        (ARCHIVED, decided(Verdict.ARCHIVE, 1, 2), []),
    ],
)
def test_one_event_for_each_changed_row(before: list[Entry], entry: Entry, expected: list[tuple[str, int]]) -> None:
    assert kinds(trail(before, entry)) == expected


def test_the_third_confirmation_tells_of_both_rows() -> None:
    assert kinds(trail([*CONTESTED, said(3, "80 €", 2)], said(4, "80 €", 3))) == [("superseded", 1), ("confirmed", 2)]


def test_a_rival_whose_count_moves_alone_tells_nothing() -> None:
    before, after = folded(*FIRST), folded(*CONTESTED)

    assert [change.row.id.int for change in changes(before, after)] == [1, 2]
    assert kinds(list(events_of(changes(before, after), ALICE, day(9)))) == [("contradicted", 2)]


def test_rows_that_are_gone_come_first() -> None:
    gone = changes(folded(*CONTESTED), folded(said(3, "90 €", 2)))

    assert kinds(list(events_of(gone, ALICE, day(9)))) == [("deleted", 1), ("deleted", 2), ("created", 3)]
    assert gone[0].after is None
    assert gone[0].row.id == UUID(int=1)


def test_the_same_rows_tell_nothing() -> None:
    assert changes(folded(*CONTESTED), folded(*CONTESTED)) == []


def test_a_message_taken_back_is_told_as_a_change_of_the_row() -> None:
    events = list(events_of(changes(folded(*FIRST, said(2, "60 €", 1)), folded(*FIRST)), ALICE, day(9)))

    assert kinds(events) == [("edited", 1)]


def test_an_event_says_who_what_when_and_why() -> None:
    [told] = trail(FIRST, said(2, "60 €", 1))

    assert (told.actor, told.created_at, told.subject) == (ALICE, day(9), SHOP)
    assert told.values is not None
    assert told.values.reason == "why"
    assert _value(told.values, "confirmation_count") == (1, 2)
    assert _value(told.values, "content") == ("60 €, says 1", "60 €, says 1")


def _value(values: EventValues, name: str) -> tuple[object, object]:
    assert isinstance(values.old, dict)
    assert isinstance(values.new, dict)
    return values.old[name], values.new[name]


def test_a_birth_has_no_old_values_and_a_death_no_new_ones() -> None:
    [birth] = trail([], said(1, "60 €", 0))
    [death] = events_of(changes(folded(*FIRST), []), ALICE, day(9))

    assert birth.values is not None
    assert birth.values.old is None
    assert death.values is not None
    assert death.values.new is None


def test_equal_words_have_different_digests_in_different_events() -> None:
    one = event(EventKind.CREATED, ALICE, day(0), new="60 €")
    other = event(EventKind.CREATED, ALICE, day(0), new="60 €")
    assert one.values is not None
    assert other.values is not None

    assert one.id != other.id
    assert one.values.digest() != other.values.digest()
    assert one.values.digest() == one.values.digest()
    assert len(one.values.digest()) == 64


@pytest.mark.parametrize("row", [rows[0] for rows in (folded(*FIRST), folded(*CONTESTED))])
def test_an_event_keeps_no_word_outside_its_values(row: Fact) -> None:
    [told] = events_of(changes([], [row]), ALICE, day(9))

    assert row.content not in repr((told.id, told.kind, told.actor, told.created_at, told.subject, told.fact_id))
