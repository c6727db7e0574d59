"""What holds for every fold, whatever was said, decided, sent twice, late or erased."""

from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from app.domain.contradictions import Standing
from app.domain.fold import folded as whole
from app.domain.sources import Decision, Entry, Source, Verdict
from tests.unit.memories import SHIPPING, Say, changed, corrected, day, decided, edited, folded, said, wrote

_VALUES = ["60 €", "80 €", "90 €"]
ELSEWHERE = UUID(int=70)
"""A row of another key."""
_AMENDMENTS: list[dict[str, Any]] = [{"tags": ["legal"]}, {"tier": "session"}, {"confidence": 0.5}]


@st.composite
def sources(draw: st.DrawFn, number: int) -> Source:
    """Source `number`: any way of saying one of three values, on any of nine days, known at once or later."""
    value, at = draw(st.sampled_from(_VALUES)), draw(st.integers(0, 8))
    recorded = at + draw(st.integers(0, 9))
    if number > 1 and draw(st.integers(0, 5)) == 0:
        return edited(number, value, at, replaces=draw(st.integers(1, number - 1)), recorded=recorded)
    say: Say = draw(st.sampled_from([said, said, said, changed, corrected, wrote]))
    return say(number, value, at, recorded=recorded)


@st.composite
def histories(draw: st.DrawFn, many: bool | None = None) -> list[Entry]:
    """Up to nine sources and three decisions about them."""
    heard: list[Entry] = [draw(sources(number)) for number in range(1, draw(st.integers(1, 9)) + 1)]
    if many or (many is None and draw(st.booleans())):
        heard.append(said(99, _VALUES[0], 0, many=True))
    for half in range(draw(st.integers(0, 3))):
        heard.append(draw(decisions(half)))
    if mergers := [entry for entry in heard if isinstance(entry, Decision) and entry.verdict is Verdict.MERGE]:
        undone = draw(st.lists(st.sampled_from(mergers), max_size=1))
        heard += [decided(Verdict.UNMERGE, 1, 9.5, undoes=[str(merger.id)]) for merger in undone]
    return heard


@st.composite
def decisions(draw: st.DrawFn, half: int) -> Decision:
    """Any decision but an undoing, about one or two of nine rows, on any of ten days or long after."""
    verdict = draw(st.sampled_from([verdict for verdict in Verdict if verdict is not Verdict.UNMERGE]))
    row, other = draw(st.integers(1, 9)), str(UUID(int=draw(st.integers(1, 9))))
    at = draw(st.integers(0, 9) if verdict is not Verdict.FADE else st.integers(0, 900)) + half / 4
    changes: dict[str, Any] = {}
    if verdict is Verdict.AMEND:
        changes = draw(st.sampled_from(_AMENDMENTS))
    elif verdict is Verdict.MERGE:
        changes = draw(
            st.sampled_from([{"into": other, "key": SHIPPING.key}, {"into": str(ELSEWHERE), "key": "another"}])
        )
    elif verdict is Verdict.OVERTAKE:
        changes = {"other": str(ELSEWHERE), "key": "another", "valid_from": day(at).isoformat()}
    elif verdict is Verdict.OPPOSE:
        changes = {"other": str(ELSEWHERE), "key": "another", "newer": draw(st.booleans())}
    elif verdict is Verdict.SETTLE and draw(st.booleans()):
        changes = {"both": [str(UUID(int=row)), other]}
    return decided(verdict, row, at, **changes)


def sources_of(entries: list[Entry]) -> list[Source]:
    return [entry for entry in entries if isinstance(entry, Source)]


@given(st.data(), histories())
def test_arrival_in_any_order_gives_the_same_rows(data: st.DataObject, entries: list[Entry]) -> None:
    assert whole(SHIPPING, data.draw(st.permutations(entries))) == whole(SHIPPING, entries)


@given(histories())
def test_folding_again_changes_nothing(entries: list[Entry]) -> None:
    before = list(entries)

    assert folded(*entries) == folded(*entries)
    assert entries == before


