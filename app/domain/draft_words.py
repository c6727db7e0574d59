"""A draft held to the words that it rests on: what of them states something, in which language, about whose site."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from app.domain.draft_fields import BadDraftError
from app.domain.grounding import is_said
from app.domain.junk import GREETING, clauses_of, only_greets, stated
from app.domain.languages import differ, language_told, spoken_in, spoken_there
from app.domain.sentences import sentences
from app.domain.sieve import Sieve
from app.domain.values import JsonValue
from app.domain.watch import goes_on, own_site, site_of
from app.domain.wording import plain

MOST_PLACES = 20
"""Of a passage that stands several times in a message, so many are looked at."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message as its drafts are held to it. `sites` are the clauses about a company's site: whose, theirs or ours."""

    message: str
    said: Sieve
    sites: tuple[tuple[int, int, str | None, str | None], ...]


def hear(message: str, spoken: str | None) -> Heard:
    """What the message states, just after the assistant spoke so."""
    said = stated(message, spoken)
    return Heard(message, said, tuple(_sites(said.text)))


def taken_from(evidence: str, heard: Heard) -> str | None:
    """Why part of the evidence states nothing, None where all of it does. Raises BadDraftError where nothing does."""
    start = _place(evidence, heard)
    reason = heard.said.reason(start, start + len(evidence))
    if only_greets(plain(evidence)):
        raise BadDraftError(GREETING)
    if reason is not None and not heard.said.holds(start, start + len(evidence)):
        raise BadDraftError(reason)
    return reason


def language_of(evidence: str, around: Iterable[str | None], usual: str, languages: Collection[str]) -> str:
    """That in which it was said, whatever whoever read it claims; few words are taken for that of what is around them.

    Raises BadDraftError where it is one that nobody speaks there.
    """
    found = spoken_in(evidence, *around, usual=usual)
    if not spoken_there(found, languages):
        raise BadDraftError("bad_language")
    return found


def as_said(
    content: str, value: JsonValue, evidence: str, message: str, language: str, *, taken: str | None
) -> tuple[str, JsonValue]:
    """Content and value in the language in which it was said: the speaker's words in place of a translation.

    Raises BadDraftError where these words cannot stand alone: they are too few, or not all of them state something.
    """
    if content in message or not differ(language_told(content), language):
        return content, value
    if taken is not None or language_told(evidence) is None:
        raise BadDraftError("translated")
    words = evidence.strip()
    foreign = isinstance(value, str) and not is_said(value, None, [message])
    return words, words if foreign else value


def site_around(evidence: str, heard: Heard) -> tuple[str | None, str | None]:
    """The other company that the clause of the evidence is about, and the site of ours that it names."""
    start = _place(evidence, heard)
    end = start + len(evidence)
    return next(((site, own) for first, last, site, own in heard.sites if first < end and start < last), (None, None))


def _sites(text: str) -> Iterator[tuple[int, int, str | None, str | None]]:
    """A clause behind one about another company goes on about it: "ils…", or behind a colon where nobody says "we"."""
    site, before = None, 0
    for span in sentences(text):
        for first, last in clauses_of(text, span):
            raw, colon = text[first:last], ":" in text[before:first] and before > span[0]
            site = site_of(raw, plain(raw)) or (site if goes_on(plain(raw), listed=colon) else None)
            own = own_site(raw, plain(raw))
            if site or own:
                yield first, last, site, own
            before = last


def _place(evidence: str, heard: Heard) -> int:
    """Where the evidence stands, in a place that states something if there is one."""
    places = [match.start() for match in islice(re.finditer(re.escape(evidence), heard.message), MOST_PLACES)]
    return next((start for start in places if heard.said.holds(start, start + len(evidence))), places[0])
