"""The shape of what the rules know of a language."""

from dataclasses import dataclass
from re import Pattern


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
    hedged: Pattern[str]
    """Said without certainty."""
    wish: Pattern[str]
    """I prefer, I hate, we want."""
    update: Pattern[str]
    """Says itself that things have changed."""
    session: Pattern[str]
    """For today only."""
    volatile: Pattern[str]
    """For this week, for now."""
    negation: Pattern[str]
