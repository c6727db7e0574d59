"""From a message to its sentences; offsets stay."""

import re
from collections.abc import Iterator

_ABBREVIATIONS = (
    r"(?<!\bp\.m)(?<!\ba\.m)(?<!\be\.g)(?<!\bi\.e)(?<!\bM)(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<!\benv)(?<!\bex)"
    r"(?<!\bapprox)(?<!\bNo)(?<!\betc)(?<!\bmin)(?<!\bmax)"
)
MAX_SENTENCE = 600
_EMOJI = "\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d"
_END = re.compile(rf"{_ABBREVIATIONS}[.!?…]+[\"»”')]*(?=\s|$|[{_EMOJI}])|\n+\s*(?:[-•*]\s+)?|[{_EMOJI}]+(?=\s|$)")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, with its own final mark, without blanks and bullets around it.

    One without an end is cut at a blank after `MAX_SENTENCE` characters at most.
    """
    at = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        while at < end:
            cut = end if end - at <= MAX_SENTENCE else text.rfind(" ", at, at + MAX_SENTENCE) + 1 or at + MAX_SENTENCE
            cut = max(cut, at + 1)
            piece = text[at:cut]
            if re.search(r"\w", piece):
                yield at + len(piece) - len(piece.lstrip("•*-– \n\t")), at + len(piece.rstrip())
            at = cut
