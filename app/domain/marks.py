"""What can be told of a text at a glance, beside its words: kept with its document, weighed when one asks."""

import re
from enum import IntFlag
from typing import Final

from app.domain.calendar_words import MONTHS, NUMBER_WORDS, WEEKDAYS
from app.domain.wording import plain

GLANCE: Final = 400
"""Characters from the beginning of a text that are looked at for what it holds."""


class Mark(IntFlag):
    """A text's marks. The values are kept: they must not change their meaning."""

    ENDS_ASKING = 1
    ASKS = 2
    TIMED = 4
    COUNTED = 8
    TITLED = 16
    ORDERS = 32


_TIMED: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|since|recently|morning|evening"
    r"|night|hier|demain|aujourd|semaines?|mois|annees?|depuis|derniere?|prochaine?|matin|soir|(?:19|20)\d\d"
    rf"|{'|'.join([*MONTHS, *WEEKDAYS])})\b"
)
_COUNTED: Final = re.compile(
    rf"\d|\b(?:one|dozens?|couple|once|twice|douzaines?|dizaines?|quinzaine|{'|'.join(NUMBER_WORDS)})\b"
)
_TITLED: Final = re.compile(r'"[^"]{2,60}"')
_ORDERS: Final = re.compile(
    r"\b(?:always|never|whenever|from now on|every time|when i ask|i prefer|i want you to"
    r"|please (?:make sure|include|use|provide|ensure)"
    r"|toujours|jamais|desormais|a chaque fois|chaque fois que|des que je|quand je te demande|je prefere)\b"
)


def marks_of(text: str) -> Mark:
    """The marks of a text: it ends as a question, asks one anywhere; its first words name a time, a number, a title,
    or tell once and for all how things are to be done.
    """
    flat = plain(text[:GLANCE])
    found = {
        Mark.ENDS_ASKING: text.rstrip().endswith("?"),
        Mark.ASKS: "?" in text,
        Mark.TIMED: _TIMED.search(flat),
        Mark.COUNTED: _COUNTED.search(flat),
        Mark.TITLED: _TITLED.search(flat),
        Mark.ORDERS: _ORDERS.search(flat),
    }
    marks = Mark(0)
    for mark, there in found.items():
        if there:
            marks |= mark
    return marks
