"""What a question tells beside its words: whom it names, when it means, and what kind of answer it wants."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from app.domain.calendar_words import MONTHS
from app.domain.wording import plain


@dataclass(frozen=True, slots=True)
class Period:
    """A month that a question names, of a `year` or of any, and perhaps the `day` in it."""

    month: int
    year: int | None = None
    day: int | None = None

    def nearness(self, said: date) -> float:
        """How well a day on which something was said fits: 2 up to ten days after the day that is named, 1 in the
        month, ½ in the first twelve days after it; things are told when they are over.
        """
        if self.day is not None and 0 <= self._days_since(said) <= SOON_AFTER_DAY:
            return 2.0
        months = (said.year - (self.year or said.year)) * 12 + said.month - self.month
        if months == 0:
            return 1.0
        follows = months == 1 or (self.year is None and months == -11)
        return 0.5 if follows and said.day <= SOON_AFTER_MONTH else 0.0

    def _days_since(self, said: date) -> int:
        try:
            return (said - date(self.year or said.year, self.month, self.day or 1)).days
        except ValueError:
            return -1


SOON_AFTER_DAY: Final = 10
SOON_AFTER_MONTH: Final = 12


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, `text` without the names of those who may have answered it; `named` are the ids of whom it names.

    `periods` are the times that it means. The rest says what it wants to know: when, how many, what something is
    called, what the assistant had said, how something stands now, whether something is so; or that it asks to be
    helped, in the manner once wished for.
    """

    text: str
    named: frozenset[str] = frozenset()
    periods: tuple[Period, ...] = ()
    when: bool = False
    how_many: bool = False
    title: bool = False
    of_assistant: bool = False
    current: bool = False
    whether: bool = False
    for_help: bool = False


_WHEN: Final = re.compile(
    r"^\W*(?:when|since when|how long ago|(?:on |in )?(?:what|which) (?:day|date|month|year|time|week)"
    r"|quand|depuis quand|(?:a |en )?quel(?:le)?s? (?:jour|date|mois|heure|semaine|annee))\b"
    r"|\bwhen did\b|\bquand est-ce\b"
)
_HOW_MANY: Final = re.compile(
    r"\bhow (?:many|much|long|old|often)\b|\bwhat (?:percentage|number|amount|price)\b"
    r"|\bcombien\b|\bquels? (?:est le |sont les )?(?:prix|montant|nombre|tarif|pourcentage)s?\b"
)
_TITLE: Final = re.compile(
    r"\b(?:names?|titles?|called|books?|songs?|movies?|films?|games?|bands?|series"
    r"|noms?|titres?|livres?|chansons?|appel(?:le|lent|ait)|marques?)\b"
)
_OF_ASSISTANT: Final = re.compile(
    r"\b(?:you|your)\b.*\b(?:recommend|suggest|advis|mention|provid|explain|help|told|tell|said|say|propos|list|gave|give"
    r"|outlin|describ)|\b(?:recommend|suggest|advis)ed\b"
    r"|\b(?:tu|vous)\b.*\b(?:recommand|sugger|conseill|propos|expliqu|indiqu|dit|donn|mentionn|list)"
)
_FOR_HELP: Final = re.compile(
    r"^\W*(?:can you|could you|how (?:do|should|can|would|could) i|what|which|i |please|help|show|give|explain|suggest"
    r"|(?:tu )?peux[- ]|pouvez|pourr(?:ais|iez)|comment|aide|montre|donne|explique|propose|redige|ecris)"
    r"|\b(?:can you|could you|would you|should i|how (?:do|should|can|would|could) i|recommend|suggest|help me"
    r"|peux[- ]tu|pouvez[- ]vous|aide[- ]moi|conseille|recommande|suggere)"
)
_RECALLS: Final = re.compile(
    r"\b(?:did|was|were|(?:have|has|had) (?:i|we|you|he|she|they)|(?:have|has|had|'ve) (?:\w+ )?\w+ed|mentioned|told"
    r"|said|brought|so far|(?:our|my|these|those) (?:\w+ )?(?:conversations?|discussions?|chats?|sessions?)"
    r"|ai-je|as-tu|a-t-\w+|avons-nous|avez-vous|ont-\w+"
    r"|(?:j'ai|tu as|on a|il a|elle a|nous avons|vous avez|ils ont|elles ont) \w+"
    r"|etai(?:t|ent|s)|avai(?:t|ent|s)|disait|jusqu'ici)\b"
)
"""What was said or done is asked for, not what is to be done."""
_CURRENT: Final = re.compile(
    r"^\W*(?:how (?:many|much|long|often|old)\b|(?:what|when|where|who)(?:'s| is| are)\b|what \w+(?: \w+)? (?:is|are)\b"
    r"|combien\b|quels? (?:est|sont)\b|quelles? (?:est|sont)\b|(?:a |en )?quel(?:le)?s? [\w ]{2,30}\b|c'est quoi\b"
    r"|qui (?:est|sont|livre|fait|gere|fournit)\b|quand (?:est|a lieu|ouvre|ferme|part)\b|ou (?:est|sont|en est)\b)"
)
_PAST: Final = re.compile(
    r"\b(?:did|was|were|different|across|combined|suggest|recommend|between|passed|in total|originally|first|before"
    r"|used to|etai(?:t|ent|s)|avai(?:t|ent|s)|entre|au total|en tout|avant|premiere?|au depart|au debut|a l'origine)\b"
)
_WHETHER: Final = re.compile(
    r"^\W*(?:have|has|did|do|does|am|is|are|was|were|est-ce qu|a-t-|ai-je|avons-nous|on a deja|j'ai deja|ont-ils)"
)
_MONTHS: Final = "|".join(MONTHS)
_PERIOD: Final = re.compile(
    rf"(?:\b(?P<before>\d{{1,2}})(?:st|nd|rd|th|er)? (?:of )?)?\b(?P<month>{_MONTHS})\b\.?"
    r"(?: (?P<behind>\d{1,2})(?:st|nd|rd|th)?(?!\d))?,?(?: (?P<year>(?:19|20)\d\d))?"
)
_OTHER_WORDS: Final = frozenset({"may", "march", "mars", "mai"})
"""Months that are also other words in one of the languages: months only where they stand as such."""
_INTRODUCED: Final = re.compile(
    r"\b(?:in|of|since|by|until|during|last|next|en|mois de|depuis|avant|debut|fin|mi-?) ?$"
)


