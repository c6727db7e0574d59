"""Rows that mean the same, merged by hand, within a key and across keys."""

from dataclasses import replace
from uuid import UUID

import pytest

from app.domain.facts import Fact
from app.domain.fold import fold
from app.domain.sources import Decision, Entry, Source, Verdict
from tests.unit.memories import SHIPPING, changed, day, decided, fact, folded, live, said, told, wrote

OTHER_KEY = replace(SHIPPING, key="delivery.free_from")
MERGE = decided(Verdict.MERGE, 1, 3, into=str(UUID(int=2)), key=SHIPPING.key)
AWAY = decided(Verdict.MERGE, 1, 3, into=str(UUID(int=9)), key=OTHER_KEY.key)
WORDINGS = (said(1, "60 €", 0, tags=("price",)), said(2, "sixty euros", 1, tags=("shop",)))


def undone(merger: Decision, at: float) -> Decision:
    return decided(Verdict.UNMERGE, merger.fact_id.int, at, undoes=[str(merger.id)])


def test_the_row_it_was_merged_into_takes_confirmations_and_tags() -> None:
    away, into = folded(*WORDINGS, MERGE)

    assert (away.live, away.archived_at, away.merged_into, away.superseded_by) == (False, day(3), into.id, None)
    assert (into.live, into.confirmation_count, into.traits.tags) == (True, 2, ("shop", "price"))
    assert into.traits.confidence == pytest.approx(0.7)
    assert not into.contradicted


def test_a_merger_is_undone_exactly() -> None:
    later = (said(3, "60 €", 4), said(4, "sixty euros", 5), wrote(5, "sixty euros", 6))

    assert folded(*WORDINGS, MERGE, *later, undone(MERGE, 7)) == folded(*WORDINGS, *later)


def test_later_words_of_either_keep_the_merger() -> None:
    rows = folded(*WORDINGS, said(3, "60 €", 2), MERGE, said(4, "60 €", 4))
    [away] = [row for row in rows if row.merged_into and not row.superseded_by]
    [into] = [row for row in rows if row.live]

    assert (away.value, away.confirmation_count) == ("60 €", 3)
    assert (into.value, into.confirmation_count, into.last_reinforced_at) == ("sixty euros", 4, day(4))


def test_the_key_of_a_row_that_went_into_another_key_keeps_it_away() -> None:
    [away] = folded(said(1, "60 €", 0), AWAY, said(2, "60 €", 4))

    assert (away.live, away.merged_into, away.confirmation_count) == (False, UUID(int=9), 2)


def test_the_key_of_the_row_that_took_it_counts_it_as_it_stands() -> None:
    away = fact(1, confirmation_count=2, tags=("price",), merged_into=UUID(int=9), confidence=0.9, at=4)
    into = [said(9, "60 €", 1, tags=("shop",))]

    def kept(*merged: Fact) -> Fact:
        return fold(OTHER_KEY, into, merged)[0]

    assert (kept(away).confirmation_count, kept(away).traits.tags) == (3, ("shop", "price"))
    assert kept(away).traits.confidence == pytest.approx(1.0)
    assert kept(away).last_reinforced_at == day(4)
    assert kept(away, replace(away, id=UUID(int=7), confirmation_count=1)) == kept(away)
    assert kept(replace(away, merged_into=UUID(int=8))) == kept()


def test_what_a_person_writes_anew_stands_for_itself() -> None:
    rows = folded(said(1, "60 €", 0), AWAY, wrote(2, "60 €", 4))

    assert told(rows) == [("60 €", 1, "archived"), ("60 €", 2, "live")]
    assert rows[1].merged_into is None


def test_an_update_to_a_merged_value_still_ends_its_rivals() -> None:
    rows = folded(said(1, "60 €", 0), AWAY, said(2, "80 €", 4), changed(3, "60 €", 5))

    assert live(rows) == ["60 €"]


@pytest.mark.parametrize(
    "chain",
    [
        [MERGE, decided(Verdict.MERGE, 3, 4, into=str(UUID(int=1)), key=SHIPPING.key)],
        [MERGE, decided(Verdict.MERGE, 2, 4, into=str(UUID(int=3)), key=SHIPPING.key)],
    ],
    ids=["into one that is away", "of one that took another"],
)
def test_mergers_never_chain(chain: list[Entry]) -> None:
    third = said(3, "60 euros flat", 2)

    assert folded(*WORDINGS, third, *chain) == folded(*WORDINGS, third, MERGE)


@pytest.mark.parametrize("into", [1, 5], ids=["itself", "a row that is not there"])
def test_a_merger_into_nothing_says_nothing(into: int) -> None:
    merger = decided(Verdict.MERGE, 1, 3, into=str(UUID(int=into)), key=SHIPPING.key)

    assert folded(*WORDINGS, merger) == folded(*WORDINGS)


def test_a_late_rival_moves_the_merger_to_the_row_that_holds_the_value() -> None:
    late = said(5, "80 €", 1.5, recorded=9)
    entries: list[Source | Decision] = [*WORDINGS, said(3, "60 €", 2), MERGE, late]
    into = next(row for row in folded(*entries) if row.value == "sixty euros")

    assert "60 €" not in live(folded(*entries))
    assert into.confirmation_count == 3
