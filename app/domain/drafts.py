"""Candidate facts: what an extractor is asked, and the strict check of what it answers, one draft at a time."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from app.domain import draft_fields as fields
from app.domain.corrections import Candidate, bare_value, find_corrected, restate
from app.domain.decay import Tier
from app.domain.draft_fields import BadDraftError
from app.domain.grounding import is_said
from app.domain.secrets import holds_secret
from app.domain.sources import Relation
from app.domain.values import JsonValue, normalise
from app.domain.when import resolve

MAX_DRAFTS = 5
MAX_CHECKED = 50
"""Whoever answers more has lost the thread; the rest is counted unread."""
MAX_KEY = 80
WATCH_TAG, WATCH_PREFIX = "veille", "watch."
ABOUTS = ("organisation", "store", "person")
_KEY = re.compile(r"[a-z0-9_.]{1,80}")


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """One turn, as an extractor reads it.

    `assistant_text` answers the user's words, `previous_assistant` came just before them. `sent_at` carries the
    speaker's own offset; `language` is the organisation's, for a text that shows none; a draft in none of its
    `languages` is dropped. `correction` says that the user puts the assistant right, perhaps about one of
    `candidates`. A contact speaks for themselves only.
    """

    user_text: str
    assistant_text: str | None
    previous_assistant: str | None
    sent_at: datetime
    language: str = "fr"
    languages: tuple[str, ...] = ("fr", "en")
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


def check_all(raws: Iterable[object], request: ExtractionRequest) -> tuple[list[Draft], Counter[str]]:
    """The drafts that stand, at most `MAX_DRAFTS`, in order and each once; and why the others were dropped."""
    drafts, dropped, seen = list[Draft](), Counter[str](), set[tuple[str, str, str]]()
    for number, raw in enumerate(raws):
        if number >= MAX_CHECKED:
            dropped["too_many"] += 1
            continue
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
    """One raw draft, strictly: every limit of the design, its evidence, nothing that was not said, no secret, no word
    about others by a contact.

    A correction takes the scope and key of the fact that it corrects; a watch key and its tag complete each other;
    relative dates are resolved. What is merely absent gets its default. Never raises.
    """
    try:
        draft = _read(raw, request)
        founded = is_said(draft.content, draft.value, _said(draft, request))
        if draft.relation is Relation.CORRECTION:
            draft = _corrected(draft, raw, request)
        draft = _finished(draft, request)
        if not founded:
            raise BadDraftError("unfounded")
        return draft
    except BadDraftError as bad:
        return Dropped(str(bad))


def _read(raw: Mapping[str, object], request: ExtractionRequest) -> Draft:
    evidence = fields.text(raw, "evidence", "no_evidence", len(request.user_text))
    if evidence not in request.user_text:
        raise BadDraftError("no_evidence")
    relation = fields.one_of(raw, "relation", [*Relation], Relation.STATEMENT, "bad_relation")
    if relation == Relation.CORRECTION and not request.correction:
        relation = Relation.STATEMENT
    key = raw.get("key") or ""
    if not isinstance(key, str):
        raise BadDraftError("bad_key")
    tier = raw.get("tier") or (Tier.WATCH if _is_watch(key, fields.tags(raw)) else Tier.STANDARD)
    return Draft(
        about=fields.one_of(raw, "about", ABOUTS, None, "bad_about"),
        key=key,
        value=fields.value(raw.get("value")),
        content=fields.text(raw, "content", "bad_content", fields.MAX_CONTENT),
        evidence=evidence,
        confidence=fields.confidence(raw, Relation(relation)),
        category=fields.text({"category": "general"} | dict(raw), "category", "bad_category", 40),
        tags=fields.tags(raw),
        tier=Tier(fields.one_of({"tier": tier}, "tier", [*Tier], None, "bad_tier")),
        half_life_days=fields.half_life(raw.get("half_life_days")),
        many=raw.get("many") is True,
        reasoning=fields.reasoning(raw.get("reasoning")),
        valid_from=fields.day(raw.get("valid_from")),
        relation=Relation(relation),
        language=fields.one_of(raw, "language", request.languages, request.language, "bad_language"),
        corrects=None,
    )


def _said(draft: Draft, request: ExtractionRequest) -> Iterator[str]:
    """What the draft may draw on: the user's words, and for a correction what they may put right."""
    yield request.user_text
    if draft.relation is Relation.CORRECTION:
        for one in request.candidates:
            yield f"{one.key} {one.content}"


def _corrected(draft: Draft, raw: Mapping[str, object], request: ExtractionRequest) -> Draft:
    """The draft in the place of the fact that it puts right; as it stands where there is none."""
    named = next((one for one in request.candidates if one.ref == raw.get("corrects")), None)
    found = named or find_corrected(draft.content, draft.key or None, request.candidates, request.previous_assistant)
    if found is None:
        if not draft.key:
            raise BadDraftError("no_subject")
        return draft
    bare = bare_value(draft.content)
    restated = restate(found, bare) if bare else None
    value, content = restated or (draft.value, draft.content)
    if bare and restated is None:
        raise BadDraftError("no_subject")
    return replace(draft, about=found.scope, key=found.key, value=value, content=content, corrects=found.ref)


def _finished(draft: Draft, request: ExtractionRequest) -> Draft:
    """Scope, watch marks, dates and secrets, once it is clear what the draft is about."""
    if request.contact and draft.about != "person":
        raise BadDraftError("contact_scope")
    if draft.about == "store" and not request.has_store:
        draft = replace(draft, about="organisation")
    draft = _with_watch_marks(draft)
    if not _KEY.fullmatch(draft.key):
        raise BadDraftError("bad_key")
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
        raise BadDraftError("secret")
    return draft


def _is_watch(key: str, tags: Iterable[str]) -> bool:
    return key.startswith(WATCH_PREFIX) or WATCH_TAG in tags


def _with_watch_marks(draft: Draft) -> Draft:
    """A watch key and its tag, one completed by the other."""
    if not _is_watch(draft.key, draft.tags):
        return draft
    key = draft.key if draft.key.startswith(WATCH_PREFIX) else WATCH_PREFIX + draft.key
    if len(key) > MAX_KEY:
        raise BadDraftError("watch_key_too_long")
    tags = draft.tags if WATCH_TAG in draft.tags else (*draft.tags, WATCH_TAG)
    if len(tags) > fields.MAX_TAGS:
        raise BadDraftError("bad_tags")
    return replace(draft, key=key, tags=tags)
