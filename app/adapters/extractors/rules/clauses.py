"""From a sentence to clauses that each state one thing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.adapters.extractors.rules import grammar
from app.adapters.extractors.rules.text import Flat, flatten
from app.domain.word_patterns import any_of, either


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement in the making. `flat` is what it says, `evidence` the user's words that it stands on."""

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


_SUBJECT = (
    r"(?:on|nous|je|j'|we|we're|we've|i|i'm|i've|notre|nos|our|my|ma|mon|mes|chez nous|il|elle|ils|elles|he|she|they"
    r"|all our|tous nos|toutes nos|le (?:shop|magasin|site)|la boutique|the (?:shop|store))(?:\b|(?<='))"
)
_FILLERS = (
    r"(?:(?:et|mais|puis|donc|alors|sinon|du coup|and|but|so|also|then|while|anyway|plus|par contre|en revanche),?\s+)*"
)
_NOUN = (
    r"(?:the|le|la|les|l'|a|an|un|une|ce|cette|ces|this|these|all|every|each|tous|toutes|chaque|pour|for)\b|[a-z]+\b"
)
_ASIDE = r"btw|by the way|au fait|d'ailleurs|sinon|sachant que|sachant qu'"
_JOINT = re.compile(
    rf"\s*;\s*|\s+[—–-]\s+|\s*:\s+|\s*,\s*{_FILLERS}(?={_SUBJECT})|\s+(?:et|mais|and|but|alors que|whereas"
    rf"|while|et puis"
    rf"|and also)\s+(?={_SUBJECT}|{_NOUN})|\s+(?:so|puis|donc)\s+(?={_SUBJECT})"
    r"|\s*,\s*(?=(?:pour|for|le|la|les|the|c'est|it's|ouvert|open|closed|ferme|retours?|livraison|returns?|shipping)\b)"
    rf"|\s*,?\s+(?:{_ASIDE})(?:\b|(?<=')),?\s*"
)
_HARD = re.compile(rf";|{_ASIDE}")
# A side that begins so belongs to what follows it.
_LEANS = re.compile(
    r"\s*(?:(?:et|and|but|mais|alors|donc|so|bon|ok|hey|hi|hello|salut|slt|bonjour|coucou)[ ,]+)*"
    + either(
        r"""
        si|s'il|if|when|quand|lorsque|whenever|des que|depuis|since|as|because|parce|puisque|comme|although|though
        meme si|even|pour|for|in|at|on (?:\w+days?|our|the)|dans|chez|avec|sur|from|with|a partir|as of|contrairement
        unlike|sauf|except|selon|d'apres|according|apres|after|avant|before|pendant|during|en|a|au|aux|sous|sans
        without|until|jusqu'|once|une fois|unless|to|just|juste|cote|cette|this|par|by|desormais|maintenant|now|hier
        yesterday|last|next|demain|tomorrow|aujourd'hui|today|actually|finalement
        le (?:\w+di|dimanche|week-end|matin|soir)|\w+di|dimanche|whatever|quoi que|given|vu que|knowing|sachant
        """
    )
    + r"(?:\b|(?<='))"
)
# A side that begins or ends so cannot stand without what came before it.
_PRONOUN = re.compile(
    r"(?:it|it's|that|that's|those|these|they|they're|this|he|she|there|c'est|ce|ca|il|elle|ils|elles|which"
    r"|qui|dont|where|ou"
    r"|neither|nor|so do|so are|moi non plus|nous non plus|la notre|les notres|ours)\b"
)
_EMPTY_OBJECT = re.compile(r"^(?:\S+ ){1,6}(?:it|them|that|this|ca|cela|so|one|pareil|non plus)\W*$")
_TAKEN_UP = any_of(
    r"(?:nous |me )?(?:l'a|l'ont|les a|l'avons|l'interdit|l'impose|l'exige|l'oblige)(?: \w+)?|allerg\w+\W*$"
)


def clauses(sentence: str, language: str) -> Iterator[tuple[int, int]]:
    """Start and end of each clause: cut where both sides state something with a subject of their own."""
    flat = flatten(sentence, language)
    start = 0
    for joint in _JOINT.finditer(flat.verbal):
        if joint.start() <= start:
            continue
        left, right = flat.verbal[start : joint.start()], flat.verbal[joint.end() :]
        if re.search(r"\w", right) and _independent(left, right, joint[0], language):
            yield flat.span(start, joint.start())
            start = joint.end()
    yield flat.span(start, len(flat.verbal))


def _independent(left: str, right: str, joint: str, language: str) -> bool:
    """Whether `right` may be cut off from `left`."""
    hard = _HARD.search(joint) is not None
    if (_PRONOUN.match(right) and not grammar.points_at_person(right)) or _EMPTY_OBJECT.match(right):
        return False
    head = re.split(r"[,;:]| et | and ", right, maxsplit=1)[0]
    if _TAKEN_UP.search(head):
        return False
    if not grammar.has_clause(right, language):
        return hard and len(left.split()) > 2
    if ":" in joint or hard:
        return not grammar.is_lead(left, language)
    opener = _LEANS.match(left)
    if opener is None:
        return grammar.has_clause(left, language) or ("," not in joint and len(left.split()) > 2) or _is_aside(left)
    return grammar.has_clause(left[opener.end() :].partition(",")[2], language)


def _is_aside(left: str) -> bool:
    """A verbless beginning that has nothing to do with the clause behind its comma: a greeting, a remark."""
    return (
        re.match(r"\W*(?:ha|right|so|long day|anyway|checked|saw|looked|been|had a look|voila|bref|bon)\b", left)
        is not None
    )
