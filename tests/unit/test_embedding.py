"""Vectors and windows: what holds of them whatever the numbers and the text are."""

import math
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.domain.embedding import BadVectorError, cosine, has_words, readable, unit, windows

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
SIZES = st.integers(min_value=1, max_value=40)
TEXTS = st.text(st.sampled_from("ab é1-.\n\t "), max_size=300)


@given(st.lists(NUMBERS, min_size=1, max_size=9))
@example([5e-324])
@example([1.7e308] * 9)
@example([1e-300, -1e300])
def test_a_vector_has_length_1_and_its_numbers_direction(numbers: list[float]) -> None:
    if not any(numbers):
        with pytest.raises(BadVectorError):
            unit(numbers, len(numbers))
        return
    vector = unit(numbers, len(numbers))
    assert math.hypot(*vector) == pytest.approx(1, abs=1e-6)
    assert all(one * number >= 0 for one, number in zip(vector, numbers, strict=True))
    assert cosine(vector, vector) == pytest.approx(1, abs=1e-6)
    assert cosine(vector, [-one for one in vector]) == pytest.approx(-1, abs=1e-6)


@pytest.mark.parametrize(
    "numbers",
    [
        [],
        [1.0],
        [1.0, 2.0, 3.0],
        [0, 0.0],
        [math.nan, 1],
        [math.inf, 1],
        [-math.inf, 1],
        [10**400, 1],
        ["1", 1],
        [None, 1],
        [True, 1],
        [[1], 1],
    ],
)
def test_what_is_no_vector_is_refused_without_being_told(numbers: list[object]) -> None:
    with pytest.raises(BadVectorError) as refused:
        unit(numbers, 2)
    assert not any(str(number) in str(refused.value) for number in numbers if isinstance(number, float | str))


@pytest.mark.parametrize(
    ("text", "size", "cut"),
    [
        ("", 5, []),
        (" \n ", 5, []),
        ("…!?", 5, []),
        ("a", 5, ["a"]),
        ("abcde", 5, ["abcde"]),
        ("abcde fghij", 5, ["abcde", "fghij"]),
        ("abc defgh", 5, ["abc", "defgh"]),
        ("a bcdefgh", 5, ["a bcd", "efgh"]),
        ("abcdefghijkl", 5, ["abcde", "fghij", "kl"]),
        ("livré\nsous 48 h", 8, ["livré", "sous 48", "h"]),
        ("abc ….…. def", 5, ["abc", "def"]),
    ],
)
def test_a_text_is_cut_at_blanks(text: str, size: int, cut: list[str]) -> None:
    assert windows(text, size) == cut


@given(TEXTS, SIZES)
def test_windows_are_few_and_short_and_lose_no_word(text: str, size: int) -> None:
    cut = windows(text, size)
    assert len(cut) <= 2 * len(text) / size + 1
    assert all(0 < len(stretch) <= size and has_words(stretch) for stretch in cut)
    assert _letters("".join(cut)) == _letters(text)


def test_eighty_thousand_characters_are_some_eighty_windows() -> None:
    assert 80 <= len(windows("Nous livrons dès soixante euros. " * 2424, 1000)) <= 83


@given(st.lists(st.text(st.sampled_from("aé1"), min_size=1, max_size=10), max_size=60))
def test_a_word_of_half_a_window_is_never_cut(said: list[str]) -> None:
    assert " ".join(windows(" ".join(said), 20)).split() == said


@given(st.text())
@example("e\u0301te\u0301")
@example("a\0b\ud800c")
def test_a_text_is_made_readable_once(text: str) -> None:
    shown = readable(text)
    shown.encode()
    assert "\0" not in shown
    assert unicodedata.is_normalized("NFC", shown)
    assert readable(shown) == shown


def test_what_is_no_character_parts_words() -> None:
    assert readable("un\0deux\udc80trois") == "un deux trois"
    assert readable("e\u0301te\u0301") == "été"


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
