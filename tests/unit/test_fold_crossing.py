"""What stands between rows of two keys: one has overtaken the other, or they cannot both hold."""

from dataclasses import replace
from uuid import UUID

import pytest

from app.domain.contradictions import contradiction_id
from app.domain.facts import Fact
from app.domain.fold import folded as whole
from app.domain.past import Moment, recalled
from app.domain.sources import Decision, Entry, Verdict
from app.domain.subjects import KeyRef
from tests.unit.memories import SHIPPING, changed, day, decided, fact, folded, live, said

OTHER = UUID(int=9)
OTHER_KEY = replace(SHIPPING, key="delivery.free_from")
OVERTAKEN = decided(Verdict.OVERTAKE, 1, 3, other=str(OTHER), key=OTHER_KEY.key, valid_from=day(2).isoformat())
OPPOSED = decided(Verdict.OPPOSE, 1, 3, other=str(OTHER), key=OTHER_KEY.key, newer=True)
AGREED = decided(Verdict.SETTLE, 1, 5, both=[str(UUID(int=1)), str(OTHER)])


def other(**fields: object) -> Fact:
    return replace(fact(9, at=2), ref=OTHER_KEY, **fields)  # type: ignore[arg-type]


def beside(*entries: Entry, rival: Fact | None = None) -> Fact:
    """The only row of the key, with this row of another key beside it."""
    return whole(SHIPPING, entries, others=[rival or other()]).rows[0]


def test_an_overtaken_row_is_over_since_the_other_began() -> None:
    [row] = folded(said(1, "60 €", 0), OVERTAKEN)

    assert (row.archived_at, row.superseded_by, row.valid_to) == (day(3), OTHER, day(2))


def test_a_late_message_does_not_bring_it_back_and_a_later_one_does() -> None:
    assert live(folded(said(1, "60 €", 0), OVERTAKEN, said(2, "60 €", 1, recorded=9))) == []
    assert live(folded(said(1, "60 €", 0), OVERTAKEN, said(2, "60 €", 4))) == ["60 €"]
    assert live(folded(said(1, "60 €", 0), OVERTAKEN, decided(Verdict.RESTORE, 1, 4))) == ["60 €"]


def test_a_row_that_is_over_anyway_is_not_overtaken() -> None:
    older, _ = folded(said(1, "60 €", 0), changed(2, "80 €", 1), OVERTAKEN)

    assert (older.superseded_by, older.valid_to) == (UUID(int=2), day(1))


def test_the_older_of_two_that_cannot_both_hold_counts_the_other() -> None:
    row = beside(said(1, "60 €", 0), OPPOSED)

    assert (row.newer_rivals, row.contradicted, row.opposed) == (1, True, (OTHER,))
    assert row.score(day(3)) == pytest.approx(row.strength(day(3)) / 2)


def test_the_newer_one_is_contradicted_and_not_halved() -> None:
    newer = decided(Verdict.OPPOSE, 1, 3, other=str(OTHER), key=OTHER_KEY.key, newer=False)
    entries: list[Entry] = [said(1, "60 €", 0), newer]
    found = whole(SHIPPING, entries, others=[other()])

    assert (found.rows[0].newer_rivals, found.rows[0].contradicted, found.contradictions) == (0, True, [])


def test_it_is_open_while_both_are_believed() -> None:
    entries: list[Entry] = [said(1, "60 €", 0), OPPOSED]
    [found] = whole(SHIPPING, entries, others=[other()]).contradictions
    [settled] = whole(SHIPPING, entries, others=[other(archived_at=day(6))]).contradictions

    assert (found.id, found.older, found.newer) == (contradiction_id(UUID(int=1), OTHER), UUID(int=1), OTHER)
    assert (found.opened_at, found.settled_at, settled.settled_at) == (day(3), None, day(6))
    assert beside(*entries, rival=other(archived_at=day(6))) == beside(said(1, "60 €", 0))


def test_a_person_may_let_both_hold() -> None:
    entries: list[Entry] = [said(1, "60 €", 0), OPPOSED, AGREED]

    assert beside(*entries).opposed == ()
    assert whole(SHIPPING, entries, others=[other()]).contradictions[0].settled_at == day(5)


def test_it_holds_for_the_value_however_its_rows_split() -> None:
    late = said(2, "80 €", 0.5, recorded=9)
    rows = whole(SHIPPING, [said(1, "60 €", 0), OPPOSED, late, said(3, "60 €", 1)], others=[other()]).rows

    assert [row.opposed for row in rows if row.live and row.value == "60 €"] == [(OTHER,)]


def test_without_the_other_nothing_is_left_of_it() -> None:
    assert folded(said(1, "60 €", 0), OPPOSED) == folded(said(1, "60 €", 0))


def test_the_past_knows_of_it_from_when_it_was_found() -> None:
    theirs: list[Entry] = [
        said(9, "no", 2),
        Decision(
            UUID(int=77),
            day(3),
            day(3),
            Verdict.OPPOSE,
            OTHER,
            OPPOSED.author,
            {"other": str(UUID(int=1)), "key": SHIPPING.key, "newer": False},
        ),
    ]
    entries: dict[KeyRef, list[Entry]] = {SHIPPING: [said(1, "60 €", 0), OPPOSED], OTHER_KEY: theirs}

    def opposed(known_at: float) -> set[UUID]:
        return {row.id for row in recalled(entries, Moment(known_at=day(known_at))) if row.opposed}

    assert (opposed(2.5), opposed(4)) == (set(), {UUID(int=1), OTHER})
