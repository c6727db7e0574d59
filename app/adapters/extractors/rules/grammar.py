"""Questions put to both languages alike."""

import re
from functools import cache
from re import Pattern

from app.adapters.extractors.rules.english import ENGLISH
from app.adapters.extractors.rules.french import FRENCH
from app.adapters.extractors.rules.patterns import Grammar

BOTH = (FRENCH, ENGLISH)


def of(language: str) -> Grammar:
    """What the rules know of a language."""
    return FRENCH if language == "fr" else ENGLISH


def either_has(text: str, french: Pattern[str], english: Pattern[str]) -> bool:
    """Whether one of the two occurs in the plain text: people mix their languages."""
    return french.search(text) is not None or english.search(text) is not None


@cache
def _lead(language: str) -> Pattern[str]:
    own, other = (FRENCH, ENGLISH) if language == "fr" else (ENGLISH, FRENCH)
    return re.compile(rf"[\W_]*(?:(?:{own.lead}|{other.lead})(?:(?<=')|(?![\w'-]))[\s,:!.;…—–-]*)+")


def without_lead(text: str, language: str) -> int:
    """Where the statement begins behind greetings and "just so you know", "sache que"…"""
    match = _lead(language).match(text)
    if match and re.search(r"\w", text[match.end() :]):
        return match.end()
    return len(text) - len(text.lstrip(" ,;:!.-"))


def is_lead(text: str, language: str) -> bool:
    """Whether the text is nothing but such an opening."""
    return _lead(language).fullmatch(text) is not None


def has_clause(verbal: str, language: str) -> bool:
    """Whether the text begins with a subject and its verb (behind a lead)."""
    return of(language).clause.match(verbal[without_lead(verbal, language) :]) is not None


def is_updated(text: str) -> bool:
    """Whether the statement says itself that things have changed."""
    return either_has(text, FRENCH.update, ENGLISH.update)


def points_at_person(text: str) -> bool:
    """ "C'est Bastien qui valide…", "it's Priya who looks after…"."""
    return re.match(r"(?:c'est|it's|it is)\s+(?:\w+\s+){1,4}(?:qui|who|that)\b", text) is not None
