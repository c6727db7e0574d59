"""The fold's rules, one small story each: entries in, rows out."""

from uuid import UUID

import pytest

from app.domain.sources import Audience, Trust, Verdict
from tests.unit.memories import Say, changed, corrected, day, decided, folded, live, said, told, wrote


def test_the_same_value_again_confirms_and_makes_no_row() -> None:
    [row] = folded(said(1, "60 €", 0), said(2, "60 €", 5), said(3, "60 €", 9))

    assert row.confirmation_count == 3
    assert row.traits.confidence == pytest.approx(0.8)
    assert (row.id, row.content, row.valid_from) == (UUID(int=1), "60 €, says 1", day(0))
    assert row.last_reinforced_at == day(9)


def test_confidence_stops_at_one() -> None:
    [row] = folded(*(said(number, "60 €", number, confidence=0.95) for number in range(1, 5)))

    assert row.traits.confidence == 1.0


@pytest.mark.parametrize(
    ("newer", "expected"),
    [
        (1, [("60 €", 2, "contradicted"), ("80 €", 1, "contradicted")]),
        (2, [("60 €", 2, "contradicted"), ("80 €", 2, "contradicted")]),
        (3, [("60 €", 2, "superseded"), ("80 €", 3, "live")]),
    ],
)
def test_a_contradiction_stays_open_until_the_newer_has_three_confirmations(
    newer: int, expected: list[tuple[str, int, str]]
) -> None:
    rows = folded(
        said(1, "60 €", 0), said(2, "60 €", 1), *(said(number, "80 €", number) for number in range(3, 3 + newer))
    )

    assert told(rows) == expected


def test_the_third_confirmation_ends_the_older_when_the_newer_began() -> None:
    older, newer = folded(said(1, "60 €", 0), *(said(number, "80 €", number) for number in (2, 3, 4)))

    assert (older.superseded_by, older.archived_at, older.valid_to) == (newer.id, day(4), day(2))


def test_each_newer_live_rival_halves_the_score() -> None:
    first, second, third = folded(said(1, "60 €", 0), said(2, "80 €", 0), said(3, "90 €", 0))

    assert [row.newer_rivals for row in (first, second, third)] == [2, 1, 0]
    assert [row.score(day(0)) for row in (first, second, third)] == pytest.approx([0.15, 0.3, 0.6])


@pytest.mark.parametrize("replacing", [changed, corrected])
def test_an_update_and_a_correction_supersede_at_once(replacing: Say) -> None:
    rows = folded(said(1, "60 €", 0), said(2, "60 €", 1), said(3, "60 €", 2), replacing(4, "80 €", 3))

    assert told(rows) == [("60 €", 3, "superseded"), ("80 €", 1, "live")]
    assert rows[0].valid_to == rows[1].valid_from == day(3)


def test_a_correction_says_so_and_counts_for_more() -> None:
    row = folded(said(1, "60 €", 0), corrected(2, "80 €", 1))[-1]

    assert row.corrected
    assert row.traits.confidence == 0.95


def test_a_correction_that_repeats_our_value_confirms_it() -> None:
    [row] = folded(said(1, "60 €", 0), corrected(2, "60 €", 1))

    assert (row.confirmation_count, row.traits.confidence, row.corrected) == (2, 0.95, False)


def test_an_update_that_repeats_a_contested_value_settles_for_it() -> None:
    rows = folded(said(1, "60 €", 0), said(2, "80 €", 1), changed(3, "80 €", 2))

    assert told(rows) == [("60 €", 1, "superseded"), ("80 €", 2, "live")]


def test_an_update_since_a_day_before_the_older_leaves_the_older_never_valid() -> None:
    older, _ = folded(said(1, "60 €", 5), changed(2, "80 €", 6, since=3))

    assert older.valid_to is not None
    assert older.valid_to <= older.valid_from


@pytest.mark.parametrize("chat", [said, changed, corrected])
def test_chat_of_any_kind_only_contradicts_what_was_written_by_hand(chat: Say) -> None:
    rows = folded(wrote(1, "60 €", 0), chat(2, "80 €", 1), chat(3, "80 €", 2), chat(4, "80 €", 3))

    assert told(rows) == [("60 €", 1, "contradicted"), ("80 €", 3, "contradicted")]


