"""Reading as of another time: tables of what held when, by what was known when."""

from dataclasses import replace
from uuid import UUID

import pytest

from app.domain.errors import Invalid
from app.domain.facts import Fact
from app.domain.past import Moment, recalled
from app.domain.sources import Audience, Entry, Verdict
from app.domain.subjects import KeyRef
from tests.unit.memories import SHIPPING, changed, corrected, day, decided, edited, live, said, told, wrote

OTHER = KeyRef(SHIPPING.subject, SHIPPING.agent_id, "shipping.offer")


def moment(as_of: float | None = None, known_at: float | None = None) -> Moment:
    return Moment(*(None if number is None else day(number) for number in (as_of, known_at)))


def read(*entries: Entry, as_of: float | None = None, known_at: float | None = None) -> list[Fact]:
    """The rows of one key as of these days."""
    return recalled({SHIPPING: entries}, moment(as_of, known_at))


CORRECTION: list[Entry] = [said(1, "60 €", 0), corrected(2, "80 €", 10)]
SINCE: list[Entry] = [said(1, "60 €", 0), changed(2, "80 €", 20, since=5)]
THREE_TIMES: list[Entry] = [said(1, "60 €", 0), said(2, "80 €", 5), said(3, "80 €", 7), said(4, "80 €", 9)]
LATE: list[Entry] = [said(1, "60 €", 10), said(2, "50 €", 2, recorded=20)]
AHEAD: list[Entry] = [said(1, "60 €", 0), wrote(2, "80 €", 5, since=5.9)]
TWICE_CHANGED: list[Entry] = [said(1, "60 €", 0), changed(2, "70 €", 10), changed(3, "80 €", 20, since=5)]
SAID_AGAIN: list[Entry] = [said(1, "60 €", 0), changed(2, "80 €", 5), changed(3, "60 €", 20)]
PARTNERS: list[Entry] = [said(1, "DHL", 0), changed(2, "UPS", 5), said(3, "GLS", 9, many=True)]


@pytest.mark.parametrize(
    ("entries", "as_of", "known_at", "expected"),
    [
        # A correction holds from when it was said; before it was known, the old value stands.
        (CORRECTION, None, None, ["80 €"]),
        (CORRECTION, 10, None, ["80 €"]),
        (CORRECTION, 9, None, ["60 €"]),
        (CORRECTION, None, 9, ["60 €"]),
        (CORRECTION, 10, 9, ["60 €"]),
        (CORRECTION, -1, None, []),
        (CORRECTION, None, -1, []),
        # "Since the 5th", said on the 20th: it held then already, and nobody knew.
        (SINCE, 4, None, ["60 €"]),
        (SINCE, 5, None, ["80 €"]),
        (SINCE, 6, None, ["80 €"]),
        (SINCE, 6, 19, ["60 €"]),
        (SINCE, 6, 20, ["80 €"]),
        (SINCE, None, 6, ["60 €"]),
        # The third confirmation ends the older value where the newer began; until then both were believed.
        (THREE_TIMES, 4, None, ["60 €"]),
        (THREE_TIMES, 6, None, ["80 €"]),
        (THREE_TIMES, 6, 8, ["60 €", "80 €"]),
        (THREE_TIMES, None, 8, ["60 €", "80 €"]),
        (THREE_TIMES, 4, 8, ["60 €"]),
        # What is imported late held earlier, and is not known earlier.
        (LATE, 5, None, ["50 €"]),
        (LATE, 5, 19, []),
        (LATE, 15, 19, ["60 €"]),
        (LATE, 15, None, ["50 €", "60 €"]),
        # What is written for later does not hold yet, although today's row has its place.
        (AHEAD, 5.5, None, ["60 €"]),
        (AHEAD, 5.9, None, ["80 €"]),
        (AHEAD, None, 5.5, ["80 €"]),
        # An interval that is empty was never valid; one that was ended twice ended with the earlier.
        (TWICE_CHANGED, 4, None, ["60 €"]),
        (TWICE_CHANGED, 7, None, ["80 €"]),
        (TWICE_CHANGED, 12, None, ["80 €"]),
        (TWICE_CHANGED, 12, 15, ["70 €"]),
        # A value that came back held twice, and not between.
        (SAID_AGAIN, 3, None, ["60 €"]),
        (SAID_AGAIN, 10, None, ["80 €"]),
        (SAID_AGAIN, 25, None, ["60 €"]),
        # That a key holds several values is true of it from the start, once it is known.
        (PARTNERS, 6, None, ["DHL", "UPS"]),
        (PARTNERS, 6, 8, ["UPS"]),
    ],
)
def test_what_held_when(entries: list[Entry], as_of: float | None, known_at: float | None, expected: list[str]) -> None:
    assert sorted(live(read(*entries, as_of=as_of, known_at=known_at))) == sorted(expected)


