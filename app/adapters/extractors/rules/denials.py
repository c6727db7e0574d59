"""What a statement denies: an amount that does not hold, or no longer; and what only looks like a denial."""

import re
from typing import Final

_LINKS: Final = r"(?: (?:de|d'|a|en|des|pendant|le|les|la|au|a partir de|at|for|on|in|within|from))?"
_NO_DENIAL: Final = r"(?! (?:que|plus|apres|moins|sous|avant|only|just|before|until|after|under|over|more|less)\b)"
"""What follows where the amount bounds something: "not before 7", "plus que 12 €"."""
_FRENCH: Final = rf"\bn(?:e |')(?:(?!pas )[\w']+ ){{1,2}}(?:plus|pas|jamais){_NO_DENIAL}(?: \w+(?:ee?s?|es|ts?))?"
_ENGLISH: Final = rf"(?:\b(?:no longer|not|never)|n't){_NO_DENIAL}(?: \w+)??"
_DENIED: Final = re.compile(rf"(?:{_FRENCH}|{_ENGLISH}){_LINKS} ?[€$£]?$")
_INSTEAD: Final = re.compile(r"\b(?:mais|but|c'est|it's)\b")
_BOUNDS: Final = re.compile(r"\b(?:depass|exced|exceed)\w*\b")
_ONLY: Final = re.compile(r"\bn(?:e |')(?:[\w']+ ){1,3}(?:que\b|qu')")
_ENDED: Final = re.compile(r"\bn(?:e |')(?:(?!pas )[\w']+ ){1,2}plus\b|\bno longer\b|\bany ?more\b")
_BY: Final = re.compile(
    r"\b(?:baiss|augment|redui|diminu|mont|descend|rais|lower|cut|reduc|increas|dropp)\w*\b.*\b(?:de|by|d'environ) ?$"
)


def denies(before: str) -> bool:
    """Whether the amount behind these words (plain text) does not hold: "ne coûte plus", "no longer for"."""
    return _DENIED.search(before) is not None and _BOUNDS.search(before) is None


def puts_instead(between: str) -> bool:
    """Whether the amount behind these words takes the place of the denied one before them."""
    return _INSTEAD.search(between) is not None


def says_only(text: str) -> bool:
    """ "On ne livre qu'en France": nothing is denied of what it names."""
    return _ONLY.search(text) is not None


def is_ended(text: str) -> bool:
    """Whether something is said to have been so: "n'est plus", "no longer"."""
    return _ENDED.search(text) is not None


def is_difference(before: str) -> bool:
    """Whether the amount behind these words tells by how much something moved, not where it is now."""
    return _BY.search(before) is not None
