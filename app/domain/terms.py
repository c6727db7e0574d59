"""Text as terms for search: each word stemmed in its language, then folded, without what every text holds.

A text is read in the language that its small words tell; where they tell none, its words are folded only. A question
cannot know in which language an answer was given: each of its words stands for all its readings.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from app.domain.organisations import Language
from app.domain.term_words import (
    ELISIONS,
    ENGLISH_IRREGULAR,
    ENGLISH_SMALL,
    ENGLISH_TAILS,
    ENGLISH_TELLS,
    FRENCH_IRREGULAR,
    FRENCH_SMALL,
    FRENCH_TELLS,
)

MOST_WORDS: Final = 64
"""Words of a question that are looked up, the first ones."""
LONGEST_TERM: Final = 40
"""Characters of a term; longer ones are cut, for an index takes no entry of any length."""
MOST_TERMS: Final = 32_767
"""Terms of a document; what follows is not found."""

HEAD: Final = 40
"""Terms at the beginning of a text that tell what it is about: there it is said first."""

Stem = Callable[[str], str]

_WORD: Final = re.compile(r"\d{1,3}(?: \d{3})+(?!\d)|\d+(?:[.,]\d+)+(?![^\W_])|[^\W_]+(?:'[^\W_]+)*")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:[ .,]\d{3})+")
_DECIMAL: Final = re.compile(r"(\d+)[.,](\d{1,2})")
_FRENCH_LETTERS: Final = re.compile("[àâçéèêëîïôùûœ]")
_UNACCENTED: Final = re.compile(r"(?<=\w\w)e(e?s?)$")
_UNFOLDED: Final = str.maketrans({"œ": "oe", "æ": "ae", "ß": "ss", "ø": "o", "ł": "l", "đ": "d"})


@dataclass(frozen=True, slots=True)
class Stems:
    """A stemmer for each language; they take lower-case words with their accents."""

    french: Stem
    english: Stem


def terms(text: str, stems: Stems) -> list[str]:
    """The terms of a text in their order, repeated as they are said."""
    said = words(text)
    language = language_of(said)
    small = _small(language)
    return [_term(word, language, stems) for word in said if word not in small]


def label_terms(label: str, stems: Stems) -> list[str]:
    """The terms of a key, whose words are English."""
    return [_term(word, Language.ENGLISH, stems) for word in words(label)]


def question(text: str, stems: Stems) -> list[frozenset[str]]:
    """The words of a question, each once, as the terms that any of its readings may have left in a text."""
    asked = words(text)
    small = _small(language_of(asked))
    found = dict.fromkeys(frozenset(_readings(word, stems)) for word in asked if word not in small)
    return list(found)[:MOST_WORDS]


def words(text: str) -> list[str]:
    """The words of a text, lower case, with their accents; elided and clitic forms apart, numbers in one spelling."""
    flat = unicodedata.normalize("NFKC", text).lower().replace("’", "'").replace("ʼ", "'")
    return [word for match in _WORD.finditer(flat) for word in _parts(match[0])]


def language_of(said: list[str]) -> Language | None:
    """The language that the words tell, None where they tell none or both alike."""
    french = sum(word in FRENCH_TELLS or _FRENCH_LETTERS.search(word) is not None for word in said)
    english = sum(word in ENGLISH_TELLS for word in said)
    if french == english:
        return None
    return Language.FRENCH if french > english else Language.ENGLISH


def fold(word: str) -> str:
    """The word without accents, cut to `LONGEST_TERM`."""
    if word.isascii():
        return word[:LONGEST_TERM]
    apart = unicodedata.normalize("NFKD", word.translate(_UNFOLDED))
    return "".join(char for char in apart if not unicodedata.combining(char))[:LONGEST_TERM]


def _parts(token: str) -> Iterator[str]:
    if token[0].isdigit():
        yield _number(token)
        return
    head, *tails = token.split("'")
    if tails and head.endswith("n") and tails == ["t"]:
        yield "not"
        return
    if not tails or head not in ELISIONS:
        yield head
    elif head == "n":
        yield "ne"
    yield from (tail for tail in tails if tail not in ENGLISH_TAILS)


def _number(token: str) -> str:
    if _THOUSANDS.fullmatch(token):
        return re.sub(r"\D", "", token)
    if decimal := _DECIMAL.fullmatch(token):
        return f"{decimal[1]}.{decimal[2]}".rstrip("0").rstrip(".") if int(decimal[2]) else decimal[1]
    return token.replace(",", ".").replace("'", "")


def _small(language: Language | None) -> frozenset[str]:
    if language is None:
        return FRENCH_SMALL & ENGLISH_SMALL
    return FRENCH_SMALL if language is Language.FRENCH else ENGLISH_SMALL


def _term(word: str, language: Language | None, stems: Stems) -> str:
    match language:
        case Language.FRENCH:
            return fold(stems.french(FRENCH_IRREGULAR.get(word, word)))
        case Language.ENGLISH:
            return fold(stems.english(ENGLISH_IRREGULAR.get(word, word)))
        case None:
            return fold(word)


def _readings(word: str, stems: Stems) -> Iterator[str]:
    yield from (_term(word, language, stems) for language in (*Language, None))
    if not word.isascii():  # said by somebody who types no accents
        yield _term(fold(word), Language.FRENCH, stems)
    elif ending := _UNACCENTED.search(word):  # asked by one
        yield _term(f"{word[: ending.start()]}é{ending[1]}", Language.FRENCH, stems)