def asked(text: str, names: Mapping[str, str | None]) -> Asked:
    """A question as it is, with those whom it names left out of its words; `names` are display names by person's id."""
    left, named = text, set[str]()
    for user_id, name in names.items():
        pattern = _name_pattern(name, text)
        if pattern is not None and pattern.search(left):
            left = pattern.sub(" ", left)
            named.add(user_id)
    flat = plain(text)
    return Asked(
        text=" ".join(left.split()) if named else text,
        named=frozenset(named),
        periods=tuple(_periods(text, flat)),
        when=_WHEN.search(flat) is not None,
        how_many=_HOW_MANY.search(flat) is not None,
        title=_TITLE.search(flat) is not None,
        of_assistant=_OF_ASSISTANT.search(flat) is not None,
        current=_CURRENT.search(flat) is not None and _PAST.search(flat) is None,
        whether=_WHETHER.search(flat) is not None,
        for_help=_FOR_HELP.search(flat) is not None and _RECALLS.search(flat) is None,
    )


def _name_pattern(name: str | None, text: str) -> re.Pattern[str] | None:
    """Someone's name in a sentence, whole or the first of it. In capitals, as names are, for many are words as well;
    of somebody who writes none at all, in any.
    """
    parts = (name or "").split()
    if not parts or len(parts[0]) < 2:
        return None
    rest = "".join(rf"(?:\s+{re.escape(part)})?" for part in parts[1:])
    case = re.NOFLAG if any(char.isupper() for char in text) else re.IGNORECASE
    return re.compile(rf"(?<!\w){re.escape(parts[0])}{rest}(?:['’]s)?(?!\w)", case)


def _periods(text: str, flat: str) -> list[Period]:
    found = []
    for match in _PERIOD.finditer(flat):
        month, day, year = match["month"], match["before"] or match["behind"], match["year"]
        capital = text[match.start("month")].isupper() and match.start("month") > 0
        told = day or year or capital or _INTRODUCED.search(flat[: match.start()])
        if month in _OTHER_WORDS and not told:
            continue
        found.append(Period(MONTHS[month], int(year) if year else None, int(day) if day else None))
    return found
