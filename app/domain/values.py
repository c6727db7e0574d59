"""JSON values and the form in which two of them are compared."""

import json
import re
import unicodedata
from decimal import Decimal
from itertools import pairwise
from typing import TypeAlias

from app.domain.quantities import Quantity, find_quantities, written
from app.domain.wording import plain, words

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

_CONNECTORS = frozenset(
    words(
        """
        a about and at au aux chaque d' de des du each environ et every from in jusqu'a l' la le les n of on or ou par
        per the to until vers
        """
    )
)
_RANGE = re.compile(r"\s*(?:-|to|au|a|through|until|jusqu'au)\s*")
_FINAL = re.compile(r"[\s.!?…;:,]+$")


def normalise(value: JsonValue) -> str:
    """The comparison form: two values that say the same have the same.

    Text: NFKC, case, white space and final punctuation; every amount in its canonical form, so that "60 €", "60 euros",
    "60,00 €" and "EUR 60" are one, as are "14h" and "2pm". A text of amounts and small words is its amounts alone.
    """
    normal = _normal(value)
    return normal if isinstance(normal, str) else json.dumps(normal, ensure_ascii=False)


def _normal(value: JsonValue) -> JsonValue:
    """The same containers with normal texts for leaves. Made text once: each time doubles the escapes within."""
    if isinstance(value, list):
        return [_normal(item) for item in value]
    if isinstance(value, dict):
        return {key: _normal(item) for key, item in sorted(value.items())}
    if isinstance(value, str):
        return _normal_text(value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return written(Decimal(str(value)))


def value_kind(value: JsonValue) -> str:
    """What sort of thing the value is: a kind of `Quantity` (the first one that it holds), flag, text or none."""
    if value is None or isinstance(value, bool):
        return "none" if value is None else "flag"
    if isinstance(value, int | float):
        return "count"
    kinds = [quantity.kind for quantity in find_quantities(value)] if isinstance(value, str) else []
    return next((kind for kind in kinds if kind != "count"), kinds[0] if kinds else "text")


def _amounts_alone(text: str, amounts: list[Quantity]) -> str:
    """The canonical amounts in order; days from one to another are told from one and another."""
    pieces = [amounts[0].canonical]
    for last, one in pairwise(amounts):
        between = plain(text[last.end : one.start])
        ranged = {last.kind, one.kind} == {"day"} and _RANGE.fullmatch(between) is not None
        pieces.append(("to " if ranged else "") + one.canonical)
    return " ".join(pieces).replace("weekday", "mon to fri").replace("weekend", "sat sun")


def _normal_text(text: str) -> str:
    text = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).replace("’", "'")
    pieces, rest, at = list[str](), list[str](), 0
    amounts = find_quantities(text)
    for amount in amounts:
        rest.append(text[at : amount.start])
        pieces += [text[at : amount.start], f" {amount.canonical} "]
        at = amount.end
    rest.append(text[at:])
    words = re.findall(r"[^\W\d_]+'?", plain(" ".join(rest)))
    if amounts and all(word in _CONNECTORS for word in words):
        return _amounts_alone(text, amounts)
    joined = re.sub(r"\s+", " ", "".join([*pieces, text[at:]]).casefold()).strip()
    return _FINAL.sub("", joined) or joined
