"""What holds of every past, whatever was said, decided, sent late or written for later."""

from dataclasses import replace
from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from app.domain.facts import Fact
from app.domain.fold import fold
from app.domain.past import PRESENT, Moment, recalled
from app.domain.sources import Audience, Entry, Source
from tests.unit.memories import SHIPPING, day
from tests.unit.test_fold_laws import histories

FOREVER = day(10_000)
days = st.floats(-1, 25).map(day)
moments = st.builds(Moment, st.none() | days, st.none() | days)


def read(entries: list[Entry], moment: Moment) -> list[Fact]:
    return recalled({SHIPPING: entries}, moment)


@st.composite
def dated(draw: st.DrawFn) -> list[Entry]:
    """A history in which some values are said of an earlier day, or written for the next."""
    told: list[Entry] = []
    for entry in draw(histories()):
        if isinstance(entry, Source):
            entry = replace(entry, valid_from=entry.at + (day(draw(st.sampled_from([0, 0, -4, -1, 1]))) - day(0)))
        told.append(entry)
    return told


@given(dated())
def test_the_present_is_what_stands(entries: list[Entry]) -> None:
    """Also when it is asked for by name, once nothing lies ahead any more."""
    stands = fold(SHIPPING, entries)
    assert read(entries, PRESENT) == stands
    assert read(entries, Moment(FOREVER, FOREVER)) == stands


@given(dated(), days)
def test_what_was_known_is_what_was_answered_then(entries: list[Entry], known_at: datetime) -> None:
    """But for who may be shown it, which is no matter of the past."""
    answered = fold(SHIPPING, [entry for entry in entries if entry.recorded_at <= known_at])
    then = read(entries, Moment(known_at=known_at))
    assert list(map(in_private, then)) == list(map(in_private, answered))


@given(dated(), moments)
def test_what_is_recorded_later_changes_no_past_that_was_known(entries: list[Entry], moment: Moment) -> None:
    known = [entry for entry in entries if moment.knows(entry.recorded_at)]
    assert [in_private(row) for row in read(entries, moment)] == [in_private(row) for row in read(known, moment)]


@given(dated(), moments)
def test_what_is_believed_held_then(entries: list[Entry], moment: Moment) -> None:
    for row in read(entries, moment):
        if row.live and moment.as_of is not None:
            assert row.valid_from <= moment.as_of
            assert row.valid_to is None or row.valid_to > moment.as_of


@given(dated(), moments)
def test_a_past_tells_what_was_known_and_said_of_it_alone(entries: list[Entry], moment: Moment) -> None:
    sources = [entry for entry in entries if isinstance(entry, Source) and moment.knows(entry.recorded_at)]
    words = {source.content for source in sources if moment.reaches(source)}
    rows = read(entries, moment)
    assert {row.content for row in rows} <= words
    assert {row.id for row in rows} <= {row.id for row in fold(SHIPPING, entries)} | {source.id for source in sources}
    assert len({row.id for row in rows}) == len(rows)
    believed = [row.normal for row in rows if row.live]
    assert len(set(believed)) == len(believed)


@given(dated(), moments, st.data())
def test_arrival_in_any_order_gives_the_same_past(entries: list[Entry], moment: Moment, data: st.DataObject) -> None:
    assert read(data.draw(st.permutations(entries)), moment) == read(entries, moment)


@given(dated(), moments, st.data())
def test_what_was_erased_is_in_no_past(entries: list[Entry], moment: Moment, data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from([entry for entry in entries if isinstance(entry, Source)]))
    left = [entry for entry in entries if entry.id != gone.id]
    assert gone.content not in {row.content for row in read(left, moment)}


def in_private(row: Fact) -> Fact:
    return replace(row, traits=replace(row.traits, audience=Audience.TEAM))
