"""What a message states, clause by clause: the rest of the speaker's words is asked, supposed, ordered or chatted."""

import re
from collections.abc import Iterator
from itertools import pairwise

from app.domain.chatter import asks, is_greeting, is_request
from app.domain.own_words import HANDED_OVER, own_words
from app.domain.secrets import holds_secret
from app.domain.sentences import sentences
from app.domain.sieve import Sieve
from app.domain.suppositions import is_reported, is_supposed
from app.domain.wording import plain

ASSISTANT, SECRET, QUESTION, SUPPOSED = "assistant_words", "secret", "question", "supposed"
HEARSAY, GREETING, REQUEST = "hearsay", "greeting", "request"
LEAST_ECHO = 6
"""Words; whoever says so many just as the assistant said them repeats it. Fewer may be an answer of one's own."""

Span = tuple[int, int]

_SUBJECT = (
    r"(?:on|nous|je|j'|we|we're|we've|i|i'm|i've|notre|nos|our|my|ma|mon|mes|chez nous|c'est|it's|il|elle|ils|elles|he"
    r"|she|they|they're)(?:\b|(?<='))"
)
_ASKING = (
    r"(?:tu (?:peux|pourrais|sais|veux)|vous (?:pouvez|pourriez)|peux-tu|pouvez-vous|pourrais-tu|can you"
    r"|could you|would you|will you|what|how|combien|comment|quel|quelle|est-ce)\b"
)
_JOINT = re.compile(
    r"\s*;\s*|\s+[—–-]\s+|\s*:\s+"
    r"|(?:\s*,)?\s+(?:(?:et|mais|puis|donc|car|and|but|so|because|parce que|puisque|then|alors)\s+)"
    rf"(?={_SUBJECT}|{_ASKING})"
    rf"|\s*,\s+(?={_SUBJECT}|{_ASKING})"
)
_WORD = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"[^,;:!.?]*\w[^,;:!.?]*")
_INTRODUCES = re.compile(
    r"\b(?:it'?s|c'est|c|this is|ici) (?!(?:parfait|bon|top|super|gentil|note|perfect|great|good|fine|nickel"
    r"|genial|cool|ok)\b)"
)
_IF = re.compile(r"\W*(?:(?:et|and|mais|but) )?(?:si|s'|if|what if|imaginons|suppose)\b")
_TOLD_BY_YOU = re.compile(
    r"\b(?:tu (?:as dit|disais|m'as dit|avais dit)|vous (?:avez dit|disiez)|(?:selon|d'apres) (?:toi|vous)"
    r"|you (?:said|told me|mentioned|claimed)|according to you)\b"
)
_LEAD = re.compile(
    r"\W*(?:(?:bonjour|bonsoir|salut|coucou|hello|hey|hi|ok|okay|merci|thanks|stp|svp|please|et|and|mais|but|alors|so|donc|dis"
    r"|du coup|au fait|btw|sinon|oui|non|yes|no|super|parfait|great|perfect)\b[\s,:!.;…—–-]*)*"
)


def stated(message: str, spoken: str | None = None) -> Sieve:
    """The message with blanks for all that states nothing in the speaker's own words, and the reason for each piece.

    `spoken` is what the assistant said just before: repeating it is no statement.
    """
    sieve = own_words(message)
    found = list(sentences(sieve.text))
    sieve.take(_echoes(sieve.text, found, spoken or ""), ASSISTANT)
    sieve.take(_secrets(sieve.text, found), SECRET)
    for start, end in sentences(sieve.text):
        if sieve.text[start:end].endswith(":") and sieve.taken_behind(end):
            sieve.take([(start, end)], HANDED_OVER)
        for first, last, reason in _judged(sieve.text, (start, end)):
            sieve.take([(first, last)], reason)
    return sieve


def only_greets(sentence: str) -> bool:
    """Whether plain text only greets, thanks and agrees, in each of its pieces, and names nobody."""
    return all(map(is_greeting, _PIECE.findall(sentence))) and not _INTRODUCES.search(sentence)


def _echoes(text: str, found: list[Span], spoken: str) -> Iterator[Span]:
    """Sentences that stand in what was spoken, word for word."""
    heard = _words(spoken)
    for start, end in found:
        said = _words(text[start:end])
        if said.count(" ") >= LEAST_ECHO + 1 and said in heard:
            yield start, end


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(plain(text)))} "


def _secrets(text: str, found: list[Span]) -> Iterator[Span]:
    """Clauses that show a secret; whole sentences, or two that follow one another, where it shows only in them."""
    alone = set[Span]()
    for span in found:
        if holds_secret(text[slice(*span)]):
            alone.add(span)
            clauses = [clause for clause in clauses_of(text, span) if holds_secret(text[slice(*clause)])]
            yield from (_from_secret(text, clause) for clause in clauses or [span])
    for first, second in pairwise(found):
        joined = f"{text[slice(*first)].rstrip(' .!…')} {text[slice(*second)]}"
        if not alone & {first, second} and holds_secret(joined):
            yield from (first, second)


def _from_secret(text: str, clause: Span) -> Span:
    """The clause from where it shows its secret on, if what precedes a comma shows none."""
    start, end = clause
    cuts = [start, *(start + comma.end() for comma in re.finditer(",", text[start:end])), end]
    return next((first for first, last in pairwise(cuts) if holds_secret(text[first:last])), start), end


def _judged(text: str, span: Span) -> Iterator[tuple[int, int, str]]:
    """The clauses of a sentence that state nothing, with why."""
    sentence = plain(text[slice(*span)])
    clauses = list(clauses_of(text, span))
    asked = re.search(r"\?[\s\"')\W]*$", sentence) is not None
    if only_greets(sentence):
        yield *span, GREETING
        return
    asks_last = asks(_body(plain(text[slice(*clauses[-1])])))
    for number, (start, end) in enumerate(clauses):
        clause = plain(text[start:end])
        last = number == len(clauses) - 1
        reason = _reason(clause)
        if asked and (last or not asks_last or _IF.match(clause)):
            reason = SUPPOSED if _IF.match(clause) else QUESTION
        if reason is not None:
            yield start, end, reason


def _reason(clause: str) -> str | None:
    """Why a clause (plain text) states nothing; None where it does."""
    body = _body(clause)
    if _TOLD_BY_YOU.search(clause):
        return HEARSAY
    if asks(body):
        return QUESTION
    if is_supposed(clause):
        return SUPPOSED
    if is_reported(clause):
        return HEARSAY
    return REQUEST if is_request(body) else None


def _body(clause: str) -> str:
    lead = _LEAD.match(clause)
    return clause[lead.end() :] if lead is not None else clause


def clauses_of(text: str, span: Span) -> Iterator[Span]:
    """Start and end of each clause: cut where something with a subject of its own, or a question, begins."""
    start, end = span
    for joint in _JOINT.finditer(plain(text[start:end])):
        cut = span[0] + joint.end()
        if re.search(r"\w", text[start : span[0] + joint.start()]):
            yield start, span[0] + joint.start()
            start = cut
    yield start, end
