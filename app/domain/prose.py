"""A message's prose, and the code that is fenced off in it: what somebody says, and what they show with it."""

import re
from typing import Final

_FENCED: Final = re.compile(
    r"(?ms)^[ \t]*(?:(?:[-*+>]|\d+[.)])[ \t]+)?(?P<fence>`{3,}|~{3,})[^`\n]*\n.*?^[ \t>]*(?P=fence)[`~]*"
)
"""Also in a list or a quotation; what stands behind the closing fence is prose. An open one fences nothing off."""


def prose_first(text: str) -> str:
    """The text with its code behind its prose.

    What a text is about is looked for at its beginning; whoever shows code often asks below it, pages further down.
    """
    code = [match[0] for match in _FENCED.finditer(text)]
    return "\n".join([_FENCED.sub("", text), *code]) if code else text
