"""The fields of a raw draft, read strictly, one by one: each reader answers a checked value or raises its reason."""

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime

from app.domain.sources import Relation
from app.domain.values import JsonValue

MIN_CONFIDENCE, CORRECTION_CONFIDENCE = 0.4, 0.95
MAX_TAGS, MAX_TAG, MAX_REASONING = 8, 40, 240
MAX_VALUE_BYTES = 4096
MAX_CONTENT = 2000
MAX_HALF_LIFE_DAYS = 36_500


class BadDraftError(Exception):
    """A draft that does not stand; its message is a stable snake_case reason."""


def text(raw: Mapping[str, object], name: str, reason: str, limit: int) -> str:
    """A text with something in it, at most `limit` characters."""
    given = raw.get(name)
    if not isinstance(given, str) or not given.strip():
        raise BadDraftError(reason)
    if len(given) > limit:
        raise BadDraftError(reason if limit < MAX_CONTENT else "too_large")
    _require_storable(given)
    return given


def one_of(raw: Mapping[str, object], name: str, allowed: Iterable[str], default: str | None, reason: str) -> str:
    """One of the allowed words, or the default where none is given."""
    given = raw.get(name) or default
    if not isinstance(given, str) or given not in allowed:
        raise BadDraftError(reason)
    return given


def confidence(raw: Mapping[str, object], relation: Relation) -> float:
    """In [0, 1]; a correction has its own, anything else under `MIN_CONFIDENCE` is dropped."""
    given = raw.get("confidence", 0.8)
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise BadDraftError("bad_confidence")
    if relation is Relation.CORRECTION:
        return CORRECTION_CONFIDENCE
    if given < MIN_CONFIDENCE:
        raise BadDraftError("low_confidence")
    return float(given)


def tags(raw: Mapping[str, object]) -> tuple[str, ...]:
    """At most `MAX_TAGS` tags of `MAX_TAG` characters, each once."""
    given = raw.get("tags") or ()
    if not isinstance(given, list | tuple) or len(given) > MAX_TAGS:
        raise BadDraftError("bad_tags")
    checked = tuple(text({"tag": tag}, "tag", "bad_tags", MAX_TAG) for tag in given)
    return tuple(dict.fromkeys(checked))


def half_life(given: object) -> float | None:
    """Days in (0, `MAX_HALF_LIFE_DAYS`], or None."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= MAX_HALF_LIFE_DAYS:
        raise BadDraftError("bad_half_life")
    return float(given)


def reasoning(given: object) -> str | None:
    """At most `MAX_REASONING` characters, or None."""
    return None if given in (None, "") else text({"reasoning": given}, "reasoning", "bad_reasoning", MAX_REASONING)


def day(given: object) -> date | None:
    """A day, or an ISO text that begins with one; anything else is no day."""
    if isinstance(given, datetime):
        return given.date()
    if isinstance(given, date):
        return given
    try:
        return date.fromisoformat(given[:10]) if isinstance(given, str) else None
    except ValueError:
        return None


def value(given: object) -> JsonValue:
    """Any JSON value of at most `MAX_VALUE_BYTES` as UTF-8."""
    try:
        written = json.dumps(given, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise BadDraftError("bad_value") from None
    _require_storable(written)
    if "\\u0000" in written:
        raise BadDraftError("bad_text")
    if len(written.encode()) > MAX_VALUE_BYTES:
        raise BadDraftError("too_large")
    checked: JsonValue = json.loads(written)
    return checked


def _require_storable(text: str) -> None:
    """Refuses NUL and lone surrogates, which no database text takes."""
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise BadDraftError("bad_text")
