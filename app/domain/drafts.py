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
from app.domain.draft_words import Heard, as_said, hear, language_of, site_around, taken_from
from app.domain.grounding import is_said, turns_round
from app.domain.secrets import holds_secret
from app.domain.sieve import Sieve
from app.domain.sources import Relation
from app.domain.speaker import speaks_of_self
from app.domain.values import JsonValue, normalise
from app.domain.watch import Marks, is_marked, marked
from app.domain.when import resolve
from app.domain.wording import plain

MAX_DRAFTS = 5
MAX_CHECKED = 50
"""Whoever answers more has lost the thread; the rest is counted unread."""
MAX_KEY = 80
ABOUTS = ("organisation", "store", "person")
_KEY = re.compile(r"[a-z0-9_.]{1,80}")


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """One turn, as an extractor reads it.

    `assistant_text` answers the user's words, `previous_assistant` came just before them. `sent_at` carries the
    speaker's own offset; `language` is the organisation's, for a text that shows none; a draft in one that it does not
    speak (`languages`) is dropped. `correction` says that the user puts the assistant right, perhaps about one of
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
    """A checked candidate fact. `evidence` is a substring of the user's message, and `language` that of its words;
    `corrects` a candidate's ref.
    """

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
    heard = _heard(request)
    for number, raw in enumerate(raws):
        if number >= MAX_CHECKED:
            dropped["too_many"] += 1
            continue
        checked = check_draft(raw, request, heard) if isinstance(raw, Mapping) else Dropped("not_an_object")
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


def check_draft(raw: Mapping[str, object], request: ExtractionRequest, heard: Heard | None = None) -> Draft | Dropped:
    """One raw draft, strictly: every limit of the design, its evidence in what the speaker states in their own words,
    nothing that was not said, no secret, no word about others by a contact. `heard` is what the message states.

    A correction takes the scope and key of the fact that it corrects; a watch key and its tag complete each other;
    relative dates are resolved. What is merely absent gets its default. Never raises.
    """
    heard = heard or _heard(request)
    try:
        draft = _read(raw, request)
        taken = taken_from(draft.evidence, heard)
        words = as_said(draft.content, draft.value, draft.evidence, request.user_text, draft.language, taken=taken)
        draft = replace(draft, content=words[0], value=words[1])
        founded = is_said(draft.content, draft.value, _said(draft, request, heard.said))
        founded = founded and (draft.value is False or not turns_round(draft.content, draft.evidence))
        if draft.relation is Relation.CORRECTION:
            draft = _corrected(draft, raw, request)
        draft = _finished(_watched(_of_speaker(draft), heard), request)
        if not founded:
            raise BadDraftError(taken or "unfounded")
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
    tier = raw.get("tier") or (Tier.WATCH if is_marked(key, fields.tags(raw)) else Tier.STANDARD)
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
        language=_language(evidence, request),
        corrects=None,
    )


def _language(evidence: str, request: ExtractionRequest) -> str:
    around = (request.user_text, request.previous_assistant)
    return language_of(evidence, around, request.language, request.languages)


def _of_speaker(draft: Draft) -> Draft:
    """What only one person can mean stays with them: in a shop two people say "my"."""
    own = draft.corrects is None and draft.about != "person" and speaks_of_self(plain(draft.evidence))
    return replace(draft, about="person") if own else draft


def _watched(draft: Draft, heard: Heard) -> Draft:
    """What is told of another company's site is never ours, nor ours theirs: the key and the tag complete each other.

    What somebody tells of themself stays theirs, whatever site it names.
    """
    known, own = site_around(draft.evidence, heard)
    marks = marked(Marks(draft.key, draft.tags), None if draft.about == "person" else known, own)
    if len(marks.key) > MAX_KEY and is_marked(*marks):
        raise BadDraftError("watch_key_too_long")
    if len(marks.tags) > fields.MAX_TAGS:
        raise BadDraftError("bad_tags")
    tier = draft.tier
    if is_marked(*marks) is not is_marked(draft.key, draft.tags):
        tier = Tier.WATCH if is_marked(*marks) else Tier.STANDARD
    return replace(draft, key=marks.key, tags=marks.tags, tier=tier)


def _heard(request: ExtractionRequest) -> Heard:
    return hear(request.user_text, request.previous_assistant)


def _said(draft: Draft, request: ExtractionRequest, said: Sieve) -> Iterator[str]:
    """What the draft may draw on: what the user states, and for a correction what they may put right."""
    yield said.text
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
