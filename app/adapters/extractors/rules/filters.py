"""Whether a sentence asks, for the rules, which know what may stand before it."""

import re

from app.adapters.extractors.rules import grammar
from app.domain.chatter import asks

_ASKED_PLAINLY = re.compile(
    r"\b(?:right|correct|c'est (?:bien )?ca|non|hein|pas vrai|isn't it|don't we|is she right)\W*$"
)


def is_question(text: str, language: str) -> bool:
    """Whether the sentence (plain text) asks: by its mark, or by its words where people leave the mark out."""
    body = text[grammar.without_lead(text, language) :]
    marked = re.search(r"\?[\s\"')\W]*$", text) is not None
    about_you = (
        re.match(r"(?:your|you|vous|tu|votre|vos)\b", body) is not None and _ASKED_PLAINLY.search(text) is not None
    )
    return marked or asks(body) or about_you
