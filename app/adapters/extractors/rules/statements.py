"""Whether a clause states something that lasts about the shop, the company or the speaker."""

import re

from app.adapters.extractors.rules import brand, filters, grammar, keys, orders, people, topics
from app.adapters.extractors.rules.clauses import Clause
from app.adapters.extractors.rules.lexicon import (
    BUSINESS,
    COMPANY_VERBS,
    LASTING_SUBJECT,
    OF_A_PERSON,
    OF_THE_SPEAKER,
    PRIVATE,
)
from app.domain.chatter import is_greeting
from app.domain.quantities import find_quantities
from app.domain.suppositions import is_reported, is_supposed


def body_of(clause: Clause, language: str) -> str:
    """The plain text behind greetings and "just so you know"."""
    return clause.text[grammar.without_lead(clause.text, language) :]


def is_business(text: str) -> bool:
    """Whether a word of the trade occurs."""
    return BUSINESS.search(text) is not None


def states(clause: Clause, language: str) -> bool:
    """Whether the clause is worth keeping. Cautious with the speaker's day, generous with standing facts."""
    text, body, words = clause.text, body_of(clause, language), grammar.of(language)
    if filters.is_question(text, language) or is_supposed(text):
        return False
    if people.introduction(clause.flat, language) is not None:
        return True
    if is_greeting(text) or is_reported(text) or len(body.split()) < 2:
        return False
    if orders.is_order(body, language):
        return orders.lasts(body, language)
    if brand.read(text) is not None and words.own.search(text):
        return True
    if not keys.meaning(clause.raw) and not find_quantities(clause.raw):
        return False
    if words.wish.search(text):
        return _wishes(body, language)
    if _begins_with_name(clause.raw) and words.change.search(text):
        return True
    if words.past.search(clause.verbal) or words.ongoing.search(text):
        return _changes(clause, language)
    return orders.bans(body) or _stands(clause, body, language)


_OF_THE_MOMENT = re.compile(
    r"\b(?:i|we|i'd|we'd|je|j'|on|nous) ?(?:just |really |also |now )*(?:need|want|like|love|expect|veux"
    r"|voudrais|aime|souhaite|veut)s? "
    r"(?:you to (?:write|make|draft|check|help|do|send|find)|to (?:know|see|ask|check|do|talk|thank|discuss"
    r"|understand|order)\b"
    r"|to (?:implement|plan|fix|buy|return|book|hear|say|make sure|go|get|have|try|be)\b"
    r"|it\b|that\b|this\b|your\b|how\b"
    r"|help"
    r"|some (?:help|ideas|advice)"
    r"|an? (?:answer|idea|refund|quote|hand)|que tu (?:me )?(?:fasses|ecrives|trouves|regardes|verifies)"
    r" (?!toujours)|savoir|voir"
    r"|un (?:devis|remboursement|conseil)|une (?:reponse|idee)|ton |ta |tes |bien\b|ca\b)"
)


def _wishes(body: str, language: str) -> bool:
    """A taste or a wish with an object of its own, not "I want you to…" for the task at hand."""
    return _OF_THE_MOMENT.search(body) is None or grammar.of(language).lasting.search(body) is not None


def _begins_with_name(raw: str) -> bool:
    return people.is_name(re.split(r"[ ,]", raw.strip(), maxsplit=1)[0])


_WAS = re.compile(r"\b(?:was|were|etaient?|a ete|ont ete)\b(?!.*\b(?:today|yesterday|hier|this morning|ce matin)\b)")


def _changes(clause: Clause, language: str) -> bool:
    """A past event that changes how things stand: of the shop, or in the speaker's life."""
    words, text = grammar.of(language), clause.text
    own, speaker = words.own.search(text) is not None, words.speaker.search(text) is not None
    if speaker and words.life.search(text):
        return True
    if own and is_business(text) and _WAS.search(text) and find_quantities(clause.raw):
        return True
    changed = words.change.search(text) is not None
    if words.ongoing.search(text) and not changed:
        return own and is_business(text) and words.standing.search(text) is not None
    return changed and (own or is_business(text))


