"""A statement's text, made ready to be taken apart: numbers in digits, amounts as marks, capitals for names alone."""

import re
import unicodedata
from typing import Final

from app.domain.calendar_words import MONTHS, NUMBER_WORDS
from app.domain.concepts import is_concept, is_small, meaning_of
from app.domain.phrases import PHRASES
from app.domain.quantities import Quantity
from app.domain.wording import plain, words

_OPENERS: Final = frozenset(words("starting instead since depuis used hors plus fini thanks after apres avant before"))
_STOPS: Final = re.compile(r"[;:,.]\s")
_TITLED: Final = frozenset(words("noel christmas europe european english french german spanish italian dutch swiss"))
_DAILY: Final = re.compile(r"\b(?:every day|everyday|tous les jours|chaque jour|7 ?(?:j|days|jours)? ?(?:/|sur) ?7)\b")
_ONE: Final = re.compile(r"\b(?:[Oo]ne|[Uu]ne?)(?= (?:year|month|week|hour|an|mois|semaine|heure)s?\b)")
_NUMBER: Final = re.compile(
    r"\b(?:quinze|vingt|trente|quarante|cinquante|fifteen|twenty|thirty|forty|fifty)(?= [a-zà-ÿ])", re.IGNORECASE
)
_AFTER_NOON: Final = re.compile(r"\b(1?\d) ?(?:h|heures?) ?(\d\d)? (?:de l['’]apr[eè]s-midi|du soir)")
_HAVE: Final = re.compile(r"['’]ve\b", re.IGNORECASE)
NEGATIONS: Final = frozenset(words("pas jamais aucun aucune rien sans ni not never no none neither nor without non"))


def clauses(b: str) -> list[str]:
    """The parts of a statement between its stops, where it has several."""
    parts = [part.strip() for part in _STOPS.split(b)]
    return [part for part in parts if part.count(" ") > 1] if len(parts) > 1 else []


def spelled(content: str) -> str:
    """With amounts written as `find_quantities` reads them."""
    text = _HAVE.sub(" have", unicodedata.normalize("NFC", content.lower() if content.isupper() else content))
    text = _NUMBER.sub(lambda match: str(NUMBER_WORDS[plain(match[0])]), text)
    text = _AFTER_NOON.sub(lambda match: f"{int(match[1]) % 12 + 12}h{match[2] or ''}", text)
    return _ONE.sub("1", text)


def marked(content: str, amounts: list[Quantity]) -> str:
    """Plain text with amounts as `¤kind0`, and capitals for what may be a name."""
    flat, pieces, at = plain(content), list[str](), 0
    for place, one in enumerate(amounts):
        pieces += [_with_capitals(content, flat, at, one.start), f" ¤{one.kind}{place} "]
        at = one.end
    pieces.append(_with_capitals(content, flat, at, len(content)))
    text = re.sub(r"\s+", " ", "".join(pieces)).strip()
    return _DAILY.sub(" _often=daily_ ", text)


def _with_capitals(content: str, flat: str, start: int, end: int) -> str:
    def written(match: re.Match[str]) -> str:
        at, word = start + match.start(), match[0]
        if not content[at].isupper() or len(word) < 2 or is_small(word) or word in NEGATIONS or word in MONTHS:
            return word
        if re.search(r"[^\W_]", content[:at]) is None:
            named = meaning_of(word) is None and not _opens(word)
        else:
            acronym = len(word) < 5 and content[at : at + len(word)].isupper()
            named = not (is_concept(word) and (acronym or word in _TITLED))
        return word[0].upper() + word[1:] if named else word

    return re.sub(r"[^\W\d_]+", written, flat[start:end])


def _opens(word: str) -> bool:
    """Whether the word is one that begins a statement without being a name."""
    return word in _OPENERS or any(pattern.fullmatch(word) for pattern, _ in PHRASES)
