"""What the two languages have in common for the rules: subjects, verbs, tense, mood. All over plain text."""

import re
from functools import cache
from types import ModuleType

from app.adapters.extractors.rules import english, french

_ANY_WORD = r"[a-z][a-z'-]*"
_CLITICS = r"(?:(?:ne|n'|se|s'|y|en|le|la|les|l'|lui|leur|me|m'|te|t'|nous|vous|don't|do|can|can't|also|just|only|always|never|still|now|usually|mostly|ai|a)\s?)*"


def of(language: str) -> ModuleType:
    """The patterns of a language."""
    return french if language == "fr" else english


@cache
def compiled(language: str, name: str) -> re.Pattern[str]:
    """One named pattern of a language."""
    return re.compile(str(getattr(of(language), name)))


def found(text: str, language: str, name: str) -> bool:
    """Whether a named pattern of the language occurs in the plain text."""
    return compiled(language, name).search(text) is not None


@cache
def _lead(language: str) -> re.Pattern[str]:
    other = english if language == "fr" else french
    one = rf"(?:{of(language).LEAD}|{other.LEAD})"
    return re.compile(rf"[\W_]*(?:{one}(?![\w'-])[\s,:!.;…—–-]*)+")


def without_lead(text: str, language: str) -> int:
    """Where the statement begins behind greetings and "just so you know", "sache que"…"""
    match = _lead(language).match(text)
    return match.end() if match and match.end() < len(text) else len(text) - len(text.lstrip(" ,;:!.-"))


@cache
def _clause(language: str) -> re.Pattern[str]:
    grammar = of(language)
    subject = rf"{grammar.SUBJECT}(?:\s|(?<='))\s?{_CLITICS}{_ANY_WORD}|(?:we're|we've|i'm|i've|they're|it's|c'est|there's|il y a)\s\w+"
    noun_phrase = (
        rf"(?:[\w'&.@-]+[ ,]+){{1,8}}?(?:ne |n'|se |s'|nous |vous |y |en |lui |leur )?{grammar.FINITE}(?=\s|$|[,.;!])"
    )
    return re.compile(rf"(?:{subject}|{noun_phrase})")


def has_clause(text: str, language: str) -> bool:
    """Whether the text begins with a subject and its verb."""
    return _clause(language).match(text[without_lead(text, language) :]) is not None


def points_at_person(text: str) -> bool:
    """ "C'est Bastien qui valide…", "it's Priya who looks after…"."""
    return re.match(r"(?:c'est|it's|it is)\s+(?:\w+\s+){1,4}(?:qui|who|that)\b", text) is not None
