"""JSON as RFC 8259 means it, within limits that hold before anything large is built.

Python's own reader takes NaN, turns 1e400 into infinity, keeps the last of two equal keys, lets lone surrogates through
and dies on deep nesting. Each of these later breaks a database, an answer or a check, so none gets past this file.
"""

import json
import math
import re
from typing import Any, Final, NoReturn

from app.domain.errors import BadRequest

MAX_DEPTH: Final = 32
MAX_NODES: Final = 50_000
_INT64_DIGITS: Final = 20  # "-9223372036854775808"

# Possessive, and the closing quote may be missing: one pass over any input, however malformed, never a second try.
_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKET: Final = re.compile(r"[\[\]{}]")
_EMPTY: Final = re.compile(r"\[[ \t\n\r]*+\]|\{[ \t\n\r]*+\}")
_FORBIDDEN: Final = re.compile("[\0\ud800-\udfff]")


def loads(body: bytes) -> Any:
    """The document in `body`: dict, list, str, int, float, bool or None, as `json.loads` would give it.

    Of it is then true: valid UTF-8; at most 32 containers deep and 50,000 values in all (keys not counted); every key
    once per object; integers fit 64 bits, floats are finite; no NUL and no lone surrogate in any value or key.
    Raises BadRequest with one code per broken rule.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise BadRequest("body_not_utf8", "The body must be UTF-8.") from None
    _measure(text)
    try:
        document = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_int64,
            object_pairs_hook=_unique,
        )
    except json.JSONDecodeError:  # its message is dropped: it holds the whole body
        raise BadRequest("body_not_json", "The body must be one JSON document.") from None
    if "\\u" in text:  # decoded UTF-8 holds no surrogate and a bare NUL is no JSON: only an escape can make either
        _refuse_forbidden_characters(document)
    return document


def _measure(text: str) -> None:
    """Depth and number of values, counted on the text with its strings taken out, before a single object is made."""
    bare = _STRING.sub('"', text)
    openings = bare.count("[") + bare.count("{")
    values = 1 + bare.count(",") + openings - len(_EMPTY.findall(bare))
    if values > MAX_NODES:
        raise BadRequest("body_too_many_values", f"The body may hold {MAX_NODES} values.")
    if openings <= MAX_DEPTH:
        return
    depth = 0
    for bracket in _BRACKET.finditer(bare):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise BadRequest("body_too_deep", f"The body may be nested {MAX_DEPTH} deep.")
        if depth < 0:
            return  # not JSON; the reader stops here too


def _refuse_constant(_: str) -> NoReturn:
    raise BadRequest("number_not_finite", "NaN and Infinity are not JSON.")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise BadRequest("number_not_finite", "A number in the body is too large for a 64-bit float.")
    return number


def _int64(digits: str) -> int:
    # The length comes first: converting a megabyte of digits takes minutes.
    if len(digits) <= _INT64_DIGITS and -(2**63) <= (number := int(digits)) < 2**63:
        return number
    raise BadRequest("integer_out_of_range", "An integer in the body does not fit 64 bits.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise BadRequest("duplicate_key", "An object in the body has the same key twice.")
    return members


def _refuse_forbidden_characters(document: Any) -> None:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            if _FORBIDDEN.search(value):
                raise BadRequest("forbidden_character", "The body holds a NUL or a lone surrogate.")
        elif isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value)
            waiting.extend(value.values())
