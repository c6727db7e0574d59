"""A message from which pieces are taken out, each for a reason, so that what is left can be read on its own."""

import re
from collections.abc import Iterable

_SHOWN = re.compile(r"\S")


class Sieve:
    """A text whose pieces become blanks; lines stay lines, and offsets in `text` hold in the message."""

    def __init__(self, message: str) -> None:
        self.text = message
        self._message = message
        self._taken: list[tuple[int, int, str]] = []

    def take(self, spans: Iterable[tuple[int, int]], reason: str) -> None:
        """Blank these pieces; one that was blank before keeps its first reason."""
        parts, at = list[str](), 0
        for start, end in sorted(spans):
            piece = self.text[max(start, at) : end]
            if _SHOWN.search(piece):
                parts += self.text[at:start], re.sub(r"[^\n]", " ", piece)
                at = end
                self._taken.append((start, end, reason))
        self.text = "".join(parts) + self.text[at:]

    def reason(self, start: int, end: int) -> str | None:
        """Why something of this piece was taken, the first reason; None where nothing was."""
        return next((why for first, last, why in self._taken if first < end and start < last), None)

    def taken_behind(self, at: int) -> bool:
        """Whether what follows was taken: the words before it only hand it over."""
        following = _SHOWN.search(self._message, at)
        return following is not None and self.reason(*following.span()) is not None

    def holds(self, start: int, end: int) -> bool:
        """Whether a word of this piece is left."""
        return re.search(r"\w", self.text[start:end]) is not None