def _stands(clause: Clause, body: str, language: str) -> bool:
    """A present statement, weighed by its subject, its words, its amounts and its "always" and "only"."""
    words, text = grammar.of(language), clause.text
    own, speaker = words.own.search(body) is not None, words.speaker.search(body) is not None
    standing = words.standing.search(text) is not None
    amounts = any(
        one.kind != "count" or re.match(r"\s?\w", clause.raw[one.end :]) for one in find_quantities(clause.raw)
    )
    amounts = amounts or _ADDRESS.search(text) is not None
    if words.passing.search(text) and not (is_business(text) and (amounts or standing)):
        return False
    if amounts and _AWAY.match(body):
        return True
    if re.match(r"(?:you|tu|vous|your|ton|ta|tes|votre|vos)\b", body) or _NO_SUBJECT.match(body):
        return False
    if _FRAGMENT.match(body) and not words.firm.search(text):
        return False
    verb = grammar.has_clause(clause.verbal, language)
    if own and verb:
        return _of_ours(clause, body, language, amounts=amounts)
    if people.roles(clause.flat) is not None:
        return True
    if speaker:
        return _of_self(body, standing=standing and (is_business(text) or amounts))
    if topics.read(clause.raw, text) is not None:
        return True
    if _LABELLED.match(clause.raw) and is_business(text.partition(":")[0]):
        return True
    if _SOMEBODY_ELSE.search(body) and not (is_business(text) and (amounts or standing)):
        return False
    marks = amounts + standing + 2 * own
    return (verb or own or standing or ":" in text) and _weight(clause, body, verb=verb, marks=marks) >= 3


def _weight(clause: Clause, body: str, *, verb: bool, marks: int) -> int:
    """How much a statement about a third looks like one about the shop; without a word of the trade, not at all.

    `marks` counts its amounts and words of rules, and twice a "we".
    """
    text, trade = clause.text, min(len(set(BUSINESS.findall(clause.text))), 2)
    company = COMPANY_VERBS.search(text) is not None
    if not trade and not company and not (marks > 1 or (verb and marks)):
        return 0
    named = company and _begins_with_name(clause.raw)
    lasting = verb and LASTING_SUBJECT.match(body) is not None
    return marks + verb + trade + company + named + lasting


_ADDRESS = re.compile(r"\S+@\S+\.\w+|(?<!\S)@\w{3,}")
_LABELLED = re.compile(r"[^:]{3,50} ?: ?(?=.*[\dA-ZÀ-Ý@#])\S")
_AWAY = re.compile(
    r"(?:can't|can not|not|un)(?: (?:answer|reply|talk|available|reachable|around|free)|available|reachable)\b"
    r"|(?:je )?(?:ne )?peux pas"
    r" (?:repondre|parler)|pas (?:dispo|joignable|la)\w*|injoignable|absente?"
)
_NO_SUBJECT = re.compile(
    r"(?:been|can't|couldn't|seeing|being|having|glad|hope|looks|sounds|wish|feels|here's|here is|guess)\b"
)
_FRAGMENT = re.compile(
    r"(?:since|because|when|if|that|as|parce qu|quand|si|depuis qu|puisqu|while|although|which|qui|dont|avant"
    r"|before|after|apres)\b(?!(?: \S+)+ (?:we|i|on|nous|je|our|notre|nos) )[^,:]*$"
)
_SOMEBODY_ELSE = re.compile(
    r"\b(?:you|you're|your|tu|ton|ta|tes|toi|vous|votre|vos)\b|^(?:they|they're|it|it's|he|she|this|that"
    r"|that's|those|these|ils|elles|il|elle"
    r"|ce|ca|c'est)\b"
)
_NAMED = re.compile(
    r"(?:in|at|with|from|by|to|near|à|en|chez|avec|de|par|d'|for|pour) (?:la |le |les |the )?[A-ZÀ-Ý][\wÀ-ÿ&'-]+"
)


def _of_ours(clause: Clause, body: str, language: str, *, amounts: bool) -> bool:
    """A "we" sentence with something of the trade, a rule, an amount or a name in it; not private life."""
    words, text = grammar.of(language), clause.text
    if is_business(text) or COMPANY_VERBS.search(text) or words.change.search(text):
        return PRIVATE.search(text) is None or amounts or words.firm.search(text) is not None
    if PRIVATE.search(text):
        return False
    possessed = re.match(
        r"(?:our|notre|nos|all our|my|ma|mes|mon|tous nos|toutes nos|chez nous|nous,? on)\b|.*\bours\b", body
    )
    return bool(amounts or words.firm.search(text) or _NAMED.search(clause.raw) or possessed is not None)


def _of_self(body: str, *, standing: bool) -> bool:
    """About the speaker: who they are and how they live and work; not what they feel, need or do right now."""
    return OF_A_PERSON.search(body) is not None or OF_THE_SPEAKER.search(body) is not None or standing
