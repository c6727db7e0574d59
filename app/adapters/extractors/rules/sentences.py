"""From a message to its sentences: pasted matter out, offsets kept."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r"```.*?(?:```|\Z)|<(\w+)[^>]*>.*?</\1>", re.DOTALL)
_PASTED_LINE = re.compile(
    r"(?im)^[ \t]*(?:>|#{1,6}\s|<[^>]+>"
    r"|(?:assistant|system|bot|atlas|maya|marco|otis|faye|sam|ai|claude|chatgpt|gpt)\s*:).*$"
)
_MEMORY_HEAD = re.compile(
    r"(?im)^[ \t]*#{0,6}[ \t]*\W{0,3}(?:m[ée]moire|memory|ce que (?:je|nous) sa(?:is|vons)|what (?:i|we)"
    r" (?:know|remember))\b"
    r"[^\n.?!]{0,60}$"
)
_ABBREVIATIONS = (
    r"(?<!\bp\.m)(?<!\ba\.m)(?<!\be\.g)(?<!\bi\.e)(?<!\bM)(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<!\benv)(?<!\bex)"
    r"(?<!\bapprox)(?<!\bNo)(?<!\betc)(?<!\bmin)(?<!\bmax)"
)
_EMOJI = "\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d"
_END = re.compile(rf"{_ABBREVIATIONS}[.!?…]+[\"»”')]*(?=\s|$|[{_EMOJI}])|\n+\s*(?:[-•*]\s+)?|[{_EMOJI}]+(?=\s|$)")


def blank(text: str) -> str:
    """As many blanks as there were characters; lines stay lines."""
    return re.sub(r"[^\n]", " ", text)


def without_pasted(text: str) -> str:
    """The message with code, quoted lines, other speakers' lines and our own memory block blanked; same offsets."""
    text = _FENCE.sub(lambda match: blank(match[0]), text)
    head = _MEMORY_HEAD.search(text)
    if head is not None and re.match(r"\s*\n\s*(?:[-•*#]|\d+[.)])", text[head.end() :]):
        text = text[: head.start()] + blank(text[head.start() :])
    return _PASTED_LINE.sub(lambda match: blank(match[0]), text)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, with its own final mark, without blanks and bullets around it."""
    at = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        piece = text[at:end]
        if re.search(r"\w", piece):
            start = at + len(piece) - len(piece.lstrip("•*-– \n\t"))
            yield start, at + len(piece.rstrip())
        at = end
