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
    UPDATES = 64
    DENIES = 128
    PREFERS = 256


_TIMED: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|since|recently|morning|evening"
    r"|night|hier|demain|aujourd|semaines?|mois|annees?|depuis|derniere?|prochaine?|matin|soir|midi|minuit"
    r"|heures?|noon|o'clock|(?:19|20)\d\d|\d{1,2} ?(?:h(?:\d\d)?|[ap]m)"
    rf"|{'|'.join([*MONTHS, *WEEKDAYS])})\b"
)
_COUNTED: Final = re.compile(
    rf"\d|\b(?:one|dozens?|couple|once|twice|douzaines?|dizaines?|quinzaine|{'|'.join(NUMBER_WORDS)})\b"
)
_TITLED: Final = re.compile(r'"[^"]{2,60}"')
_OPENS: Final = r"(?:^|[.!?\n;:]\s*|\b(?:please|svp|stp|s'il (?:te|vous) plait),? )"
"""Where a sentence begins, and with it an order."""
_NO_ORDER: Final = r"(?:an?|the|so|up|here|there|good|great|happy|glad|mind|again|been|ha[ds]|have|love|\w+ing|\w+ed)\b"
"""What follows in "always happy to help", "never been there"."""
_ORDERS: Final = re.compile(
    rf"{_OPENS}(?:always(?! {_NO_ORDER})|never(?! {_NO_ORDER})|from now on|desormais|toujours"
    r"|(?:ne |n')?[\w-]+(?:e|s|ez)(?:-\w+)? (?:toujours|jamais))\b"
    r"|\b(?:from now on|(?:when(?:ever)?|every time|each time) i ask|i want you to|you (?:should|must) (?:always|never)"
    r"|a partir de maintenant|(?:quand|chaque fois que|des que|lorsque) je (?:te|vous) (?:demande|pose)"
    r"|je veux que (?:tu|vous))\b"
)
_PREFERS: Final = re.compile(
    r"\b(?:i(?:'d| would)? (?:much )?(?:rather|prefer)|we prefer|please (?:make sure|include|use|provide|ensure)"
    r"|(?:je|on) prefer(?:e|erais|erait)|nous preferons|j'aime(?:rais)? mieux)\b"
)
_UPDATES: Final = re.compile(
    r"\b(?:now|recently|updat(?:ed?|ing)|new|increased|improved|grown|extended|expanded|mov(?:ed|ing)|changed|switched"
    r"|instead|no longer|anymore|rescheduled|postponed|reached|added|already|just"
    r"|maintenant|recemment|nouveaux?|nouvel(?:les?)?|desormais|dorenavant|finalement|plutot|au lieu|augmente|baisse"
    r"|passes? (?:a|de)|passee? (?:a|de)|change|decale|reporte|deplace|remplace|ajoute|deja|on est a|n'est plus"
    r"|a partir (?:de|du|d')|a compter|mont(?:e|er|ons|es) a|pass(?:er|ons) a|et (?:non|pas)|amelior\w+|retard|ok pour"
    r"|d'accord pour|dit oui|accept\w+|as of|later|delayed|rather|ne .{1,20} plus|viens de|vient de|venons de)\b"
)
_DENIES: Final = re.compile(
    r"\b(?:never|haven't|hasn't|not yet|don't have|didn't|jamais|pas encore|n'(?:ai|a|avons|ont|avait) (?:pas|aucun))\b"
)


def marks_of(text: str) -> Mark:
    """The marks of a text: it ends as a question, asks one anywhere; its first words name a time, a number, a title,
    tell once and for all how things are to be done, how one likes them, that something is other than before, or that
    it never was.
    """
    flat = plain(text[:GLANCE])
    found = {
        Mark.ENDS_ASKING: text.rstrip().endswith("?"),
        Mark.ASKS: "?" in text,
        Mark.TIMED: _TIMED.search(flat),
        Mark.COUNTED: _COUNTED.search(flat),
        Mark.TITLED: _TITLED.search(flat),
        Mark.ORDERS: _ORDERS.search(flat),
        Mark.PREFERS: _PREFERS.search(flat),
        Mark.UPDATES: _UPDATES.search(flat),
        Mark.DENIES: _DENIES.search(flat),
    }
    marks = Mark(0)
    for mark, there in found.items():
        if there:
            marks |= mark
    return marks
