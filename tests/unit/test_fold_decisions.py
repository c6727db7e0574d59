"""What people decide about rows, in the same fold as what was said."""

from uuid import UUID

import pytest

from app.domain.decay import Tier
from app.domain.sources import Audience, Source, Verdict
from tests.unit.memories import changed, day, decided, edited, folded, live, said, told, wrote


def test_an_edit_closes_the_row_and_opens_its_successor() -> None:
    old, new = folded(said(1, "60 €", 0), said(2, "60 €", 1), edited(3, "80 €", 2, replaces=1))

    assert (old.live, old.superseded_by, old.valid_to) == (False, UUID(int=3), day(2))
    assert (new.live, new.id, new.confirmation_count, new.by_hand) == (True, UUID(int=3), 1, True)


def test_an_edit_of_the_words_alone_is_a_successor_too_and_keeps_the_pin() -> None:
    old, new = folded(said(1, "60 €", 0), decided(Verdict.PIN, 1, 1), edited(2, "60 €", 2, replaces=1))

    assert (old.live, new.live, new.pinned, new.content) == (False, True, True, "60 €, says 2")


def test_an_edit_into_a_value_that_stands_already_leaves_one_row_of_it() -> None:
    contested = folded(said(1, "60 €", 0), said(2, "80 €", 1), edited(3, "80 €", 2, replaces=1))
    many = folded(said(1, "Duval", 0, many=True), said(2, "Perrot", 1), edited(3, "Perrot", 2, replaces=1))

    assert [row.id.int for row in contested if row.live] == [3]
    assert [row.id.int for row in many if row.live] == [3]


def test_an_edit_of_one_of_many_leaves_the_others() -> None:
    rows = folded(said(1, "Duval", 0, many=True), said(2, "Perot", 1), edited(3, "Perrot", 2, replaces=2))

    assert live(rows) == ["Duval", "Perrot"]


def test_a_late_source_does_not_undo_an_edit() -> None:
    rows = folded(said(1, "60 €", 0), edited(2, "80 €", 5, replaces=1), said(3, "60 €", 3, recorded=9))

    assert told(rows) == [("60 €", 2, "superseded"), ("80 €", 1, "live")]


def test_pin_and_unpin() -> None:
    assert folded(said(1, "60 €", 0), decided(Verdict.PIN, 1, 1))[0].pinned
    assert not folded(said(1, "60 €", 0), decided(Verdict.PIN, 1, 1), decided(Verdict.UNPIN, 1, 2))[0].pinned


@pytest.mark.parametrize("verdict", [Verdict.PIN, Verdict.RESTORE])
def test_pinning_and_restoring_bring_an_archived_row_back(verdict: Verdict) -> None:
    [archived] = folded(said(1, "60 €", 0), decided(Verdict.ARCHIVE, 1, 1))
    [back] = folded(said(1, "60 €", 0), decided(Verdict.ARCHIVE, 1, 1), decided(verdict, 1, 2))

    assert (archived.live, archived.archived_at, archived.superseded_by) == (False, day(1), None)
    assert (back.live, back.valid_to) == (True, None)


def test_restoring_a_superseded_row_opens_the_contradiction_again() -> None:
    rows = folded(said(1, "60 €", 0), changed(2, "80 €", 1), decided(Verdict.RESTORE, 1, 2))

    assert told(rows) == [("60 €", 1, "contradicted"), ("80 €", 1, "contradicted")]


def test_an_archived_value_that_is_said_again_is_a_new_row() -> None:
    rows = folded(said(1, "60 €", 0), decided(Verdict.ARCHIVE, 1, 1), said(2, "60 €", 2))

    assert told(rows) == [("60 €", 1, "archived"), ("60 €", 2, "live")]


def test_an_amendment_changes_the_row_in_place() -> None:
    [row] = folded(
        said(1, "60 €", 0),
        decided(Verdict.AMEND, 1, 1, tier="identity", tags=["legal"], confidence=0.9, audience="everyone"),
    )

    assert (row.id, row.confirmation_count) == (UUID(int=1), 1)
    assert (row.traits.tier, row.traits.tags, row.traits.confidence) == (Tier.IDENTITY, ("legal",), 0.9)
    assert row.traits.audience is Audience.EVERYONE


def test_an_amendment_to_many_holds_for_the_whole_key() -> None:
    rows = folded(said(1, "Duval", 0), said(2, "Perrot", 1), decided(Verdict.AMEND, 2, 2, many=True))

    assert told(rows) == [("Duval", 1, "live"), ("Perrot", 1, "live")]
    assert all(row.traits.many for row in rows)


def test_an_end_closes_what_a_deleted_row_had_replaced() -> None:
    [row] = folded(said(1, "60 €", 0), decided(Verdict.END, 1, 2))
    again = folded(said(1, "60 €", 0), decided(Verdict.END, 1, 2), said(3, "60 €", 4))

    assert (row.live, row.archived_at, row.valid_to) == (False, day(2), day(2))
    assert live(again) == ["60 €"]


def test_a_decision_about_a_row_that_is_gone_says_nothing() -> None:
    assert folded(said(1, "60 €", 0), decided(Verdict.ARCHIVE, 7, 1)) == folded(said(1, "60 €", 0))
    assert folded(decided(Verdict.PIN, 1, 1)) == []


@pytest.mark.parametrize("late", [said(3, "80 €", 2, recorded=9), changed(3, "80 €", 2, recorded=9)])
def test_a_late_rival_does_not_undo_what_was_decided_about_the_value(late: Source) -> None:
    told_twice = (said(1, "60 €", 0), said(2, "60 €", 4))
    pinned = folded(*told_twice, decided(Verdict.PIN, 1, 5), late)
    archived = folded(*told_twice, decided(Verdict.ARCHIVE, 1, 5), late)
    tagged = folded(*told_twice, decided(Verdict.AMEND, 1, 5, tags=["legal"]), late)

    assert [(row.value, row.pinned) for row in pinned if row.live and row.value == "60 €"] == [("60 €", True)]
    assert "60 €" not in live(archived)
    assert [row.traits.tags for row in tagged if row.live and row.value == "60 €"] == [("legal",)]


def test_a_hand_written_rival_puts_out_even_a_pinned_row() -> None:
    rows = folded(said(1, "60 €", 0), decided(Verdict.PIN, 1, 1), wrote(2, "80 €", 2))

    assert live(rows) == ["80 €"]