def test_a_hand_written_value_supersedes_at_once_by_hand_or_not() -> None:
    rows = folded(said(1, "60 €", 0), wrote(2, "70 €", 1), wrote(3, "80 €", 2))

    assert told(rows) == [("60 €", 1, "superseded"), ("70 €", 1, "superseded"), ("80 €", 1, "live")]


def test_a_confirmation_by_hand_shields_a_value_said_in_chat() -> None:
    rows = folded(said(1, "60 €", 0), wrote(2, "60 €", 1), changed(3, "80 €", 2))

    assert live(rows) == ["60 €", "80 €"]


def test_a_value_said_again_after_a_rival_takes_over_its_confirmations() -> None:
    rows = folded(said(1, "60 €", 0), said(2, "60 €", 1), said(3, "80 €", 2), said(4, "60 €", 3))

    assert told(rows) == [("60 €", 2, "superseded"), ("80 €", 1, "superseded"), ("60 €", 3, "live")]
    assert rows[0].superseded_by == rows[1].superseded_by == rows[2].id == UUID(int=4)


def test_a_value_said_again_keeps_what_people_made_of_it() -> None:
    rows = folded(
        wrote(1, "60 €", 0, trust=Trust.ADMIN),
        decided(Verdict.PIN, 1, 1),
        decided(Verdict.AMEND, 1, 1.5, audience="everyone", tags=["legal"]),
        said(2, "80 €", 2),
        said(3, "60 €", 3),
        changed(4, "90 €", 4),
    )
    again = next(row for row in rows if row.live and row.value == "60 €")

    assert (again.pinned, again.by_hand, again.trust) == (True, True, Trust.ADMIN)
    assert (again.traits.audience, again.traits.tags) == (Audience.EVERYONE, ("legal",))
    assert live(rows) == ["60 €", "90 €"]


def test_what_was_put_out_comes_back_without_pin_or_shield() -> None:
    rows = folded(wrote(1, "60 €", 0), decided(Verdict.PIN, 1, 1), wrote(2, "80 €", 2), said(3, "60 €", 3))

    assert told(rows) == [("60 €", 1, "superseded"), ("80 €", 1, "contradicted"), ("60 €", 2, "contradicted")]
    assert (rows[2].pinned, rows[2].by_hand) == (False, False)


def test_a_late_source_is_folded_at_its_own_time() -> None:
    late = said(3, "60 €", 0, recorded=9)
    rows = folded(said(1, "60 €", 1), changed(2, "80 €", 2), late)

    assert told(rows) == [("60 €", 2, "superseded"), ("80 €", 1, "live")]
    assert (rows[0].id, rows[0].content, rows[0].valid_from) == (UUID(int=1), "60 €, says 3", day(0))
    assert rows[0].last_reinforced_at == day(1)


def test_a_late_rival_splits_a_row_whose_name_stays_with_its_first_source() -> None:
    early, again = said(1, "60 €", 0), said(2, "60 €", 4)

    assert [row.id for row in folded(early, again)] == [UUID(int=1)]
    rows = folded(early, again, said(3, "80 €", 2, recorded=9))
    assert [(row.id.int, row.live) for row in rows] == [(1, False), (3, True), (2, True)]


def test_a_key_that_holds_many_keeps_its_values_side_by_side() -> None:
    rows = folded(said(1, "Duval", 0), said(2, "Perrot", 1, many=True), said(3, "duval", 2), changed(4, "Blanc", 3))

    assert told(rows) == [("Duval", 2, "live"), ("Perrot", 1, "live"), ("Blanc", 1, "live")]
    assert all(row.traits.many and not row.newer_rivals for row in rows)


def test_a_correction_of_many_puts_out_the_row_that_it_names() -> None:
    rows = folded(said(1, "Duval", 0, many=True), said(2, "Perot", 1), corrected(3, "Perrot", 2, replaces=2))

    assert told(rows) == [("Duval", 1, "live"), ("Perot", 1, "superseded"), ("Perrot", 1, "live")]
