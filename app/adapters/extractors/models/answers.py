"""The loose envelope: from a model's text to raw drafts, or to nothing at all.

What stands around a whole envelope is passed over: a fence, thoughts, prose. Of an envelope that is not whole nothing
is taken, for what was cut off may have changed what went before; and an answer without one is not "no facts".
"""

import json
import re
from typing import Final

from app.adapters.extractors.models.wire import UNREADABLE, BadAnswerError

ENVELOPE: Final = "facts"
_BEGINS: Final = ("{", "[", '"')
_THOUGHTS: Final = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCED: Final = re.compile(r"```[\w-]*\s*\n?(.*?)```", re.DOTALL)


def raw_drafts(text: str) -> list[object]:
    """The drafts of an answer. Raises BadAnswerError where there is no envelope, or more than one."""
    answer = _THOUGHTS.sub("", text, count=1).strip()
    found = [value for piece in _pieces(answer) if (value := _whole(piece)) is not None]
    if len(found) != 1:
        raise BadAnswerError(UNREADABLE)
    return found[0]


def _pieces(answer: str) -> list[str]:
    """The whole answer where it begins as JSON or holds no fence with JSON, else what is in its fences."""
    if answer[:1] in _BEGINS:
        return [answer]
    fenced = [piece.strip() for piece in _FENCED.findall(answer)]
    return [piece for piece in fenced if piece[:1] in _BEGINS] or [answer]


def _whole(piece: str) -> list[object] | None:
    """The drafts of the one envelope in the piece; prose may stand before and behind it."""
    start = 0 if piece[:1] in _BEGINS else piece.find("{")
    if start < 0:
        return None
    try:
        value, end = json.JSONDecoder().raw_decode(piece, start)
        if isinstance(value, str):  # written twice
            value = json.loads(value)
    except (ValueError, RecursionError):
        return None
    if f'"{ENVELOPE}"' in piece[end:]:
        return None
    return _drafts(value)


def _drafts(value: object) -> list[object] | None:
    """A list under the envelope's name, a bare list, or one draft where a list of one was meant."""
    if isinstance(value, dict):
        if ENVELOPE not in value:
            return None
        value = value[ENVELOPE]
    if isinstance(value, dict):
        return [value]
    return value if isinstance(value, list) else None
