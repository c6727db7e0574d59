"""Contradictions of a key: when they open, and what settles them."""

from uuid import UUID

import pytest

from app.domain.contradictions import Contradiction, Standing
from app.domain.fold import folded as fold_whole
from app.domain.sources import Entry, Verdict
from tests.unit.memories import SHIPPING, changed, day, decided, folded, live, said, told, wrote


def opposed(*entries: Entry) -> list[tuple[int, int, Standing]]:
    """Each contradiction as (older row, newer row, standing)."""
    return [(pair.older.int, pair.newer.int, pair.standing) for pair in contradictions(*entries)]


def contradictions(*entries: Entry) -> list[Contradiction]:
    return fold_whole(SHIPPING, entries).contradictions


OPEN, SETTLED = Standing.OPEN, Standing.SETTLED
RIVALS = (said(1, "60 €", 0), said(2, "80 €", 1))
KEEP_OLDER, KEEP_NEWER = decided(Verdict.SETTLE, 1, 2), decided(Verdict.SETTLE, 2, 2)
BOTH = decided(Verdict.SETTLE, 1, 2, both=[str(UUID(int=1)), str(UUID(int=2))])


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ((said(1, "60 €", 0),), []),
        ((said(1, "60 €", 0), said(2, "60 €", 1)), []),
        (RIVALS, [(1, 2, OPEN)]),
        ((*RIVALS, said(3, "90 €", 2)), [(1, 2, OPEN), (2, 3, OPEN)]),
        ((said(1, "60 €", 0, many=True), said(2, "80 €", 1)), []),
        ((said(1, "60 €", 0), changed(2, "80 €", 1)), []),
        ((*RIVALS, said(3, "80 €", 2), said(4, "80 €", 3)), [(1, 2, SETTLED)]),
        ((*RIVALS, wrote(3, "90 €", 2)), [(1, 2, SETTLED)]),
        ((*RIVALS, decided(Verdict.ARCHIVE, 2, 2)), [(1, 2, SETTLED)]),
        ((*RIVALS, decided(Verdict.ARCHIVE, 2, 2), decided(Verdict.RESTORE, 2, 3)), [(1, 2, OPEN)]),
        (
            (*RIVALS, said(3, "90 €", 2), decided(Verdict.ARCHIVE, 2, 3)),
            [(1, 2, SETTLED), (2, 3, SETTLED), (1, 3, OPEN)],
        ),
        ((*RIVALS, KEEP_OLDER), [(1, 2, SETTLED)]),
        ((*RIVALS, BOTH), [(1, 2, SETTLED)]),
        ((*RIVALS, said(3, "90 €", 1.5), BOTH), [(1, 2, SETTLED), (2, 3, OPEN)]),
    ],
)
def test_what_stands_against_what(entries: tuple[Entry, ...], expected: list[tuple[int, int, Standing]]) -> None:
    assert opposed(*entries) == expected
    assert opposed(*reversed(entries)) == expected


def test_a_contradiction_keeps_its_id_and_its_times_through_all_that_comes_later() -> None:
    [opened] = contradictions(*RIVALS)
    [settled] = contradictions(*RIVALS, KEEP_NEWER)
    [later] = contradictions(*RIVALS, KEEP_NEWER, said(3, "80 €", 9))

    assert (opened.opened_at, opened.settled_at) == (day(1), None)
    assert (settled.id, settled.opened_at, settled.settled_at) == (opened.id, day(1), day(2))
    assert later == settled


@pytest.mark.parametrize(("decision", "kept", "lost"), [(KEEP_OLDER, "60 €", 1), (KEEP_NEWER, "80 €", 0)])
def test_the_kept_value_supersedes_its_rivals(decision: Entry, kept: str, lost: int) -> None:
    rows = sorted(folded(*RIVALS, decision), key=lambda row: row.id)

    assert live(rows) == [kept]
    assert rows[lost].superseded_by == rows[1 - lost].id
    assert rows[lost].archived_at == day(2)
    assert rows[lost].valid_to == rows[1 - lost].valid_from
    assert not any(row.contradicted or row.newer_rivals for row in rows)


def test_a_settlement_shields_the_kept_value_from_the_chat() -> None:
    rows = folded(*RIVALS, KEEP_OLDER, *(changed(number, "90 €", number) for number in range(3, 7)))

    assert live(rows) == ["60 €", "90 €"]
    assert live(folded(*RIVALS, KEEP_OLDER, wrote(3, "90 €", 3))) == ["90 €"]


def test_more_of_the_kept_value_confirms_its_row() -> None:
    rows = folded(*RIVALS, KEEP_OLDER, said(3, "60 €", 3))

    assert sorted(told(rows)) == [("60 €", 2, "live"), ("80 €", 1, "superseded")]


def test_a_late_rival_does_not_undo_a_settlement() -> None:
    rows = folded(*RIVALS, KEEP_OLDER, changed(3, "90 €", 1.5, recorded=9))

    assert live(rows) == ["60 €"]


def test_two_values_that_may_both_hold_neither_contradict_nor_halve_each_other() -> None:
    rows = folded(*RIVALS, BOTH)
    third = folded(*RIVALS, said(3, "90 €", 1.5), BOTH)

    assert told(rows) == [("60 €", 1, "live"), ("80 €", 1, "live")]
    assert [row.newer_rivals for row in rows] == [0, 0]
    assert [row.newer_rivals for row in third] == [1, 1, 0]
    assert all(row.contradicted for row in third)


@pytest.mark.parametrize("again", [[said(3, "80 €", 3), said(4, "80 €", 4)], [wrote(3, "80 €", 3)]])
def test_neither_of_two_values_that_may_both_hold_puts_the_other_out_by_being_said_again(again: list[Entry]) -> None:
    assert live(folded(*RIVALS, BOTH, *again)) == ["60 €", "80 €"]


def test_an_update_still_ends_what_it_replaces() -> None:
    assert live(folded(*RIVALS, BOTH, changed(3, "80 €", 3))) == ["80 €"]
    assert live(folded(*RIVALS, BOTH, wrote(3, "90 €", 3))) == ["90 €"]


def test_a_settlement_about_rows_that_are_gone_says_nothing() -> None:
    assert folded(said(2, "80 €", 1), KEEP_OLDER) == folded(said(2, "80 €", 1))
    assert folded(said(2, "80 €", 1), BOTH) == folded(said(2, "80 €", 1))
