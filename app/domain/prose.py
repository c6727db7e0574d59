"""A message's prose, and the code that is fenced off in it: what somebody says, and what they show with it."""

import re
from typing import Final

_FENCED: Final = re.compile(r"(?ms)^[ \t]*(?P<fence>```|~~~).*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)")


def prose_first(text: str) -> tuple[str, str]:
    """The prose of a text, and the whole of it with its code behind the prose; of code alone both are the text.

    What a text is about is looked for at its beginning. Whoever shows code often asks below it, pages further down.
    """
    code = [match[0] for match in _FENCED.finditer(text)]
    prose = _FENCED.sub("", text).strip() if code else text
    return (prose, "\n".join([prose, *code])) if prose else (text, text)
