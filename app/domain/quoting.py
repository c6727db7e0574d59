"""Words of others as quoted data: one line, nothing hidden, nothing that could leave its quotes."""

import re
import unicodedata
from typing import Final

_LOOK_ALIKES: Final = str.maketrans({"<": "‹", ">": "›", '"': "”", "`": "'"})
_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
_EMOJI: Final = "\u2190-\u2bff\U0001f000-\U0001faff"
_STRAY_JOINER: Final = re.compile(f"(?<![{_EMOJI}{_EMOJI_STYLE}]){_JOINER}|{_JOINER}(?![{_EMOJI}])")
_BLANKS: Final = re.compile(" {2,}")
# Drawn as nothing, though no format characters: joiners of other scripts, fillers, selectors (they can carry text).
_DRAWN_AS_NOTHING: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0e\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)


def one_line(text: str) -> str:
    """`text` as one visible line without markup, trimmed.

    Line ends and controls become spaces; characters that hide, join or turn text round are gone, but for the joiners
    inside emoji; `<`, `>`, `"` and the backtick become look-alikes. All else stays as it was said, no-break spaces too.
    """
    shown = _DRAWN_AS_NOTHING.sub("", text)
    if not shown.isprintable():  # most texts are, and the rest is looked at sign by sign
        shown = _STRAY_JOINER.sub("", "".join(map(_shown, shown)))
    shown = shown.translate(_LOOK_ALIKES)
    return _BLANKS.sub(" ", shown).strip()


def quoted(text: str) -> str:
    """`text` as one line between straight double quotes, none of which it can hold itself."""
    return f'"{one_line(text)}"'


def _shown(char: str) -> str:
    match unicodedata.category(char):
        case "Cc" | "Zl" | "Zp":
            return " "
        case "Cf" if char != _JOINER:
            return ""
        case "Cs":
            return ""
    return char
