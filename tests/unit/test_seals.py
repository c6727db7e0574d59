"""Seals: a chain over lines, in which nothing can be changed, taken out, put in or moved unseen."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.events import EventValues
from app.domain.inspection import Inspection, Report
from app.domain.seals import Line, Seal, sealed
from tests.unit.memories import day

WORDS = EventValues(None, {"value": "60 €"}, "why", "salt")
OTHER = UUID(int=99)


def line(place: int) -> Line:
    ref = UUID(int=1000 + place)
    return Line(place, UUID(int=place), "created", "store", ref, ref, "key", ref, WORDS.digest(), day(place))


Told = Sequence[tuple[Line, EventValues | None]]


def trail(count: int = 6, each: int = 2) -> tuple[list[Seal], list[tuple[Line, EventValues | None]]]:
    """So many events, `each` under a seal; of every third one the words are erased."""
    lines = [line(place) for place in range(1, count + 1)]
    seals: list[Seal] = []
    for start in range(0, count - count % each, each):
        seals.append(sealed("org", seals[-1] if seals else None, lines[start : start + each], day(count)))
    return seals, [(one, None if one.place % 3 == 0 else WORDS) for one in lines]


def inspected(seals: Sequence[Seal], told: Told, *, made: int | None = None) -> Report:
    inspection, behind = Inspection("org"), 0
    for seal in seals:
        inspection.begin(seal)
        for one, words in told:
            if behind < one.place <= seal.last_place:
                inspection.line(one, words)
        inspection.end()
        behind = max(behind, seal.last_place)
    for one, words in told:
        if one.place > behind:
            inspection.line(one, words)
    words_there = sum(words is not None for _, words in told)
    return inspection.report(seals=len(seals) if made is None else made, words=words_there)


def test_what_nobody_touched_holds_with_and_without_its_words() -> None:
    seals, told = trail(7)
    report = inspected(seals, told)
    assert (report.events, report.sealed, report.seals, report.unsealed) == (7, 6, 3, 1)
    assert (report.checked, report.erased, report.head, report.broken) == (5, 2, seals[-1].digest, None)
    assert inspected(seals, [(one, None) for one, _ in told]).broken is None
    assert inspected([], []).broken is None


CHANGED: dict[str, Any] = {
    "id": OTHER,
    "kind": "deleted",
    "scope": None,
    "subject_ref": OTHER,
    "fact_id": None,
    "actor_type": "person",
    "actor_ref": None,
    "created_at": day(3) + timedelta(microseconds=1),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_line_is_named(name: str) -> None:
    seals, told = trail()
    told[2] = replace(told[2][0], **{name: CHANGED[name]}), None
    broken = inspected(seals, told).broken
    assert broken is not None
    assert (broken.seal, broken.event_id) == (2, OTHER if name == "id" else UUID(int=3))
    assert str(broken).startswith(f"seal 2, event {broken.event_id}: ")


@pytest.mark.parametrize(
    "words",
    [
        replace(WORDS, old=1),
        replace(WORDS, new=None),
        replace(WORDS, reason=None),
        replace(WORDS, salt="pepper"),
    ],
)
@pytest.mark.parametrize(("place", "seal"), [(1, 1), (7, None)])
def test_changed_words_are_named_sealed_or_not(words: EventValues, place: int, seal: int | None) -> None:
    seals, told = trail(7)
    told[place - 1] = told[place - 1][0], words
    broken = inspected(seals, told).broken
    assert broken is not None
    assert (broken.seal, broken.event_id) == (seal, UUID(int=place))


def _late(told: list[Any]) -> None:
    told.insert(3, (replace(line(4), id=OTHER), None))


def _swapped(told: list[Any]) -> None:
    told[2:4] = [(replace(told[3][0], place=3), None), (replace(told[2][0], place=4), None)]


@pytest.mark.parametrize(
    ("act", "seal", "what"),
    [
        (lambda told: told.pop(3), 2, "missing"),
        (lambda told: told.__delitem__(slice(2, 4)), 2, "missing"),
        (_late, 2, "later"),
        (_swapped, 2, "not as it was sealed"),
    ],
    ids=["one is gone", "all are gone", "one came", "two changed places"],
)
def test_a_line_taken_out_put_in_or_moved_is_found(act: Callable[[list[Any]], None], seal: int, what: str) -> None:
    seals, told = trail()
    act(told)
    broken = inspected(seals, told).broken
    assert broken is not None
    assert (broken.seal, what in broken.what) == (seal, True), broken


@pytest.mark.parametrize(
    "changes",
    [
        {"first_place": 1},
        {"last_place": 5},
        {"count": 3},
        {"previous": "x"},
        {"digest": "x"},
        {"leaves": b""},
        {"leaves": b"12345678" * 2},
        {"sealed_at": day(1)},
        {"seq": 9},
    ],
)
def test_a_changed_seal_is_found(changes: dict[str, Any]) -> None:
    seals, told = trail()
    seals[1] = replace(seals[1], **changes)
    broken = inspected(seals, told).broken
    assert broken is not None
    assert broken.seal in (2, 3, 9)


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_missing_seal_is_found_the_last_one_too(gone: int) -> None:
    seals, told = trail()
    del seals[gone]
    broken = inspected(seals, told, made=3).broken
    assert broken is not None
    assert "seal" in broken.what


def test_a_seal_of_another_organisation_does_not_hold() -> None:
    lines = [line(1)]
    broken = inspected([sealed("other", None, lines, day(1))], [(lines[0], None)]).broken
    assert broken is not None


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6), st.data())
def test_whatever_is_sealed_in_whatever_portions_holds_until_one_line_goes(
    portions: list[int], data: st.DataObject
) -> None:
    lines = [replace(line(place), id=uuid4()) for place in range(1, sum(portions) + 1)]
    seals: list[Seal] = []
    for portion in portions:
        start = sum(seal.count for seal in seals)
        seals.append(sealed("org", seals[-1] if seals else None, lines[start : start + portion], day(1)))
    assert inspected(seals, [(one, None) for one in lines]).broken is None
    del lines[data.draw(st.integers(0, len(lines) - 1))]
    assert inspected(seals, [(one, None) for one in lines]).broken is not None
