"""From a clause that states something to raw drafts: whom it is about, its key, value, words and tier."""

import re
from collections.abc import Iterator

from app.adapters.extractors.rules import brand, grammar, keys, people, personal, shop, topics
from app.adapters.extractors.rules.clauses import Clause
from app.adapters.extractors.rules.denials import is_ended, says_only
from app.adapters.extractors.rules.lexicon import BUSINESS, OF_A_PERSON, ORGANISATION
from app.adapters.extractors.rules.people import Named
from app.adapters.extractors.rules.repairs import without_old_value
from app.adapters.extractors.rules.text import flatten

PLAIN_CONFIDENCE, HEDGED_CONFIDENCE = 0.8, 0.55


def read_clause(clause: Clause, language: str, *, contact: bool) -> Iterator[dict[str, object]]:
    """The raw drafts of one statement, at least one."""
    changed = grammar.is_updated(clause.text)
    flat = flatten(without_old_value(clause.raw, changed=changed), language)
    start = grammar.without_lead(flat.text, language)
    body = Clause(flatten(flat.original(start, len(flat.text)), language), clause.evidence)
    hedged = any(part.hedged.search(body.text) for part in grammar.BOTH)
    introduced = people.introduction(clause.flat, language)
    for reading in [introduced] if introduced else _readings(body, language, contact=contact):
        yield {
            "about": "person" if contact and _first_person(body.text) else reading.about,
            "key": reading.key,
            "value": reading.value,
            "content": tidy(reading.content or body.raw),
            "evidence": clause.evidence,
            "confidence": HEDGED_CONFIDENCE if hedged else PLAIN_CONFIDENCE,
            "category": reading.category,
            "tier": _tier(clause.text, reading.tier),
            "many": reading.many,
            "relation": "update" if (changed or is_ended(body.text)) and not _is_to_come(body.text) else "statement",
            "language": language,
        }


def tidy(raw: str) -> str:
    """The user's words on one line, beginning with a capital."""
    text = re.sub(r"\s+", " ", raw).strip(" ,;:–—-")
    return text[:1].upper() + text[1:]


def _readings(clause: Clause, language: str, *, contact: bool) -> list[Named]:
    """The most telling reading: a person, the shop, tools, a common subject; else the words themselves."""
    flat = clause.flat
    own = personal.read(clause, language) if contact else brand.read(clause.text) or personal.read(clause, language)
    if own is not None:
        return [own]
    if not contact:
        known = shop.identity(flat) or shop.attribute(flat)
        if known is not None:
            return [known]
        role = people.roles(flat)
        used = [role] if role is not None else shop.tools(flat)
        if used:
            return used
        common = _common_subject(clause, language)
        if common is not None:
            return [common]
    return [_in_plain_words(clause, language, contact=contact)]


def _common_subject(clause: Clause, language: str) -> Named | None:
    zone = topics.zone(clause.raw, clause.text, negated=_negated(clause.text, language))
    if zone is not None:
        return Named("store", *zone, "shipping")
    found = None if _OF_SAYING.search(clause.text) else topics.read(clause.raw, clause.text)
    if found is None:
        return None
    topic = found.topic
    return Named(topic.about, found.key, found.value, topic.category, topic.tier)


_OF_SAYING = re.compile(r"\b(?:dis|dites|dire|say|tell)\b.*\b(?:que|qu'|that)\b")
"""How something is to be told is no statement of it."""


def _in_plain_words(clause: Clause, language: str, *, contact: bool) -> Named:
    """No special rule: the key is made of the statement's words, the value its amounts or whether it holds."""
    text, words = clause.text, grammar.of(language)
    speaks = words.speaker.search(text) is not None and words.own.search(text) is None
    habit = re.match(r"(?:no|pas de?)\b", text) is not None and BUSINESS.search(text) is None
    private = OF_A_PERSON.search(text) or words.life.search(text) or BUSINESS.search(text) is None
    of_self = speaks and bool(private)
    if contact or habit or of_self:
        about, first = "person", "person"
    elif ORGANISATION.search(text):
        about, first = "organisation", "company"
    else:
        about, first = "store", "shop"
    negated = _negated(text, language)
    value = keys.said(clause.raw, negated=negated)
    stems = keys.meaning(clause.raw)
    if isinstance(value, str) and negated:
        stems.append("not")
    lasting = words.standing.search(text) is not None
    return Named(
        about, keys.joined(first, keys.slug(stems) or "note"), value, first, "stable" if lasting else "standard"
    )


def _negated(text: str, language: str) -> bool:
    return grammar.of(language).negation.search(text) is not None and not says_only(text)


def _first_person(text: str) -> bool:
    return any(part.speaker.search(text) or part.own.search(text) for part in grammar.BOTH)


_TO_COME = re.compile(
    r"\b(?:next|prochaine?|demain|tomorrow|a partir d[ue]|starting|will|allons|va|vont)\b(?! maintenant)"
    r"(?! (?:at )?[€$£]? ?\d[\d .,]*(?:[€$£%]|eur|kg|articles?|pieces?))"  # an amount is no day
)


def _is_to_come(text: str) -> bool:
    """A change that is only announced ends nothing yet."""
    return _TO_COME.search(text) is not None


def _tier(text: str, usual: str) -> str:
    if any(part.session.search(text) for part in grammar.BOTH):
        return "session"
    volatile = any(part.volatile.search(text) for part in grammar.BOTH)
    return "volatile" if volatile and usual in {"standard", "stable"} else usual