@pytest.mark.parametrize(
    ("decisions", "as_of", "known_at", "expected"),
    [
        ([decided(Verdict.ARCHIVE, 1, 10)], 9, None, ["contradicted", "contradicted"]),
        ([decided(Verdict.ARCHIVE, 1, 10)], 10, None, ["archived", "live"]),
        ([decided(Verdict.ARCHIVE, 1, 10)], None, 9, ["contradicted", "contradicted"]),
        ([decided(Verdict.ARCHIVE, 1, 10), decided(Verdict.RESTORE, 1, 20)], 15, None, ["archived", "live"]),
        # Whoever settles says what was true all along; what was kept out was never valid.
        ([decided(Verdict.SETTLE, 1, 10)], 7, None, ["live", "superseded"]),
        ([decided(Verdict.SETTLE, 1, 10)], 7, 9, ["contradicted", "contradicted"]),
        ([decided(Verdict.SETTLE, 2, 10)], 7, None, ["superseded", "live"]),
        ([decided(Verdict.SETTLE, 2, 10)], 4, None, ["live"]),
        # The worker's archiving counts from its day.
        ([decided(Verdict.FADE, 1, 500)], 499, None, ["contradicted", "contradicted"]),
        ([decided(Verdict.FADE, 1, 500)], 501, None, ["archived", "live"]),
        # A merger that was undone never was, once that is known.
        (
            [
                decided(Verdict.MERGE, 1, 10, into=str(UUID(int=2)), key=SHIPPING.key),
                decided(Verdict.UNMERGE, 1, 20, undoes=[str(decided(Verdict.MERGE, 1, 10).id)]),
            ],
            15,
            None,
            ["contradicted", "contradicted"],
        ),
        (
            [
                decided(Verdict.MERGE, 1, 10, into=str(UUID(int=2)), key=SHIPPING.key),
                decided(Verdict.UNMERGE, 1, 20, undoes=[str(decided(Verdict.MERGE, 1, 10).id)]),
            ],
            None,
            15,
            ["archived", "live"],
        ),
    ],
)
def test_decisions_count_from_when_they_were_taken(
    decisions: list[Entry], as_of: float | None, known_at: float | None, expected: list[str]
) -> None:
    rows = read(said(1, "60 €", 0), said(2, "80 €", 5), *decisions, as_of=as_of, known_at=known_at)
    assert [standing for _, _, standing in sorted(told(rows))] == expected


def test_a_row_is_as_strong_as_it_was() -> None:
    entries: list[Entry] = [said(1, "60 €", 0), said(2, "60 €", 10), decided(Verdict.PIN, 1, 20)]
    (then,), (later,) = read(*entries, as_of=5), read(*entries, as_of=15)
    assert (then.confirmation_count, then.traits.confidence, then.last_reinforced_at) == (1, 0.6, day(0))
    assert (later.confirmation_count, later.last_reinforced_at) == (2, day(10))
    assert then.strength(day(5)) == pytest.approx(0.6 * 0.5 ** (5 / 90))
    assert [row.pinned for row in (then, later, *read(*entries))] == [False, False, True]


def test_a_rival_halves_from_when_it_came_up_until_it_was_out() -> None:
    """By what is known now it was out from the start."""
    entries: list[Entry] = [said(1, "60 €", 0), said(2, "80 €", 5), decided(Verdict.SETTLE, 1, 10)]
    assert [row.newer_rivals for row in read(*entries, as_of=4)] == [0]
    assert [row.newer_rivals for row in read(*entries, as_of=7, known_at=9) if row.value == "60 €"] == [1]
    assert [row.newer_rivals for row in read(*entries, as_of=7) if row.value == "60 €"] == [0]


def test_until_when_a_value_held_is_told_although_it_still_held() -> None:
    (row,) = read(*CORRECTION, as_of=9)
    assert (row.valid_from, row.valid_to, row.live, row.superseded_by) == (day(0), day(10), True, None)
    (row,) = read(*CORRECTION, as_of=9, known_at=9)
    assert row.valid_to is None


