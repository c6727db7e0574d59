"""Imperatives: a piece of work to do now, or a habit to keep."""

import re
from functools import cache
from re import Pattern

from app.adapters.extractors.rules import grammar
from app.domain.word_patterns import any_of

_CONDITION = re.compile(
    r"(?:when|whenever|if|for|in|on|with|whatever|pour|quand|lorsque|dans|sur|avec|quoi que|a chaque fois"
    r"|chaque fois|each time"
    r"|every time|si)\b[^,:]{3,60}[,:] "
)
_NO_ORDER = re.compile(
    r"(?:only|just) \w+ (?:approves|handles|is|can|signs)|list price|plan b|book orders|open \w+day|opening"
    r"|look-?book|set of"
    r"|post office|envoi|livre en|place|order(?:s)? |returns? |design\w* |review\w* (?:are|is)|work(?:shop|s)|change of"
)


@cache
def _order(language: str) -> Pattern[str]:
    one = grammar.of(language)
    return re.compile(rf"{one.polite}(?:{one.once}|{one.lasting_orders})(?:\b|-)(?! (?:is|are|est|sont|costs?)\b)")


@cache
def _habit(language: str) -> Pattern[str]:
    one = grammar.of(language)
    return re.compile(rf"{one.polite}(?:{one.lasting_orders})(?:\b|-)")


def _behind_condition(body: str) -> str:
    """ "When you write for us, think…" without its first half."""
    match = _CONDITION.match(body)
    return body[match.end() :] if match else body


def is_order(body: str, language: str) -> bool:
    """Whether the clause is an imperative, polite or not, perhaps behind a condition."""
    return any(
        _order(language).match(part) is not None and _NO_ORDER.match(part) is None
        for part in (body, _behind_condition(body))
    )


_BAN = re.compile(
    r"(?:please |stp,? |svp,? |surtout,? )?(?:never|always|don't ever|do not ever|no\b|pas d|jamais|plus"
    r" jamais|toujours|zero|aucune?\b|only\b|uniquement\b|seulement\b"
    r"|n'\w+ (?:jamais|plus|pas)|ne \w+ (?:jamais|plus)|interdiction de)"
)
_TO_ME = any_of(
    r"""
    (?:reponds|repondez|ecris|ecrivez|parle|parlez|tutoie|vouvoie|appelle|appelez|tutoyez|vouvoyez)-?moi
    (?:call|address|answer|reply to|write to|speak to|talk to|text|email) me
    your (?:answers|replies|messages|summaries)|with me|avec moi|(?:tes|vos) (?:reponses|messages|resumes|textes)
    """
)
_OURS = any_of(
    r"our|ours|us|my|nos|notre|mes|mon|ma|all|every|each|tous|toutes|chaque|aux client\w*|les client\w*|customers"
)
_THIS_ONE = any_of(
    r"""
    this (?:text|paragraph|one|post|email|page|version|time)|the (?:first|second|third|last|above|below) \w+|here
    today|ce (?:texte|paragraphe|post|mail)|cette (?:page|version|fois)|le (?:premier|deuxieme|troisieme|dernier) \w+
    ici|la (?:premiere|deuxieme|derniere) \w+|aujourd'hui|(?<!a partir de )maintenant|(?<!from )now
    """
)


_STANDING_CONDITION = re.compile(
    r"(?:when|whenever|whatever|quand|lorsque|pour|for|dans|sur|in|on|if (?!you)|si (?!tu|vous))\b|if i|si je"
)
_FEELING = re.compile(
    r"(?:never|always|jamais|toujours) (?:been|seen|had|give up|mind|make us|here|remember|been to|lose hope)\b"
)


def lasts(body: str, language: str) -> bool:
    """Whether an order is meant for every time: by its words, or by its kind ("keep our titles short")."""
    order = _behind_condition(body)
    if _FEELING.match(order):
        return False
    if any(part.lasting.search(body) for part in grammar.BOTH) or _BAN.match(order):
        return True
    if _THIS_ONE.search(order):
        return False
    conditional = order != body and _STANDING_CONDITION.match(body)
    habit = _habit(language).match(order) is not None
    return _TO_ME.search(order) is not None or (habit and (_OURS.search(body) is not None or bool(conditional)))


def bans(body: str) -> bool:
    """Whether the clause is a bare rule without a verb: "no calls before 10", "pas de majuscules dans nos titres"."""
    match = re.match(
        r"(?:please |stp,? )?(?:no\b|pas d[e']|jamais d[e']|zero|aucune?\b|never|jamais|only|que d[eu]s?|plus de"
        r"|plus d')(?! (?:that's|it's|its|i|we|you|they|c'est|je|on|nous|merci|thanks|ca)\b)",
        body,
    )
    if match is None or re.match(
        r"no (?:problem|worries|need|rush|idea|clue|thanks?|way|doubt|wonder|luck|news|rest)\b|pas de (?:souci"
        r"|probleme|pb|reponse|nouvelles?|chance)",
        body,
    ):
        return False
    if _FEELING.match(body):
        return False
    return len(body.split()) >= 4 or re.search(r"\b(?:please|ever|stp|svp|merci)\b", body) is not None
