"""The extractor without a model: statement patterns in French and English, no key, no network."""

from collections.abc import Iterator
from itertools import islice

from app.adapters.extractors.rules import filters, grammar, keys, statements
from app.adapters.extractors.rules.clauses import Clause, clauses
from app.adapters.extractors.rules.lexicon import ENTITLEMENT
from app.adapters.extractors.rules.readings import read_clause, tidy
from app.adapters.extractors.rules.repairs import without_former, without_taken_back
from app.adapters.extractors.rules.text import flatten, language_of
from app.domain import watch
from app.domain.chatter import is_greeting
from app.domain.corrections import bare_value, without_opener
from app.domain.drafts import MAX_DRAFTS, ExtractionRequest
from app.domain.own_words import own_words
from app.domain.secrets import holds_secret
from app.domain.sentences import sentences
from app.domain.suppositions import is_reported, is_supposed
from app.ports.extractors import Extraction


class RulesExtractor:
    """Reads what people say of their shop and of themselves; answers raw drafts for `app.domain.drafts.check_all`."""

    name = "rules"
    metered = False

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """One raw draft for each statement, in the order of the message; of more than `MAX_DRAFTS` the most telling.

        Reads no further than the domain's `MOST_READ` characters and touches nothing outside.
        """
        drafts = list(islice(drafts_of(request), 4 * MAX_DRAFTS))
        telling = sorted(drafts, key=_said_in_plain_words)[:MAX_DRAFTS]
        return Extraction([draft for draft in drafts if draft in telling])


def _said_in_plain_words(draft: dict[str, object]) -> bool:
    """Whether no special rule read the draft: its key is made of its own words."""
    return str(draft["key"]).split(".")[0] in {"shop", "company", "person"}


def drafts_of(request: ExtractionRequest) -> Iterator[dict[str, object]]:
    """The raw drafts of a turn."""
    text = own_words(request.user_text).text
    language = language_of(text, request.language)
    site: str | None = None
    for number, (start, end) in enumerate(sentences(text)):
        sentence = text[start:end]
        correcting = request.correction and number == 0
        if correcting:
            start += len(sentence) - len(without_opener(sentence))
            sentence = text[start:end]
            if bare_value(sentence) is not None:
                yield _bare_correction(request.user_text[start:end], language)
                continue
        for clause in _clauses(sentence, request.user_text[start:end], language):
            site = watch.site_of(clause.raw, clause.text) or (site if watch.goes_on(clause.text) else None)
            for raw in _drafts(clause, site, language, request):
                yield raw | ({"relation": "correction"} if correcting else {})


def _clauses(sentence: str, original: str, language: str) -> list[Clause]:
    """The clauses of a sentence that nobody asks, and that show no secret; `original` is it before blanking.

    A piece that states nothing by itself stays with the statement that it follows.
    """
    flat = flatten(sentence, language)
    if filters.is_question(flat.text, language):
        return []
    found = list[tuple[int, int]]()
    for start, end in clauses(sentence, language):
        if holds_secret(sentence[start:end]):
            continue
        clause = _clause(sentence, original, start, end, language)
        if found and _belongs_to_last(clause, language) and sentence[found[-1][1] : start].strip() in _TIES:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return [_clause(sentence, original, start, end, language) for start, end in found]


_TIES = {"", ",", "and", "et", ", and", ", et", ":"}


def _clause(sentence: str, original: str, start: int, end: int, language: str) -> Clause:
    return Clause(flatten(without_former(without_taken_back(sentence[start:end])), language), original[start:end])


def _belongs_to_last(clause: Clause, language: str) -> bool:
    """Neither a statement of its own, nor about somebody, nor narration, supposition or chat."""
    words, text = grammar.of(language), clause.text
    return not (
        statements.states(clause, language)
        or words.own.search(text)
        or words.speaker.search(text)
        or words.past.search(clause.verbal)
        or words.passing.search(text)
        or is_supposed(text)
        or is_greeting(text)
        or watch.site_of(clause.raw, text)
    )


def _drafts(clause: Clause, site: str | None, language: str, request: ExtractionRequest) -> Iterator[dict[str, object]]:
    if site is not None:
        heard = is_supposed(clause.text) or is_reported(clause.text)
        if watch.tells(clause.text) and not heard and not request.contact:
            yield _watched(clause, site, language)
        return
    if request.contact and ENTITLEMENT.search(clause.text):
        return
    if statements.states(clause, language):
        yield from read_clause(clause, language, contact=request.contact)


def _bare_correction(said: str, language: str) -> dict[str, object]:
    """ "C'est 80 €": a value whose subject is what was just spoken of; the domain finds it."""
    return {
        "about": "store",
        "key": None,
        "value": bare_value(said),
        "content": said,
        "evidence": said,
        "relation": "correction",
        "language": language,
    }


def _watched(clause: Clause, site: str, language: str) -> dict[str, object]:
    stems = [word for word in keys.meaning(clause.text) if word not in keys.meaning(site)]
    named = site in clause.raw.lower() or site in clause.raw or site == "competitors"
    return {
        "about": "store",
        "key": watch.key_of(site, keys.slug(stems, 3)),
        "value": keys.said(clause.raw, negated=grammar.of(language).negation.search(clause.text) is not None),
        "content": tidy(clause.raw if named else f"{site} : {clause.raw}"),
        "evidence": clause.evidence,
        "category": "watch",
        "tags": ["veille"],
        "tier": "watch",
        "language": language,
    }
