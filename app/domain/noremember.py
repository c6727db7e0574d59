"""The tag by which a person keeps a turn out of the memory."""

import re

_AT_THE_END = re.compile(r"(?<![\w#])#noremember[^\w#]*\Z", re.IGNORECASE)


def is_noremember(text: str) -> bool:
    """Whether `text` ends in `#noremember`: any case, trailing punctuation or blanks allowed. Elsewhere it is text."""
    return _AT_THE_END.search(text) is not None
