"""A message's prose, and the code that is fenced off in it: what somebody says, and what they show with it."""

import re
from typing import Final

_FENCED: Final = re.compile(r"(?ms)^[ \t]*(?P<fence>```|~~~).*?(?:^[ \t]*(?P=fence)[`~]*[ \t\r]*$|\Z)")


def prose_first(text: str) -> str:
    """The text with its code behind its prose.

    What a text is about is looked for at its beginning; whoever shows code often asks below it, pages further down.
    """
    code = [match[0] for match in _FENCED.finditer(text)]
    return "\n".join([_FENCED.sub("", text), *code]) if code else text
