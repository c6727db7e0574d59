"""What stands in a message and nobody states: our own memory given back to us, code, logs, other people's mail.

Whoever copies the prompt into the chat, or answers above a quoted block, must not teach the memory what it said.
"""

import re
from collections.abc import Iterator
from typing import Final

from app.domain.block_wording import WORDINGS
from app.domain.sieve import Sieve
from app.domain.wording import plain

OWN_MEMORY, PASTED, PROMPT, REPLIED = "own_memory", "pasted", "system_prompt", "quoted"

_OPEN, _CLOSE = "<memory>", "</memory>"
_HEAD: Final = re.compile(
    r"[\s#*_]*\W{0,3}(?:memoire|memory|ce que (?:je|nous) sa(?:is|vons)|what (?:i|we)"
    r" (?:know|remember))\b[^\n.?!]{0,60}"
)
_HEADING: Final = re.compile(r"\s*#{1,6}\s")
_TITLES: Final = frozenset(plain(title).strip() for wording in WORDINGS.values() for title in wording.titles.values())
_ITEM: Final = re.compile(r"\s*(?:[-•*–#]|\d+[.)])\s")
_KEY = r"[a-z0-9_]+(?:\.[a-z0-9_]+)+"
_ENTRY: Final = re.compile(
    rf"\s*(?:[-•*–]\s*)?(?:{_KEY}|\d{{4}}-\d\d-\d\d(?:, [^:\n]{{1,80}})?)\s?:\s?[\"”“]"
    rf"|\s*[-•*–]\s*(?:\"?{_KEY}\"?:|[a-z0-9_]{{2,80}}\s?:\s?[\"”“]|[\"“][^\"\n]+[\"”]\s*$)"
)
_INLINE: Final = re.compile(rf"(?<![\w./@-]){_KEY}: \"[^\"\n]{{0,2000}}\"?")
_SAYINGS: Final = tuple(
    piece.strip()
    for wording in WORDINGS.values()
    for number, piece in enumerate(re.split(r"[,:.]", plain(wording.closing.removeprefix(f"{_CLOSE}\n"))))
    if number == 0 or len(piece.strip()) > 20
)
_CLOSING: Final = re.compile(rf"(?:{'|'.join(map(re.escape, _SAYINGS))})[^\n.]*\.?")

