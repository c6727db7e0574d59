"""From a message to the clauses that may state something: pasted matter out, sentences, clauses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.adapters.extractors.rules import grammar
from app.adapters.extractors.rules.text import Flat, flatten

_FENCE = re.compile(r"```.*?(?:```|\Z)|<(\w+)[^>]*>.*?</\1>", re.DOTALL)
_PASTED_LINE = re.compile(
    r"(?im)^[ \t]*(?:>|#{1,6}\s|<[^>]+>|\[[^\]]+\]\s*:?|(?:assistant|system|bot|atlas|maya|marco|otis|faye|sam|ai|claude|chatgpt|gpt)\s*:).*$"
)
_MEMORY_HEAD = re.compile(
    r"(?im)^[ \t]*#{0,6}[ \t]*\W{0,3}(?:m[ée]moire|memory|ce que (?:je|nous) sa(?:is|vons)|what (?:i|we) (?:know|remember))\b[^\n.?!]{0,60}$"
)
_ABBREVIATIONS = r"(?<!\bp\.m)(?<!\ba\.m)(?<!\be\.g)(?<!\bi\.e)(?<!\bM)(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<!\benv)(?<!\bex)(?<!\bapprox)(?<!\bNo)(?<!\betc)"
_EMOJI = "\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d"
_END = re.compile(
    rf"{_ABBREVIATIONS}[.!?…]+[\"»”')]*(?=\s|$|[{_EMOJI}])|\n+\s*(?:[-•*]\s+)?|[{_EMOJI}]+(?=\s|$)|\s(?=[-•]\s)"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement in the making. `flat` is what it says, `evidence` the user's words that it stands in."""

    flat: Flat
    evidence: str

    @property
    def text(self) -> str:
        """The plain text, for matching."""
        return self.flat.text

    @property
    def verbal(self) -> str:
        """See `Flat.verbal`."""
        return self.flat.verbal

    @property
    def raw(self) -> str:
        """The user's own words."""
        return self.flat.raw


def without_pasted(text: str) -> str:
    """The message with code, quoted lines, other speakers' lines and our own memory block blanked; same offsets."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match[0])

    text = _FENCE.sub(blank, text)
    head = _MEMORY_HEAD.search(text)
    if head is not None and re.search(r"\n\s*(?:[-•*#]|\d+[.)])", text[head.end() :]):
        text = text[: head.start()] + blank_all(text[head.start() :])
    return _PASTED_LINE.sub(blank, text)


def blank_all(text: str) -> str:
    """As many blanks as there were characters; lines stay lines."""
    return re.sub(r"[^\n]", " ", text)


def sentences(text: str) -> Iterator[str]:
    """The sentences of `text`, each an exact substring with its own final mark, without blanks around it."""
    at = 0
    for match in _END.finditer(text):
        piece = text[at : match.end()].strip().lstrip("•*- ")
        if re.search(r"\w", piece):
            yield piece
        at = match.end()
    last = text[at:].strip().lstrip("•*- ")
    if re.search(r"\w", last):
        yield last


_OWN_START = r"(?:on|nous|je|j'|we|we're|we've|i|i'm|i've|notre|nos|our|my|ma|mon|mes|chez nous|il|elle|ils|elles|he|she|they)(?=\b|')"
_JOINTS = re.compile(
    rf"\s*;\s*|\s+[—–-]\s+|\s*:\s+|\s*,\s*(?:(?:et|mais|puis|donc|alors|sinon|du coup|and|but|so|also|then|while|par contre|en revanche|plus)\s+)?(?={_OWN_START})"
    rf"|\s+(?:et|mais|and|but|puis|donc|so|alors que|whereas|while)\s+(?={_OWN_START}|(?:the|le|la|les|l'|a|an|un|une|ce|cette|ces|this|these|all|every|each|tous|toutes|chaque|pour|for)\b|[a-z]+\b)"
    r"|\s*,\s*(?=(?:pour|for|sur|le|la|les|the|c'est|it's|ouvert|open|closed|ferme|retours?|livraison|returns?|shipping)\b)"
    r"|\s*,?\s+(?:btw|by the way|au fait|d'ailleurs|sinon|sachant que)\b,?\s*"
)


def clauses(sentence: str, language: str) -> list[Clause]:
    """The sentence cut where both sides state something with a subject of their own; else whole.

    A side that leans on the other (a pronoun, "when…", "à la condition que…") is not cut off.
    """
    flat = flatten(sentence, language)
    parts, start = list[str](), 0
    for joint in _JOINTS.finditer(flat.text):
        if joint.start() <= start:
            continue
        left, right = flat.verbal[start : joint.start()], flat.verbal[joint.end() :]
        if _independent(left, right, joint[0], language):
            parts.append(flat.original(start, joint.start()))
            start = joint.end()
    parts.append(flat.original(start, len(flat.text)))
    return [Clause(flatten(part, language), part if part in sentence else sentence) for part in parts if part]


_LEANS = re.compile(
    r"\s*(?:(?:et|and|but|mais|alors|donc|so|bon|ok|hey|hi|hello|salut|slt|bonjour|coucou)[ ,]+)*(?:si|s'il|if|when|quand|lorsque|whenever|des que|depuis|since|as|because|parce|puisque|comme|although|though|meme si|even|pour|for"
    r"|in|at|on (?:sundays?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|our|the)|dans|chez|avec|sur|from|with|a partir|as of|contrairement|unlike|sauf|except|selon|d'apres|according|apres|after|avant|before|pendant|during|en|a|au|aux|sous|sans|without|until|jusqu'|once|une fois|unless|to|just|juste|cote|cette|this|par|by|desormais|maintenant|now|hier|yesterday|last|next|demain|tomorrow|aujourd'hui|today|actually|finalement|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|week-end|matin|soir))\b"
)
_PRONOUN = re.compile(
    r"(?:it|it's|that|that's|those|these|they|they're|this|he|she|there|c'est|ce|ca|il|elle|ils|elles|les? notres?|sinon|which|qui|dont|where|ou)\b(?!\s+\w+\s+(?:qui|who)\b)"
)


def _independent(left: str, right: str, joint: str, language: str) -> bool:
    hard = ";" in joint or re.search(r"btw|by the way|au fait|d'ailleurs|sinon|sachant", joint) is not None
    if _PRONOUN.match(right) and not grammar.points_at_person(right):
        return False
    if not grammar.has_clause(right, language) or re.search(r"\ballerg\w+\W*$", right):
        return hard and len(left.split()) > 2 and ":" not in joint
    if ":" in joint:
        return True
    opener = _LEANS.match(left)
    if (
        opener is not None
        and not hard
        and "," in joint
        and not grammar.has_clause(left[opener.end() :].partition(",")[2], language)
    ):
        return False
    return hard or grammar.has_clause(left, language) or len(left.split()) > 1
