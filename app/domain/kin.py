"""How two facts stand to each other, as they are worded."""

import re
from datetime import datetime
from typing import Final
from uuid import UUID

from app.domain.duplicates import relation
from app.domain.facts import Fact
from app.domain.likeness import Kinship, Likeness
from app.domain.notes import CATEGORY
from app.domain.precedence import is_watch
from app.domain.statements import read
from app.domain.terms import language_of, words
from app.domain.values import normalise
from app.domain.wording import plain

FEWEST_WORDS: Final = 3
"""Fewer do not say what they are about."""
_SENTENCE: Final = re.compile(r"\b(?:we|our|the|i|my|is|are|nous|on|notre|nos|je|mon|ma|mes|le|la|les|est|sont)\b|\bl'")


def kin(one: Fact, other: Fact, likeness: Likeness | None) -> Kinship:
    """How the later of two facts stands to the earlier. Of what one message stated, or the same sentence of two things,
    neither is the other.
    """
    if one.source.message is not None and one.source.message == other.source.message:
        return Kinship.APART
    older, newer = sorted((one, other), key=said)
    a, b = (read(wording(fact), language_of(words(fact.content)) or fact.language) for fact in (older, newer))
    kinship = relation(a, b, likeness)
    return Kinship.APART if kinship is Kinship.SAME and a.said == b.said and one.normal != other.normal else kinship


def wording(fact: Fact) -> str:
    """What the fact says; one that tells its value alone says of what by its key."""
    bare = normalise(fact.content) == fact.normal and _SENTENCE.search(plain(fact.content)) is None
    if not bare and len(fact.content.split()) >= FEWEST_WORDS:
        return fact.content
    return f"{' '.join(fact.ref.key.replace('.', ' ').replace('_', ' ').split())}: {fact.content}"


def said(fact: Fact) -> tuple[datetime, UUID]:
    """Its place in the order in which things were said."""
    return fact.last_reinforced_at, fact.id


def comparable(fact: Fact) -> bool:
    """Whether it is something that was stated about us."""
    return fact.behaviour is None and fact.traits.category != CATEGORY and not is_watch(fact)
