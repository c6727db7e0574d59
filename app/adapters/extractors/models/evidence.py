"""What a model may quote: the words that the speaker stated, found again where it copied them nearly."""

import re

from app.domain.own_words import own_words
from app.domain.wording import plain


def stated_words(message: str) -> str:
    """The message as far as it may state something, with blanks for the rest; same offsets.

    Blank are pasted matter, our own memory block, quotations, orders to the memory: as for the rules.
    """
    return own_words(message).text


def grounded(raw: object, message: str, shown: str) -> object:
    """The draft with its evidence as it stands in the message; without any where that is not among the words shown.

    Models write an apostrophe or a no-break space in their own way: only such differences are made good.
    """
    if not isinstance(raw, dict):
        return raw
    span = _span(shown, raw.get("evidence"))
    told = {name: value for name, value in raw.items() if name != "valid_from"}  # days are read off the words
    return {**told, "evidence": message[span[0] : span[1]] if span else None}


def _span(shown: str, evidence: object) -> tuple[int, int] | None:
    quoted = evidence.strip() if isinstance(evidence, str) else ""
    if not re.search(r"\w", quoted):
        return None
    at = shown.find(quoted)
    if at < 0:
        at = plain(shown).find(plain(quoted))
    return (at, at + len(quoted)) if at >= 0 else None
