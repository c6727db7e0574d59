"""Short ways to ask the rules what they make of a message."""

from datetime import datetime, timedelta
from typing import Any

from app.adapters.extractors.rules.extractor import drafts_of
from app.adapters.extractors.rules.text import language_of
from app.domain.corrections import Candidate, opens_correction
from app.domain.drafts import Draft, ExtractionRequest, check_all

SENT_AT = datetime.fromisoformat("2026-03-10T10:00:00+01:00")
"""A Tuesday."""


def asked(text: str, **more: Any) -> ExtractionRequest:
    """The request for one message; `sent_at` may be ISO text."""
    if isinstance(more.get("sent_at"), str):
        more["sent_at"] = datetime.fromisoformat(more["sent_at"])
    fields: dict[str, Any] = {"assistant_text": None, "previous_assistant": None, "sent_at": SENT_AT} | more
    return ExtractionRequest(user_text=text, **({"language": language_of(text, "fr")} | fields))


def learnt(text: str, **more: Any) -> list[Draft]:
    """The checked drafts of one message."""
    request = asked(text, **more)
    return check_all(drafts_of(request), request)[0]


def contents(text: str, **more: Any) -> list[str]:
    """What is kept of one message, in the words that stay."""
    return [draft.content for draft in learnt(text, **more)]


def put_right(text: str, spoken: str, *candidates: Candidate, seconds: int = 20) -> list[Draft]:
    """The drafts of a message that follows the assistant's words."""
    correction = opens_correction(text, timedelta(seconds=seconds), spoken)
    return learnt(text, previous_assistant=spoken, correction=correction, candidates=candidates)
