"""Word lists as regular expressions, and the shape of what the rules know of a language."""

import re
from dataclasses import dataclass
from re import Pattern

START, END = r"(?<![\w])", r"(?:(?<=')|(?!\w))"
"""Edges of a word; a form that ends in an apostrophe ends there."""


def either(block: str) -> str:
    """The lines of `block` as alternatives of one group; a line may hold several, with "|" between them.

    A line that ends in a backslash goes on in the next.
    """
    whole = re.sub(r"\\\n\s*", "", block.strip())
    return "(?:" + "|".join(line.strip() for line in whole.splitlines()) + ")"


def any_of(block: str) -> Pattern[str]:
    """One of the alternatives of `block`, as whole words."""
    return re.compile(START + either(block) + END)


@dataclass(frozen=True, slots=True)
class Grammar:
    """What one language's sentences are known by. All patterns are for plain text: lower case, without accents.

    `past` and `clause` are for `Flat.verbal`, where "à" and final "é" are told from "a" and "e".
    """

    own: Pattern[str]
    """We, our shop."""
    speaker: Pattern[str]
    """I, my."""
    clause: Pattern[str]
    """A subject and its verb, at the start."""
    lead: str
    """What may stand before a statement: greetings, "just so you know"."""
    once: str
    """Verbs that order a piece of work."""
    lasting_orders: str
    """Verbs that may order a habit."""
    polite: str
    """What may stand before an imperative."""
    standing: Pattern[str]
    """Always, only, must: words of rules."""
    firm: Pattern[str]
    """Those of them that make a rule out of any "we" sentence."""
    lasting: Pattern[str]
    """Those of them that turn an order into a habit."""
    past: Pattern[str]
    """Narration."""
    change: Pattern[str]
    """Past verbs that leave things different: signed, moved, hired."""
    life: Pattern[str]
    """The same in a person's life."""
    ongoing: Pattern[str]
    """What somebody is doing at the moment."""
    passing: Pattern[str]
    """Moods, needs and states that do not last; talk about the talk."""
    supposed: Pattern[str]
    """Suppositions, doubts, ideas played with."""
    hedged: Pattern[str]
    """Said without certainty."""
    reported: Pattern[str]
    """What customers say, what one hears."""
    wish: Pattern[str]
    """I prefer, I hate, we want."""
    update: Pattern[str]
    """Says itself that things have changed."""
    session: Pattern[str]
    """For today only."""
    volatile: Pattern[str]
    """For this week, for now."""
    negation: Pattern[str]
