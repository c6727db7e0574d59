"""Whether what a draft says was said: an extractor may quote truly and yet tell something else beside the quotation."""

import json
import re
from collections.abc import Iterable
from typing import Final

from app.domain.languages import unbroken
from app.domain.values import JsonValue
from app.domain.wording import topic_words

LEAST_SHARE: Final = 1 / 3
"""Of the words of a fact that carry meaning, so many are the speaker's own: in "Alice lives in Lyon" one of three."""
_SAME_LETTERS: Final = 4
_GROUPED: Final = re.compile(r"(?<=\d)[ \u00a0\u202f.,'](?=\d)")
_NUMBER: Final = re.compile(r"\d+")


def is_said(content: str, value: JsonValue, said: Iterable[str]) -> bool:
    """Whether every number of the fact is among what was said, and a word of it; where it has no number,
    `LEAST_SHARE` of its words.

    Numbers are compared by their digits, words by their first letters: other forms and derivations pass.
    """
    whole = " ".join(said)
    numbers = _numbers(f"{content} {json.dumps(value, ensure_ascii=False)}")
    wanted = _meaning(content)
    shared = len(wanted & _meaning(whole))
    if numbers:
        return numbers <= _numbers(whole) and (shared > 0 or not wanted)
    return shared >= LEAST_SHARE * len(wanted)


def _meaning(text: str) -> set[str]:
    """The first letters of each word that carries meaning; the pairs of signs of a script without blanks."""
    if unbroken(text):
        return {text[at : at + 2] for at in range(len(text) - 1) if text[at : at + 2].isalpha()}
    return {word[:_SAME_LETTERS] for word in topic_words(text)}


def _numbers(text: str) -> set[str]:
    """The digits of each number, without the zeros around them: 60, 60,00 and 06 are one."""
    return {digits.strip("0") for digits in _NUMBER.findall(_GROUPED.sub("", text))}
