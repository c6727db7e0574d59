"""BM25 as numbers, and as the laws that make it one."""

import math
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.bm25 import Collection, Posting, idf, joined, matches, scores, shares

ONE, TWO, THREE = (UUID(int=number) for number in (1, 2, 3))
WORDS = [frozenset({"a"}), frozenset({"b", "bee"})]


def collection(*documents: str) -> Collection:
    """Documents 1, 2, … of these terms."""
    postings: dict[str, list[Posting]] = {}
    told = [document.split() for document in documents]
    for number, terms in enumerate(told, 1):
        for term in set(terms):
            postings.setdefault(term, []).append(Posting(UUID(int=number), terms.count(term), len(terms)))
    return Collection(len(told), sum(map(len, told)), postings=postings)


@pytest.mark.parametrize(
    ("size", "holding", "expected"),
    [(1, 1, math.log(4 / 3)), (10, 0, math.log(22)), (10, 1, math.log(22 / 3)), (10, 10, math.log(22 / 21))],
)
def test_the_rarer_the_word_the_more_it_is_worth(size: int, holding: int, expected: float) -> None:
    assert idf(size, holding) == pytest.approx(expected)


def test_a_score_as_worked_out_by_hand() -> None:
    """Three documents of 2, 4 and 6 terms, 4 on average; `a` is in two of them, `b` or `bee` in one."""
    held = collection("a x", "x a y a", "b bee x x y y")
    a, b = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    assert scores(WORDS, held) == {
        ONE: pytest.approx(a * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 4))),
        TWO: pytest.approx(a * 2 * 2.2 / (2 + 1.2)),
        THREE: pytest.approx(b * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 6 / 4))),
    }
    ceiling = (a + b) * 2.2
    assert shares(WORDS, held) == pytest.approx({each: won / ceiling for each, won in scores(WORDS, held).items()})
    assert matches(WORDS, held) == {ONE: 1, TWO: 1, THREE: 1}


def test_where_nothing_is_held_nothing_is_found() -> None:
    assert scores(WORDS, Collection()) == shares(WORDS, Collection()) == {}
    assert shares([], collection("a b")) == {}
    assert shares(WORDS, collection("", "x y")) == {}


documents = st.lists(st.lists(st.sampled_from("abxyz"), max_size=8).map(" ".join), min_size=1, max_size=8)


@given(documents)
def test_shares_keep_the_order_and_lie_below_one(held: list[str]) -> None:
    won, parts = scores(WORDS, collection(*held)), shares(WORDS, collection(*held))
    assert sorted(won, key=lambda each: (won[each], each)) == sorted(parts, key=lambda each: (won[each], each))
    assert all(0 < share < 1 for share in parts.values())
    assert all((won[a] < won[b]) == (parts[a] < parts[b]) for a in won for b in won if abs(won[a] - won[b]) > 1e-12)


@given(documents, documents)
def test_collections_joined_are_one_collection(first: list[str], second: list[str]) -> None:
    whole = collection(*first, *second)
    later = collection(*([""] * len(first)), *second)
    parts = [collection(*first), Collection(len(second), later.length, postings=later.postings)]
    assert scores(WORDS, joined(parts)) == pytest.approx(scores(WORDS, whole))
