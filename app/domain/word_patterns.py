"""Word lists as regular expressions, for plain text (`app.domain.wording.plain`)."""

import re
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
