"""Whether what a draft says was said: an extractor may quote truly and yet tell something else beside the quotation."""

import json
import re
from collections.abc import Iterable
from typing import Final

from app.domain.languages import unbroken
from app.domain.values import JsonValue
from app.domain.wording import plain, topic_words

LEAST_SHARE: Final = 1 / 3
"""Of the words of a fact that carry meaning, so many are the speaker's own: in "Alice lives in Lyon" one of three."""
_SAME_LETTERS: Final = 4
_NAME: Final = re.compile(r"\b[A-ZÀ-Ý][\w'&-]{2,}(?: [A-ZÀ-Ý][\w'&-]{2,})+")
_DENIES: Final = re.compile(
    r"\b(?:pas|jamais|aucune?|sans|non|not|never|no|none|without|nobody)\b|n't\b"
    r"|\bn(?:e |')(?:[\w']+ ){1,2}plus\b(?! qu)"
)
_GROUPED: Final = re.compile(r"(?<=\d)[ \u00a0\u202f.,'](?=\d)")
_NUMBER: Final = re.compile(r"\d+")


def is_said(content: str, value: JsonValue, said: Iterable[str]) -> bool:
    """Whether every number of the fact is among what was said, and a word of it; where it has no number,
    `LEAST_SHARE` of its words.

    Numbers are compared by their digits, words by their first letters: other forms and derivations pass. Of a name of
    several words in the value one must have been said.
    """
    whole = " ".join(said)
    if isinstance(value, str) and any(_meaning(name).isdisjoint(_meaning(whole)) for name in _NAME.findall(value)):
        return False
    numbers = _numbers(f"{content} {json.dumps(value, ensure_ascii=False)}")
    wanted = _meaning(content)
    shared = len(wanted & _meaning(whole))
    if numbers:
        return numbers <= _numbers(whole) and (shared > 0 or not wanted)
    return shared >= LEAST_SHARE * len(wanted)


def turns_round(content: str, evidence: str) -> bool:
    """Whether the fact says in the words of its evidence what that denies, or denies what that says; a piece of it,
    as it stands there, does not.
    """
    if plain(content).strip(" .!") in plain(evidence):
        return False
    denied = [_DENIES.search(plain(text)) is not None for text in (content, evidence)]
    alike = _meaning(content) == _meaning(evidence) and _numbers(content) == _numbers(evidence)
    return alike and denied[0] != denied[1]


def _meaning(text: str) -> set[str]:
    """The first letters of each word that carries meaning; the pairs of signs of a script without blanks."""
    if unbroken(text):
        return {text[at : at + 2] for at in range(len(text) - 1) if text[at : at + 2].isalpha()}
    return {word[:_SAME_LETTERS] for word in topic_words(text)}


def _numbers(text: str) -> set[str]:
    """The digits of each number, without the zeros around them: 60, 60,00 and 06 are one."""
    return {digits.strip("0") for digits in _NUMBER.findall(_GROUPED.sub("", text))}
