"""From a clause that states something to raw drafts: whom it is about, its key, its value, its words, how long it holds."""

import re
from collections.abc import Iterator

from app.adapters.extractors.rules import grammar, keys, people, personal, statements, topics
from app.adapters.extractors.rules.lexicon import ORGANISATION
from app.adapters.extractors.rules.people import Named
from app.adapters.extractors.rules.repairs import without_old_value
from app.adapters.extractors.rules.sentences import Clause
from app.adapters.extractors.rules.text import flatten


def read_clause(clause: Clause, language: str, *, contact: bool) -> Iterator[dict[str, object]]:
    """The raw drafts of one statement, at least one."""
    changed = any(grammar.found(clause.text, one, "UPDATE") for one in ("fr", "en"))
    kept = without_old_value(clause.raw, changed=changed)
    flat = flatten(kept, language)
    start = grammar.without_lead(flat.text, language)
    body = flatten(flat.original(start, len(flat.text)), language)
    for reading in _readings(Clause(body, clause.evidence), language, contact=contact):
        content = reading.content or _words(body.raw)
        yield {
            "about": "person" if contact and _first_person(body.text, language) else reading.about,
            "key": reading.key,
            "value": reading.value,
            "content": content,
            "evidence": clause.evidence,
            "confidence": 0.55 if grammar.found(body.text, language, "HEDGED") else 0.8,
            "category": reading.category,
            "tags": [],
            "tier": _tier(clause.text, language, reading.tier),
            "many": reading.many,
            "relation": "update" if changed and not _is_future(body.text) else "statement",
            "language": language,
        }


def _words(raw: str) -> str:
    text = re.sub(r"\s+", " ", raw).strip(" ,;:–—-")
    return text[:1].upper() + text[1:]


def _readings(clause: Clause, language: str, *, contact: bool) -> list[Named]:
    """The most telling reading: a person, the shop, tools, a common subject; else the words themselves."""
    flat = clause.flat
    own = personal.read(clause, language)
    if own is not None:
        return [own]
    who = people.introduction(flat)
    if who is not None:
        return [who]
    if not contact:
        sold = people.shop(flat)
        if sold is not None:
            return [sold]
        used = people.tools(flat)
        if used:
            return used
        role = people.roles(flat)
        if role is not None:
            return [role]
        topic = topics.read(flat.raw, flat.text)
        if topic is not None:
            return [
                Named(
                    topic.topic.about, topic.key, topic.value, topic.topic.category, topic.topic.tier, topic.topic.many
                )
            ]
    return [_plain_reading(clause, language, contact=contact)]


def _plain_reading(clause: Clause, language: str, *, contact: bool) -> Named:
    """No special rule: the key is made of the statement's words, the value its amounts or whether it holds."""
    text = clause.text
    negated = grammar.found(text, language, "NEGATION")
    speaker = grammar.found(text, language, "SPEAKER") and not grammar.found(text, language, "OWN")
    if contact or (speaker and not statements.is_business(text)):
        about, first = "person", "person"
    elif ORGANISATION.search(text):
        about, first = "organisation", "company"
    else:
        about, first = "store", "shop"
    words = keys.meaning(clause.raw)
    value = keys.said(clause.raw, negated=negated)
    if isinstance(value, str) and negated:
        words.append("not")
    standing = grammar.found(text, language, "STANDING")
    return Named(
        about, keys.joined(first, keys.slug(words) or "note"), value, first, "stable" if standing else "standard"
    )


def _first_person(text: str, language: str) -> bool:
    return any(grammar.found(text, language, name) for name in ("SPEAKER", "OWN"))


def _is_future(text: str) -> bool:
    return re.search(
        r"\b(?:next|prochaine?|demain|tomorrow|a partir d[ue]|starting|will|allons|va|vont)\b", text
    ) is not None and not re.search(r"\ba partir de maintenant\b", text)


def _tier(text: str, language: str, usual: str) -> str:
    if any(grammar.found(text, one, "SESSION") for one in ("fr", "en")):
        return "session"
    volatile = grammar.found(text, language, "VOLATILE")
    return "volatile" if volatile and usual in {"standard", "stable"} else usual
