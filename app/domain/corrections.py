"""A person putting the assistant right: when a message does so, which fact it corrects, what that fact says then."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from app.domain.quantities import Quantity, find_quantities
from app.domain.values import JsonValue, normalise, value_kind
from app.domain.wording import plain, topic_words

MAX_BARE = 120
"""Characters; who says more than this has a subject."""
WINDOW = timedelta(seconds=60)
"""A message later than this after the assistant's turn corrects nothing: it states."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact that a message may correct: one that the last block served, or that the last turn spoke of.

    `ref` is the caller's own handle; `scope` is "organisation", "store" or "person".
    """

    ref: str
    scope: str
    key: str
    value: JsonValue
    content: str


_MARK = r"[\s,.:;!…—–-]*"
_STRONG = (
    r"(?:(?:euh|ah|oh|mais|hmm|um|oups|oops|pardon|sorry|desolee?|attention|wait|attends)[ ,!]+)*"
    r"(?:en fait|en realite|en verite|plutot(?! (?:bien|bon|bonne|content|d'accord|pas mal|cool|sympa))|(?:ce"
    r" n'est|c'est) pas (?:ca|exact|juste|correct|vrai|le cas|tout a fait)"
    r"|ce n'est pas|c'est (?:faux|inexact|une erreur)|faux(?! ami)|erreur|pas du tout|pas tout a fait|pas"
    r" exactement|tu te trompes|vous vous trompez"
    r"|tu t'es trompee?|vous vous etes trompee?s?|je (?:corrige|rectifie|voulais dire)|j'ai dit|(?:petite"
    r" )?(?:correction|rectification)"
    r"|actually|that(?:'s| is|s)(?: actually)? (?:wrong|not right|not correct|incorrect|not it|not true|false"
    r"|not what|a mistake|off|outdated)"
    r"|that(?:'s| is|s) (?:out of date|no longer)|this is (?:wrong|incorrect)|not (?:quite|exactly|right"
    r"|correct)|wrong|incorrect|you(?:'re| are|'ve got| got)(?: it| that)? wrong"
    r"|(?:it|that)(?:'s not| is not| isn't)|i (?:meant|said)|rather|let me correct|to correct (?:you|that))\b"
)
_NO = r"(?:euh |ah |oh |mais |hmm |um )*(?:non|no|nope|nan|nah)"
_STATES = (
    r"(?:c'est|it's|its|it is|on|nous|je|j'|we|i|i'm|our|my|notre|nos|mon|ma|mes|the|le|la|les|l'|that|this"
    r"|ca|ce|il|elle|they|she|he|\d)"
)
_WEAK = rf"{_NO}(?:(?: ?[,.:;!…—–-]+ ?)+|\s+(?={_STATES}(?:\b|(?<=')))|\s*(?=en fait|plutot|actually))"
_OPENER = re.compile(rf"\s*(?:{_WEAK})?(?:{_STRONG})?{_MARK}")
_OPENS = re.compile(rf"\s*(?:{_WEAK}|{_STRONG})")
_REFUSES = re.compile(
    rf"\s*{_NO}{_MARK}(?:non{_MARK})?(?:merci|thanks?\b|thank you|thx|ty\b|need|problem|prob|pb\b|worries|souci"
    rf"|probleme|rush|idea|clue|comment|way\b|rien|laisse"
    r"|pas (?:besoin|la peine|maintenant|pour l'instant|pour le moment|tout de suite|encore|necessaire|aujourd"
    r"|ce soir|vraiment)|not (?:now|yet|needed|necessary|really|today|for now)"
    r"|(?:ca|c) (?:ira|va|me va|suffit|roule)|c'est (?:bon|tout|parfait|gentil|ok|nickel|super|top)\b"
    r"|that(?:'s|s| is|'ll| will) (?:all|fine|ok|okay|good|great|enough|it|be all|do)\b"
    r"|it'?s (?:fine|ok|okay|all good|good)\b|i'?m (?:good|fine|ok|okay|all set)\b|we'?re (?:good|fine|ok|all"
    r" set)\b|all good|don'?t\b|ne (?!sont|livr|fai[st]ons)\w+ (?:pas|rien)|je (?:ne )?(?:crois|pense|sais"
    r"|veux|prefere) pas"
    r"|i (?:don'?t|do not) (?:think|know|need|want)|plus tard|later|leave it|forget|oublie|stop\b|i'd rather"
    r" not|never ?mind|tout (?:va|est) bien|it can wait|ok\b|please|stp|svp|bonne|have a)"
)
_ASKS = re.compile(
    r"(?:please |stp |svp |s'il te plait |s'il vous plait )?(?:can|could|would|will|do|does|did|are|what|how"
    r"|why|when|where|which|who|tu (?:peux|pourrais|sais)|vous (?:pouvez|pourriez)|peux-tu|pouvez-vous"
    r"|pourrais|est-ce"
    r"|comment|pourquoi|quel|quelle|ou est|combien|i (?:have a question|was wondering|need|wanted to ask)"
    r"|j'(?:ai (?:une question|besoin)|aimerais (?:que tu|savoir))|je (?:voulais te|voudrais te|me demand)|il"
    r" me faut"
    r"|never ?mind|laisse tomber|oublie|forget|merci|thanks|all good|that's (?:fine|ok|great|perfect)|c'est"
    r" (?:bon|parfait|tres bien|ok|super)\b)"
)
_ORDERS = re.compile(
    r"(?:please )?(?:make|write|rewrite|send|draft|give|show|remove|add|delete|use|put|change|keep|try|do|tell"
    r"|help|explain|skip|drop|move|let'?s (?!say|go with|make|use|have|keep|do)"
    r"|fais|faites|ecris|envoie|donne|montre|mets|ajoute|enleve|supprime|change|garde|essaie|raconte|explique"
    r"|aide|raccourcis|laisse|refais|reprends|prepare|on (?:va|passe) (?:parler|a autre))\b"
)


def opens_correction(user_text: str, since_assistant: timedelta | None, previous_assistant: str | None = None) -> bool:
    """Whether the message opens by putting the assistant right, within `WINDOW` of its turn (None: there was none).

    Refusals ("Non merci", "No need"), questions and orders do not. A plain no to a question of the assistant answers
    it, unless it names another value of the kind that the assistant named.
    """
    if since_assistant is None or not timedelta(0) <= since_assistant <= WINDOW:
        return False
    flat = plain(user_text)
    opening = _OPENS.match(flat)
    if opening is None or _REFUSES.match(flat):
        return False
    rest = flat[_opener_end(flat) :]
    first = re.split(r"(?<=[.!?])\s", rest, maxsplit=1)[0]
    strong = re.match(rf"\s*(?:{_WEAK})?{_STRONG}", flat) is not None
    if first.rstrip().endswith("?") or _ASKS.match(first) or (not strong and not re.search(r"\w", rest)):
        return False
    if _ORDERS.match(first) and not find_quantities(first):
        return False
    answers = not strong and (previous_assistant or "").rstrip().endswith("?")
    return not answers or _rivals(rest, previous_assistant or "")


def _rivals(text: str, asked: str) -> bool:
    """Whether `text` names a value of a kind that `asked` named too, or points at who or what it is instead."""
    kinds = {quantity.kind for quantity in find_quantities(text)}
    return bool(kinds & {quantity.kind for quantity in find_quantities(asked)}) or bool(
        re.match(r"(?:c'est|it's|it is)\b", text)
    )


def _opener_end(flat: str) -> int:
    match = _OPENER.match(flat)
    return match.end() if match else 0


def without_opener(text: str) -> str:
    """The message behind "Non,", "En fait", "That's not right:"…; without such an opening as it is."""
    return text[_opener_end(plain(text)) :]


_BARE = re.compile(
    r"(?:(?:c'est|ce sera|ce serait|c'etait|ca fait|it's|its|it is|that's|that is|it should be|should be|make"
    r" it|let's say|disons|mets|plutot|rather|now|maintenant|a partir de|des|from|at|a|le|on|sous|within|in"
    r"|en) )*"
    r"(?P<value>.+?)(?:[ ,(-]+(?:pas|et pas|et non|non|plutot que|not|and not|rather than|instead of|au lieu"
    r" d[e'])\b.*)?(?: (?:maintenant|desormais|now|en fait|actually|please|stp|svp|merci|thanks))*[\s.!…]*"
)


def bare_value(text: str) -> str | None:
    """What "c'est 80 €", "it's Priya" or "80, pas 60" names, as spelled; None for a text with a subject of its own."""
    body = without_opener(text).split("\n")[0]
    flat = plain(body)
    match = _BARE.fullmatch(flat) if len(flat) <= MAX_BARE else None
    if match is None:
        return None
    value = body[match.start("value") : match.end("value")]
    amounts = find_quantities(value)
    if amounts:
        rest = value[: amounts[0].start] + value[amounts[-1].end :]
        return value if not topic_words(rest) and len(rest.split()) <= 3 else None
    named = re.match(r"(?:c'est|it's|its|it is|that's)\s", flat) and value[:1].isupper()
    return value if named and len(value.split()) <= 4 and " qui " not in value and " who " not in value else None


def find_corrected(
    text: str, key: str | None, candidates: Sequence[Candidate], previous_assistant: str | None
) -> Candidate | None:
    """The candidate that `text` puts right: by `key`, else by topic and kind of value. None where it is not clear.

    A text without a subject of its own corrects what the assistant just named or spoke of, else the only candidate
    whose value is of that kind.
    """
    same_key = next((candidate for candidate in candidates if candidate.key == key), None)
    if same_key is not None:
        return same_key
    value, spoken = bare_value(text), previous_assistant or ""
    if value is None:
        return _best([(_shared(text, candidate, key), candidate) for candidate in candidates])
    fitting = [candidate for candidate in candidates if _kinds_fit(value, candidate)]
    named = _best([(_named(candidate, spoken), candidate) for candidate in fitting])
    return named or (fitting[0] if len(fitting) == 1 else None)


def _best(scored: list[tuple[float, Candidate]]) -> Candidate | None:
    """The one with the highest score above zero; two alike are no answer, unless they stand under one key."""
    top = max((score for score, _ in scored), default=0.0)
    winners = [candidate for score, candidate in scored if score == top]
    return winners[0] if top > 0 and len({winner.key for winner in winners}) == 1 else None


def _shared(text: str, candidate: Candidate, key: str | None) -> float:
    """How far both speak of the same topic, where they hold the same kind of value; 0 where that is not clear."""
    mine, theirs = set(topic_words(without_opener(text))), set(topic_words(candidate.content))
    kinds = {quantity.kind for quantity in find_quantities(text)} or {"text"}
    if not mine or not theirs or value_kind(candidate.value) not in kinds | {"flag"}:
        return 0.0
    of_mine, of_theirs = (len(mine & theirs) / len(side) for side in (mine, theirs))
    kin = key is None or key.split(".")[0] == candidate.key.split(".")[0]
    alike = (of_mine >= 0.6 and of_theirs >= 0.4) if kin else min(of_mine, of_theirs) >= 0.75
    return of_mine * of_theirs if alike else 0.0


def _kinds_fit(value: str, candidate: Candidate) -> bool:
    mine, theirs = value_kind(value), value_kind(candidate.value)
    return mine == theirs or (mine == "count" and theirs not in {"text", "flag", "none"})


def _named(candidate: Candidate, spoken: str) -> float:
    """How clearly the assistant's words were about the candidate: its value counts most, then its topic."""
    amounts = {quantity.canonical for quantity in find_quantities(spoken)}
    normal = normalise(candidate.value)
    says_value = normal in amounts or (normal and value_kind(candidate.value) == "text" and normal in plain(spoken))
    return 3.0 * bool(says_value) + len(set(topic_words(spoken)) & set(topic_words(candidate.content)))


def restate(candidate: Candidate, new_value_text: str) -> tuple[str, str] | None:
    """The candidate's value and content with the new value in place of the old; None where the old is not in its words.

    A bare number takes over the old value's unit.
    """
    span = _old_value(candidate)
    if span is None:
        return None
    old = candidate.content[span.start : span.end]
    new = new_value_text.strip()
    if value_kind(new) == "count" and span.kind not in {"count", "text"}:
        new = re.sub(r"\d[\d ., \u00a0\u202f]*\d|\d", new, old, count=1)
    return new, candidate.content[: span.start] + new + candidate.content[span.end :]


def _old_value(candidate: Candidate) -> Quantity | None:
    """Where the candidate's content shows its value."""
    amounts = find_quantities(candidate.content)
    normal, kind = normalise(candidate.value), value_kind(candidate.value)
    exact = [amount for amount in amounts if amount.canonical == normal]
    alike = [amount for amount in amounts if amount.kind == kind]
    if exact or len(alike) == 1:
        return (exact or alike)[0]
    shown = plain(candidate.value) if isinstance(candidate.value, str) else ""
    start = plain(candidate.content).find(shown) if shown else -1
    return Quantity(start, start + len(shown), "text", shown) if start >= 0 else None
