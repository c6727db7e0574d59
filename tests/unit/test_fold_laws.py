"""What holds for every fold, whatever was said, decided, sent twice, late or erased."""

from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from app.domain.sources import Entry, Source, Verdict
from tests.unit.memories import Say, changed, corrected, decided, edited, folded, said, wrote

_VALUES = ["60 €", "80 €", "90 €"]
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
        verdict = draw(st.sampled_from(list(Verdict)))
        row, at = draw(st.integers(1, 9)), draw(st.integers(0, 9)) + half / 4
        changes = draw(st.sampled_from(_AMENDMENTS)) if verdict is Verdict.AMEND else {}
        heard.append(decided(verdict, row, at, **changes))
    return heard


def sources_of(entries: list[Entry]) -> list[Source]:
    return [entry for entry in entries if isinstance(entry, Source)]


@given(st.data(), histories())
def test_arrival_in_any_order_gives_the_same_rows(data: st.DataObject, entries: list[Entry]) -> None:
    assert folded(*data.draw(st.permutations(entries))) == folded(*entries)


@given(histories())
def test_folding_again_changes_nothing(entries: list[Entry]) -> None:
    before = list(entries)

    assert folded(*entries) == folded(*entries)
    assert entries == before


@given(st.data(), histories())
def test_no_row_keeps_words_that_only_a_removed_source_said(data: st.DataObject, entries: list[Entry]) -> None:
    gone = data.draw(st.sampled_from(sources_of(entries)))
    left = [entry for entry in entries if entry.id != gone.id]
    names = {source.id for source in sources_of(left)}

    for row in folded(*left):
        assert row.content != gone.content
        assert row.id in names
        assert row.superseded_by is None or row.superseded_by in names


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
    assert sorted(row.newer_rivals for row in live) == (
        [0] * len(live) if live and live[0].traits.many else list(range(len(live)))
    )


@given(st.lists(st.sampled_from([said, changed, corrected]), min_size=1, max_size=6), st.data())
def test_no_chat_puts_out_what_a_person_wrote(ways: list[Say], data: st.DataObject) -> None:
    chat = [say(number, data.draw(st.sampled_from(_VALUES)), number) for number, say in enumerate(ways, start=2)]

    rows = folded(wrote(1, _VALUES[0], 0), *chat)

    assert _VALUES[0] in [row.value for row in rows if row.live and row.by_hand]
    assert UUID(int=1) in {row.id for row in rows}
