"""The extractor without a model: statement patterns in French and English, no key, no network."""

import re
from collections.abc import Iterator

from app.adapters.extractors.rules import filters, grammar, statements, watch
from app.adapters.extractors.rules.readings import read_clause
from app.adapters.extractors.rules.repairs import without_taken_back
from app.adapters.extractors.rules.sentences import Clause, clauses, sentences, without_pasted
from app.adapters.extractors.rules.text import flatten, language_of
from app.domain.corrections import bare_value, without_opener
from app.domain.drafts import ExtractionRequest
from app.domain.secrets import holds_secret


class RulesExtractor:
    """Reads what people say of their shop and of themselves; answers raw drafts for `app.domain.drafts.check_all`."""

    name = "rules"

    async def extract(self, request: ExtractionRequest) -> list[dict[str, object]]:
        """One raw draft for each statement, in the order of the message. Touches nothing outside."""
        return list(drafts_of(request))


def drafts_of(request: ExtractionRequest) -> Iterator[dict[str, object]]:
    """The raw drafts of a turn."""
    text = filters.stated(without_pasted(request.user_text))
    language = language_of(text, request.language)
    site: str | None = None
    for number, sentence in enumerate(sentences(text)):
        correcting = request.correction and number == 0
        if correcting:
            sentence = without_opener(sentence) or sentence
            bare = bare_value(sentence)
            if bare is not None:
                yield _bare_correction(sentence, language)
                continue
        for clause in _clauses(sentence, language):
            site = _site(clause, site)
            yield from _drafts(clause, site, language, request, correcting=correcting)


def _clauses(sentence: str, language: str) -> list[Clause]:
    """The clauses of a sentence that nobody asks, and that show no secret."""
    flat = flatten(sentence, language)
    if filters.is_question(flat.text, language) or filters.is_greeting(flat.text):
        return []
    found = []
    for clause in clauses(sentence, language):
        mended = without_taken_back(clause.raw)
        if not holds_secret(clause.raw):
            found.append(Clause(flatten(mended, language), clause.evidence))
    return found


def _site(clause: Clause, before: str | None) -> str | None:
    """The other company that the clause is about; one named before it stays the subject of "ils…" and "they…"."""
    named = watch.site_of(clause.raw, clause.text)
    if named is not None:
        return named
    return before if watch.goes_on(clause.text) else None


def _drafts(
    clause: Clause, site: str | None, language: str, request: ExtractionRequest, *, correcting: bool
) -> Iterator[dict[str, object]]:
    if site is not None:
        if watch.tells(clause.text) and not filters.is_supposed(clause.text) and not request.contact:
            yield _watched(clause, site, language)
        return
    if statements.states(clause, language):
        for raw in read_clause(clause, language, contact=request.contact):
            yield raw | ({"relation": "correction"} if correcting else {})


def _bare_correction(sentence: str, language: str) -> dict[str, object]:
    """ "C'est 80 €": a value whose subject is what was just spoken of; the domain finds it."""
    return {
        "about": "store",
        "key": None,
        "value": bare_value(sentence),
        "content": sentence.strip(),
        "evidence": sentence.strip(),
        "relation": "correction",
        "language": language,
    }


def _watched(clause: Clause, site: str, language: str) -> dict[str, object]:
    from app.adapters.extractors.rules import keys

    words = [word for word in keys.meaning(clause.text) if word not in keys.meaning(site)]
    content = clause.raw if site in clause.text or site == "competitors" else f"{site} : {clause.raw}"
    return {
        "about": "store",
        "key": watch.key_of(site, keys.slug(words, 3)),
        "value": keys.said(clause.raw, negated=grammar.found(clause.text, language, "NEGATION")),
        "content": re.sub(r"\s+", " ", content),
        "evidence": clause.evidence,
        "confidence": 0.8,
        "category": "watch",
        "tags": ["veille"],
        "tier": "watch",
        "language": language,
    }
