"""Candidate facts: what an extractor is asked, and the strict check of what it answers, one draft at a time."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from app.domain.corrections import Candidate, bare_value, find_corrected, restate
from app.domain.decay import Tier
from app.domain.secrets import holds_secret
from app.domain.sources import Relation
from app.domain.values import JsonValue, normalise
from app.domain.when import resolve

MAX_DRAFTS = 5
MIN_CONFIDENCE = 0.4
CORRECTION_CONFIDENCE = 0.95
MAX_KEY, MAX_TAGS, MAX_TAG, MAX_REASONING = 80, 8, 40, 240
MAX_VALUE_BYTES = 4096
MAX_CONTENT = 2000
MAX_HALF_LIFE_DAYS = 36_500
WATCH_TAG, WATCH_PREFIX = "veille", "watch."
ABOUTS = ("organisation", "store", "person")
_KEY = re.compile(r"[a-z0-9_.]{1,80}")


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """One turn, as an extractor reads it.

    `assistant_text` answers the user's words, `previous_assistant` came just before them. `sent_at` carries the
    speaker's own offset; `language` is the organisation's, for a text that shows none. `correction` says that the
    user puts the assistant right, perhaps about one of `candidates`. A contact speaks for themselves only.
    """

    user_text: str
    assistant_text: str | None
    previous_assistant: str | None
    sent_at: datetime
    language: str = "fr"
    contact: bool = False
    has_store: bool = True
    correction: bool = False
    candidates: tuple[Candidate, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Draft:
    """A checked candidate fact. `evidence` is a substring of the user's message; `corrects` a candidate's ref."""

    about: str
    key: str
    value: JsonValue
    content: str
    evidence: str
    confidence: float
    category: str
    tags: tuple[str, ...]
    tier: Tier
    half_life_days: float | None
    many: bool
    reasoning: str | None
    valid_from: date | None
    relation: Relation
    language: str
    corrects: str | None


@dataclass(frozen=True, slots=True)
class Dropped:
    """A draft that does not stand, with a stable snake_case reason."""

    reason: str


class _BadDraftError(Exception):
    """Carries the reason out of a check."""


def check_all(raws: Iterable[object], request: ExtractionRequest) -> tuple[list[Draft], Counter[str]]:
    """The drafts that stand, at most `MAX_DRAFTS`, in order and each once; and why the others were dropped."""
    drafts, dropped, seen = list[Draft](), Counter[str](), set[tuple[str, str, str]]()
    for raw in raws:
        checked = check_draft(raw, request) if isinstance(raw, Mapping) else Dropped("not_an_object")
        if isinstance(checked, Dropped):
            dropped[checked.reason] += 1
            continue
        place = (checked.about, checked.key, normalise(checked.value) if checked.many else "")
        if place in seen or len(drafts) == MAX_DRAFTS:
            dropped["repeated" if place in seen else "too_many"] += 1
            continue
        seen.add(place)
        drafts.append(checked)
    return drafts, dropped


def check_draft(raw: Mapping[str, object], request: ExtractionRequest) -> Draft | Dropped:
    """One raw draft, strictly: every limit of the design, its evidence, no secret, no word about others by a contact.

    A correction takes the scope and key of the fact that it corrects; a watch key and its tag complete each other;
    relative dates are resolved. What is merely absent gets its default. Never raises.
    """
    try:
        draft = _read(raw, request)
        if draft.relation is Relation.CORRECTION:
            draft = _corrected(draft, raw, request)
        return _finished(draft, request)
    except _BadDraftError as bad:
        return Dropped(str(bad))


def _read(raw: Mapping[str, object], request: ExtractionRequest) -> Draft:
    evidence = _text(raw, "evidence", "no_evidence", len(request.user_text))
    if evidence not in request.user_text:
        raise _BadDraftError("no_evidence")
    relation = _one_of(raw, "relation", [*Relation], Relation.STATEMENT, "bad_relation")
    if relation == Relation.CORRECTION and not request.correction:
        relation = Relation.STATEMENT
    key = raw.get("key") or ""
    if not isinstance(key, str):
        raise _BadDraftError("bad_key")
    tier = raw.get("tier") or (Tier.WATCH if _is_watch(key, _tags(raw)) else Tier.STANDARD)
    return Draft(
        about=_one_of(raw, "about", ABOUTS, None, "bad_about"),
        key=key,
        value=_value(raw.get("value")),
        content=_text(raw, "content", "bad_content", MAX_CONTENT),
        evidence=evidence,
        confidence=_confidence(raw, Relation(relation)),
        category=_text({"category": "general"} | dict(raw), "category", "bad_category", 40),
        tags=_tags(raw),
        tier=Tier(_one_of({"tier": tier}, "tier", [*Tier], None, "bad_tier")),
        half_life_days=_half_life(raw.get("half_life_days")),
        many=raw.get("many") is True,
        reasoning=_reasoning(raw.get("reasoning")),
        valid_from=_day(raw.get("valid_from")),
        relation=Relation(relation),
        language=_one_of(raw, "language", ("fr", "en"), request.language, "bad_language"),
        corrects=None,
    )


def _corrected(draft: Draft, raw: Mapping[str, object], request: ExtractionRequest) -> Draft:
    """The draft in the place of the fact that it puts right; as it stands where there is none."""
    named = next((one for one in request.candidates if one.ref == raw.get("corrects")), None)
    found = named or find_corrected(draft.content, draft.key or None, request.candidates, request.previous_assistant)
    if found is None:
        if not draft.key:
            raise _BadDraftError("no_subject")
        return draft
    bare = bare_value(draft.content)
    restated = restate(found, bare) if bare else None
    value, content = restated or (draft.value, draft.content)
    if bare and restated is None:
        raise _BadDraftError("no_subject")
    return replace(draft, about=found.scope, key=found.key, value=value, content=content, corrects=found.ref)


def _finished(draft: Draft, request: ExtractionRequest) -> Draft:
    """Scope, watch marks, dates and secrets, once it is clear what the draft is about."""
    if request.contact and draft.about != "person":
        raise _BadDraftError("contact_scope")
    if draft.about == "store" and not request.has_store:
        draft = replace(draft, about="organisation")
    draft = _with_watch_marks(draft)
    if not _KEY.fullmatch(draft.key):
        raise _BadDraftError("bad_key")
    dated = resolve(draft.content, request.sent_at, draft.language)
    since = draft.valid_from or dated.valid_from
    today = request.sent_at.date()
    draft = replace(draft, content=dated.text, valid_from=since if since and since <= today else None)
    shown = (
        draft.content,
        draft.evidence,
        draft.reasoning or "",
        *draft.tags,
        json.dumps(draft.value, ensure_ascii=False),
    )
    if any(holds_secret(text) for text in shown):
        raise _BadDraftError("secret")
    return draft


def _is_watch(key: str, tags: Iterable[str]) -> bool:
    return key.startswith(WATCH_PREFIX) or WATCH_TAG in tags


def _with_watch_marks(draft: Draft) -> Draft:
    """A watch key and its tag, one completed by the other."""
    if not _is_watch(draft.key, draft.tags):
        return draft
    key = draft.key if draft.key.startswith(WATCH_PREFIX) else WATCH_PREFIX + draft.key
    if len(key) > MAX_KEY:
        raise _BadDraftError("watch_key_too_long")
    tags = draft.tags if WATCH_TAG in draft.tags else (*draft.tags, WATCH_TAG)
    if len(tags) > MAX_TAGS:
        raise _BadDraftError("bad_tags")
    return replace(draft, key=key, tags=tags)


def _text(raw: Mapping[str, object], name: str, reason: str, limit: int) -> str:
    text = raw.get(name)
    if not isinstance(text, str) or not text.strip():
        raise _BadDraftError(reason)
    if len(text) > limit:
        raise _BadDraftError(reason if limit < MAX_CONTENT else "too_large")
    _require_storable(text)
    return text


def _one_of(raw: Mapping[str, object], name: str, allowed: Iterable[str], default: str | None, reason: str) -> str:
    given = raw.get(name) or default
    if not isinstance(given, str) or given not in allowed:
        raise _BadDraftError(reason)
    return given


def _confidence(raw: Mapping[str, object], relation: Relation) -> float:
    given = raw.get("confidence", 0.8)
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise _BadDraftError("bad_confidence")
    if relation is Relation.CORRECTION:
        return CORRECTION_CONFIDENCE
    if given < MIN_CONFIDENCE:
        raise _BadDraftError("low_confidence")
    return float(given)


def _tags(raw: Mapping[str, object]) -> tuple[str, ...]:
    given = raw.get("tags") or ()
    if not isinstance(given, list | tuple) or len(given) > MAX_TAGS:
        raise _BadDraftError("bad_tags")
    tags = tuple(_text({"tag": tag}, "tag", "bad_tags", MAX_TAG) for tag in given)
    return tuple(dict.fromkeys(tags))


def _half_life(given: object) -> float | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= MAX_HALF_LIFE_DAYS:
        raise _BadDraftError("bad_half_life")
    return float(given)


def _reasoning(given: object) -> str | None:
    return None if given in (None, "") else _text({"reasoning": given}, "reasoning", "bad_reasoning", MAX_REASONING)


def _day(given: object) -> date | None:
    """A day, or an ISO text that begins with one; anything else is no day."""
    if isinstance(given, datetime):
        return given.date()
    if isinstance(given, date):
        return given
    try:
        return date.fromisoformat(given[:10]) if isinstance(given, str) else None
    except ValueError:
        return None


def _value(given: object) -> JsonValue:
    try:
        text = json.dumps(given, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise _BadDraftError("bad_value") from None
    _require_storable(text)
    if "\\u0000" in text:
        raise _BadDraftError("bad_text")
    if len(text.encode()) > MAX_VALUE_BYTES:
        raise _BadDraftError("too_large")
    value: JsonValue = json.loads(text)
    return value


def _require_storable(text: str) -> None:
    """Refuses NUL and lone surrogates, which no database text takes."""
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise _BadDraftError("bad_text")
