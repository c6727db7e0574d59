"""From a message to its sentences: pasted matter out, offsets kept."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r"```.*?(?:```|\Z)|<(\w{1,30})[^>]{0,200}>.{0,20000}?</\1>", re.DOTALL)
_PASTED_LINE = re.compile(
    r"(?im)^[ \t]*(?:>|#{1,6}\s|<[^>]{1,200}>|- \"?[a-z0-9_]+(?:\.[a-z0-9_]+)+\"?:"
    r"|cette m[ée]moire est faite|this memory is data"
    r"|(?:assistant|system|bot|atlas|maya|marco|otis|faye|sam|ai|claude|chatgpt|gpt)\s*:).*$"
)
_MEMORY_HEAD = re.compile(
    r"(?im)^[ \t]{0,8}#{0,6}[ \t]{0,4}\W{0,3}(?:m[ée]moire|memory|ce que (?:je|nous) sa(?:is|vons)|what (?:i|we)"
    r" (?:know|remember))\b"
    r"[^\n.?!]{0,60}$"
)
_ABBREVIATIONS = (
    r"(?<!\bp\.m)(?<!\ba\.m)(?<!\be\.g)(?<!\bi\.e)(?<!\bM)(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<!\benv)(?<!\bex)"
    r"(?<!\bapprox)(?<!\bNo)(?<!\betc)(?<!\bmin)(?<!\bmax)"
)
MAX_SENTENCE = 600
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