@given(st.data(), histories())
def test_no_row_keeps_words_that_only_a_removed_source_said(data: st.DataObject, entries: list[Entry]) -> None:
    gone = data.draw(st.sampled_from(sources_of(entries)))
    left = [entry for entry in entries if entry.id != gone.id]
    names = {ELSEWHERE, *(source.id for source in sources_of(left))}

    for row in folded(*left):
        assert row.content != gone.content
        assert row.id in names
        assert row.superseded_by is None or row.superseded_by in names
        assert row.merged_into is None or row.merged_into in names


@given(st.data(), histories(many=False))
def test_a_late_source_renames_no_row(data: st.DataObject, entries: list[Entry]) -> None:
    late = data.draw(sources(50))
    arrived_last = said(50, str(late.value), data.draw(st.integers(0, 8)), recorded=100)

    before = {row.id for row in folded(*entries)}
    assert before <= {row.id for row in folded(*entries, arrived_last)}


@given(histories())
def test_a_value_is_believed_in_one_row_at_most(entries: list[Entry]) -> None:
    believed = [row.normal for row in folded(*entries) if row.live]

    assert len(believed) == len(set(believed))


@given(histories())
def test_rows_stay_within_their_numbers(entries: list[Entry]) -> None:
    rows = folded(*entries)
    live = [row for row in rows if row.live]

    assert len({row.id for row in rows}) == len(rows)
    assert {row.normal for row in rows} == {source.normal for source in sources_of(entries)}
    for row in rows:
        assert 1 <= row.confirmation_count <= len(entries)
        assert 0 < row.traits.confidence <= 1
        assert row.newer_rivals <= max(0, len(live) - 1)
        assert row.contradicted <= (row.live and len(live) > 1)
        assert row.superseded_by != row.id
    if not any(isinstance(entry, Decision) and "both" in entry.changes for entry in entries):
        assert sorted(row.newer_rivals for row in live) == (
            [0] * len(live) if live and live[0].traits.many else list(range(len(live)))
        )


@given(histories())
def test_what_is_contradicted_stands_in_an_open_contradiction(entries: list[Entry]) -> None:
    found = whole(SHIPPING, entries)
    opposed = [pair for pair in found.contradictions if pair.standing is Standing.OPEN]

    assert {row for pair in opposed for row in (pair.older, pair.newer)} == {
        row.id for row in found.rows if row.contradicted
    }
    assert len({pair.id for pair in found.contradictions}) == len(found.contradictions)
    assert all(pair.settled_at is None or pair.settled_at >= pair.opened_at for pair in found.contradictions)


@given(histories())
def test_mergers_never_chain(entries: list[Entry]) -> None:
    rows = {row.id: row for row in folded(*entries)}
    into = [rows[row.merged_into] for row in rows.values() if row.merged_into in rows]

    assert all(row.merged_into is None for row in into)
    assert all(not row.live for row in rows.values() if row.merged_into)


@given(histories())
def test_undoing_every_merger_leaves_no_trace_of_any(entries: list[Entry]) -> None:
    mergers = [entry for entry in entries if isinstance(entry, Decision) and entry.verdict is Verdict.MERGE]
    undoing = decided(Verdict.UNMERGE, 1, 99, undoes=[str(merger.id) for merger in mergers])

    assert whole(SHIPPING, [*entries, undoing]) == whole(SHIPPING, [one for one in entries if one not in mergers])


@given(st.lists(st.sampled_from([said, changed, corrected]), min_size=1, max_size=6), st.data())
def test_no_chat_puts_out_what_a_person_wrote(ways: list[Say], data: st.DataObject) -> None:
    chat = [say(number, data.draw(st.sampled_from(_VALUES)), number) for number, say in enumerate(ways, start=2)]

    rows = folded(wrote(1, _VALUES[0], 0), *chat)

    assert _VALUES[0] in [row.value for row in rows if row.live and row.by_hand]
    assert UUID(int=1) in {row.id for row in rows}
