"""What the worker archives for its age, and what brings it back."""

from uuid import UUID

from app.domain.decay import Tier
from app.domain.sources import Verdict
from tests.unit.memories import changed, day, decided, folded, live, said, told, wrote

OLD = said(1, "60 €", 0, tier=Tier.VOLATILE)
"""It fades on day 14 × log2(0.6 / 0.2) = 22.2."""
FADE = decided(Verdict.FADE, 1, 30)


def test_a_row_under_its_line_is_archived_and_was_never_wrong() -> None:
    [row] = folded(OLD, FADE)

    assert (row.live, row.archived_at, row.superseded_by, row.valid_to) == (False, day(30), None, None)


def test_a_row_over_its_line_stays() -> None:
    assert folded(OLD, decided(Verdict.FADE, 1, 22)) == folded(OLD)
    assert live(folded(OLD, decided(Verdict.PIN, 1, 1), FADE)) == ["60 €"]
    assert live(folded(said(1, "60 €", 0, tier=Tier.IDENTITY), FADE)) == ["60 €"]


def test_a_newer_rival_brings_the_line_nearer() -> None:
    rival = said(2, "80 €", 1)

    assert live(folded(OLD, rival, decided(Verdict.FADE, 1, 10))) == ["80 €"]
    assert live(folded(OLD, decided(Verdict.FADE, 1, 10))) == ["60 €"]


def test_a_late_source_that_had_strengthened_it_keeps_it() -> None:
    rows = folded(OLD, FADE, said(2, "60 €", 20, recorded=40))

    assert told(rows) == [("60 €", 2, "live")]


def test_a_late_source_that_does_not_keep_it_leaves_it_archived() -> None:
    rows = folded(OLD, FADE, said(2, "60 €", 1, recorded=40))

    assert told(rows) == [("60 €", 2, "archived")]


def test_the_value_said_again_revives_the_row_with_its_id() -> None:
    for again in (said(2, "60 €", 40), changed(2, "60 €", 40), wrote(2, "60 €", 40)):
        [row] = folded(OLD, FADE, again)
        assert (row.id, row.live, row.confirmation_count) == (UUID(int=1), True, 2)


def test_after_a_rival_it_is_a_new_row() -> None:
    rows = folded(OLD, FADE, said(2, "80 €", 35), said(3, "60 €", 40))

    assert told(rows) == [("60 €", 1, "archived"), ("80 €", 1, "contradicted"), ("60 €", 2, "contradicted")]


def test_what_a_person_archives_meanwhile_is_not_revived_as_the_same_row() -> None:
    rows = folded(OLD, FADE, decided(Verdict.ARCHIVE, 1, 35), said(2, "60 €", 40))

    assert told(rows) == [("60 €", 1, "archived"), ("60 €", 2, "live")]


def test_whoever_restores_a_faded_row_says_that_it_holds_still() -> None:
    [row] = folded(OLD, FADE, decided(Verdict.RESTORE, 1, 40))
    [fresh] = folded(OLD, decided(Verdict.ARCHIVE, 1, 1), decided(Verdict.RESTORE, 1, 2))

    assert (row.live, row.last_reinforced_at) == (True, day(40))
    assert live(folded(OLD, FADE, decided(Verdict.RESTORE, 1, 40), decided(Verdict.FADE, 1, 50))) == ["60 €"]
    assert fresh.last_reinforced_at == day(0)