def test_rows_bear_the_names_that_callers_know_them_by() -> None:
    """Of the day before a late message was read, a row already has the id under which it was made."""
    entries: list[Entry] = [said(1, "60 €", 10, recorded=10), said(2, "60 €", 2, recorded=20), changed(3, "80 €", 30)]
    (row,) = read(*entries, as_of=5)
    assert (row.id, row.confirmation_count) == (UUID(int=1), 1)


def test_what_was_deleted_does_not_bring_back_what_it_had_replaced() -> None:
    """An erased correction left an end behind, which is as old as the correction was."""
    entries: list[Entry] = [said(1, "60 €", 0), decided(Verdict.END, 1, 10)]
    assert live(read(*entries, known_at=15)) == []
    assert live(read(*entries, as_of=9)) == ["60 €"]
    assert live(read(*entries, as_of=15)) == []


def test_an_edit_holds_from_its_day() -> None:
    entries: list[Entry] = [wrote(1, "60 €", 0), edited(2, "80 €", 10, replaces=1)]
    assert [live(read(*entries, as_of=number)) for number in (9, 10)] == [["60 €"], ["80 €"]]


def test_a_decision_counts_at_once_although_a_sender_s_clock_was_ahead() -> None:
    pin = replace(decided(Verdict.PIN, 1, 10.5), recorded_at=day(10))
    assert [row.pinned for row in read(said(1, "60 €", 0), pin, as_of=10.1)] == [True]


def test_the_audience_is_today_s() -> None:
    opened = decided(Verdict.AMEND, 1, 10, audience="everyone")
    shut = decided(Verdict.AMEND, 1, 20, audience="team")
    for decisions, audience in (([opened], Audience.EVERYONE), ([opened, shut], Audience.TEAM)):
        for number in (5, 15):
            entries: list[Entry] = [said(1, "60 €", 0), *decisions]
            assert {row.traits.audience for row in read(*entries, as_of=number)} == {audience}
            assert {row.traits.audience for row in read(*entries, known_at=number)} == {audience}


def test_what_was_merged_into_a_row_of_another_key_counts_for_it_from_then_on() -> None:
    merger = decided(Verdict.MERGE, 5, 10, into=str(UUID(int=1)), key=SHIPPING.key)
    entries: dict[KeyRef, list[Entry]] = {SHIPPING: [said(1, "60 €", 0)], OTHER: [said(5, "from 60 €", 1), merger]}
    for when, counts in ((moment(9), [1, 1]), (moment(10), [2, 1]), (moment(known_at=9), [1, 1]), (moment(), [2, 1])):
        assert [row.confirmation_count for row in recalled(entries, when)] == counts


def test_a_key_of_which_nothing_was_said_has_no_rows() -> None:
    assert recalled({}, moment(5)) == recalled({SHIPPING: []}, moment(5)) == []
    assert read(said(1, "60 €", 10), as_of=5) == read(said(1, "60 €", 10), known_at=5) == []


@pytest.mark.parametrize(
    ("as_of", "known_at", "faults"),
    [(6, None, ["/as_of"]), (None, 6, ["/known_at"]), (6, 6, ["/as_of", "/known_at"]), (5, 5, []), (None, None, [])],
)
def test_a_time_to_come_is_refused(as_of: float | None, known_at: float | None, faults: list[str]) -> None:
    if not faults:
        moment(as_of, known_at).require_past(day(5))
        return
    with pytest.raises(Invalid, match="time_ahead") as refused:
        moment(as_of, known_at).require_past(day(5))
    assert [pointer for pointer, _ in refused.value.faults] == faults


@pytest.mark.parametrize(
    ("when", "instant"), [(moment(), 9), (moment(5), 5), (moment(known_at=4), 4), (moment(5, 4), 5)]
)
def test_scores_are_those_of_as_of_else_of_known_at(when: Moment, instant: float) -> None:
    assert when.instant(day(9)) == day(instant)


@pytest.mark.parametrize(
    ("when", "said_at", "recorded", "expected"),
    [
        (moment(5), 5, 9, True),
        (moment(5), 6, 6, False),
        (moment(known_at=5), 1, 5, True),
        (moment(known_at=5), 1, 6, False),
        (moment(5, 5), 6, 5, False),
        (moment(known_at=5), 4, None, True),
        (moment(known_at=5), 6, None, False),
        (moment(5, 5), None, None, True),
    ],
)
def test_what_was_said_is_there_once_it_was_sent_and_recorded(
    when: Moment, said_at: float | None, recorded: float | None, expected: bool
) -> None:
    times = [None if number is None else day(number) for number in (said_at, recorded)]
    assert when.includes(*times) is expected