_FENCE: Final = re.compile(r"```.*?(?:```|\Z)|<(\w{1,30})[^>]{0,200}>.{0,20000}?</\1>", re.DOTALL)
_JSON: Final = re.compile(
    r"(?m)^[ \t]*[\[{]\s*(?:[\"{\[]|\n).*?(?:^[ \t]*[\]}][ \t]*,?[ \t]*$"
    r"|[\]}][ \t]*$|\Z)(?:\s*[\]},]+)*",
    re.DOTALL,
)
_PASTED_LINE: Final = re.compile(
    r"(?im)^[ \t]*(?:#{1,6}\s|<[^>]{1,200}>|\|.*\||[a-z]\w*\([^)\n]*\)\s*(?:=>|->|;|$)"
    r"|\[?\d{4}-\d\d-\d\d[T ,]\d\d:\d\d|\[\d{1,2}/\d{1,2}/\d{2,4},? \d"
    r"|(?:info|warn|warning|error|debug|trace|fatal)\b\s*[:\[|-]"
    r"|\[(?:info|warn|warning|error|debug|trace|tool|system)\b"
    r"|(?:get|post|put|patch|delete) /\S*|http/\d|traceback \(|at \S+\(.*:\d+|file \".*\", line \d+"
    r"|(?:tool|function)[ _](?:result|output|call|response)s?\b"
    r"|(?:resultat|sortie|r[ée]sultat) (?:de l')?(?:outil|tool)\b"
    r"|(?:assistant|system|bot|atlas|maya|marco|otis|faye|sam|ai|claude|chatgpt|gpt|copilot|gemini)"
    r"\s*(?:\([^)\n]*\))?\s*:).*$"
)
_REPLY_LINE: Final = re.compile(r"(?m)^[ \t]*>.*$")
_MAIL: Final = re.compile(
    r"(?m)^[ \t]*(?:-{2,} ?(?:forwarded message|message transfere|original message|message d'origine).*"
    r"|(?:le|on) [^\n]{6,120} (?:a ecrit|wrote) ?:"
    r"|(?:de|from|objet|subject|expediteur) ?: [^\n]+\n[ \t]*(?:a|to|de|from|date|envoye|sent|objet|subject|cc) ?: )"
)
_PROMPT: Final = re.compile(
    r"(?m)^[ \t]*(?:(?:you are|tu es|vous etes|act as|agis comme) (?:an?|the|un|une|l')?\s*(?:[\w' -]{0,40}\b)?"
    r"(?:assistant|agent|chatbot|bot|copilot|model|modele|ai|ia|expert)\w*\b"
    r"(?= ?[,.:]| (?:for|that|who|named|called|of|working|trained|powered|created|designed|speciali\w+|in|de|d'|du|des"
    r"|pour"
    r"|qui|nomme\w*|charge\w*|expert\w*|dedie\w*|virtuel\w*))"
    r"|(?:your|ton|votre) (?:role|task|job|goal|mission|tache|objectif) (?:is|est) (?:to|de|d')"
    r"|(?:system|assistant) (?:prompt|message|instructions?)\b|(?:instructions?|consignes?) (?:systeme|system)\b"
    r"|(?:you must|you should|always|never|tu dois|vous devez) (?:always |never |toujours |jamais )?"
    r"(?:respond (?:only )?in|reveal (?:this|these|your)|follow these|repondre en json|suivre ces))"
)


def sift_pasted(sieve: Sieve) -> None:
    """Take out what is pasted: our own memory whole or in part, markup, tool output, mail, somebody else's prompt."""
    sieve.take(_own_memory(sieve.text), OWN_MEMORY)
    for pattern in (_FENCE, _JSON):
        sieve.take([match.span() for match in pattern.finditer(sieve.text)], PASTED)
    sieve.take([match.span() for match in _REPLY_LINE.finditer(sieve.text)], REPLIED)
    sieve.take([match.span() for match in _PASTED_LINE.finditer(sieve.text)], PASTED)
    flat = plain(sieve.text)
    for pattern, reason in ((_MAIL, REPLIED), (_PROMPT, PROMPT)):
        if (found := pattern.search(flat)) is not None:
            sieve.take([(found.start(), len(flat))], reason)


def _own_memory(message: str) -> Iterator[tuple[int, int]]:
    """The pieces that come from a memory block: between its tags, under its headings, its lines, its closing."""
    flat, inside, at = plain(message), False, 0
    lines = flat.splitlines(keepends=True)
    for number, line in enumerate(lines):
        start, at = at, at + len(line)
        opened, closed = line.find(_OPEN), line.rfind(_CLOSE)
        if opened >= 0:
            yield start + opened, start + closed + len(_CLOSE) if closed > opened else at
            inside = closed < opened
        elif closed >= 0:
            yield start, start + closed + len(_CLOSE)
            inside = False
        elif _is_head(line, lines[number + 1 : number + 4]) or _ENTRY.match(line) or (inside and _goes_on(line)):
            yield start, at
            inside = True
        else:
            inside = False
    for pattern in (_INLINE, _CLOSING):
        yield from (match.span() for match in pattern.finditer(flat))


def _is_head(line: str, following: list[str]) -> bool:
    """A heading of ours; words that merely look like one need a list behind them."""
    if line.strip() in _TITLES or (_HEADING.match(line) and _HEAD.match(line)):
        return True
    items = next((later for later in following if later.strip()), "")
    return _HEAD.fullmatch(line.rstrip()) is not None and _ITEM.match(items) is not None


def _goes_on(line: str) -> bool:
    return not line.strip() or _ITEM.match(line) is not None
