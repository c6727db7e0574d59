"""Whether a clause states something that lasts about the shop, the company or the speaker."""

import re

from app.adapters.extractors.rules import filters, grammar, people
from app.adapters.extractors.rules.lexicon import BUSINESS, COMPANY_VERBS
from app.adapters.extractors.rules.sentences import Clause
from app.domain.quantities import find_quantities


def body_of(clause: Clause, language: str) -> str:
    """The plain text behind greetings and "just so you know", with "à" told from "a"."""
    return clause.verbal[grammar.without_lead(clause.text, language) :]


def is_business(text: str) -> bool:
    """Whether a word of the trade occurs."""
    return BUSINESS.search(text) is not None


def states(clause: Clause, language: str) -> bool:
    """Whether the clause is worth keeping. Cautious with the speaker's day, generous with standing facts."""
    text, body = clause.text, body_of(clause, language)
    if len(body.split()) < 2 or filters.is_question(text, language) or filters.is_supposed(text):
        return False
    if people.introduction(clause.flat) is not None:
        return True
    if filters.is_greeting(text) or filters.is_reported(text):
        return False
    ordered = _behind_condition(body)
    if is_order(ordered, language):
        return is_standing_order(ordered, language) or (ordered != body and is_standing_order(body, language))
    if grammar.found(text, language, "PREFERENCE") and _wishes(body, language):
        return True
    if _is_past(body, language):
        return _changes(text, language)
    if re.match(
        r"(?:\w+ )?(?:no|pas d[e']|jamais d[e']|zero|aucune?|never|jamais|only|que d[eu])\b", body
    ) and not grammar.has_clause(body, language):
        return is_standing_order(body, language) or is_business(body)
    return _stands(clause, body, language)


def _behind_condition(body: str) -> str:
    """ "When you write for us, think…" without its first half: an order may stand behind it."""
    match = re.match(
        r"(?:when|whenever|if|for|in|on|with|pour|quand|lorsque|dans|sur|avec|a chaque fois|chaque fois|each time|every time)\b[^,:]{3,60}[,:] ",
        body,
    )
    return body[match.end() :] if match else body


def is_order(body: str, language: str) -> bool:
    """Whether the clause begins with an imperative, polite or not."""
    verbs = grammar.of(language)
    polite = r"(?:please |s'il te plait,? |s'il vous plait,? |stp,? |svp,? |merci de |kindly |always |never |toujours |do |just |only |from now on,? |desormais,? |dorenavant,? |ne |n'|n'en |don't |do not |plus jamais |let's )*"
    return re.match(
        rf"{polite}(?:{verbs.ONE_OFF_VERBS}|{verbs.STANDING_ORDER_VERBS})(?:\b|-)(?! (?:is|are|est|sont|costs?)\b)",
        body,
    ) is not None and not re.match(
        r"(?:only|just) \w+ (?:approves|handles|is|can)|list price|plan b|book orders|open \w+day|opening|look-?book|set of|post office|envoi|livre en|place",
        body,
    )


def is_standing_order(body: str, language: str) -> bool:
    """Whether an order, or a bare "no calls before 10", is meant for every time."""
    bans = re.match(
        r"(?:please |stp,? |svp,? )?(?:never|always|don't ever|no\b|pas d|jamais|toujours|n'\w+ (?:jamais|plus|pas)|ne \w+ (?:jamais|plus))",
        body,
    )
    lasting = grammar.found(body, language, "STRONG_STANDING") or grammar.found(
        body, "en" if language == "fr" else "fr", "STRONG_STANDING"
    )
    personal = re.search(
        r"\b(?:reponds|repondez|ecris|ecrivez|parle|parlez|tutoie|vouvoie|appelle|appelez|tutoyez|vouvoyez)-?(?:moi)\b|\b(?:call|address|answer|reply to|write to|speak to) me\b",
        body,
    )
    once = re.search(
        r"\b(?:this (?:text|paragraph|one|post|email|page|version)|the (?:first|second|third|last|above|below) \w+|ce (?:texte|paragraphe|post|mail)|cette (?:page|version|fois)|le (?:premier|deuxieme|troisieme|dernier) \w+|la (?:premiere|deuxieme|derniere) \w+|aujourd'hui|today|now|maintenant|ici|here)\b",
        body,
    )
    return bool(bans or lasting or (personal and not once)) and not (once and not lasting and not bans)


def _wishes(body: str, language: str) -> bool:
    """A taste or a wish with an object of its own, not "I want you to…" for the task at hand."""
    if (
        re.search(r"\b(?:i|je|j')\b", body) is None
        and not is_business(body)
        and not grammar.found(body, language, "STANDING")
    ):
        return not re.search(
            r"\b(?:we|on|nous) (?:love|aime|adore|like|enjoy|need|want|veut) ?(?:it|that|this|ca|you|your|to see)\b",
            body,
        )
    transient = re.search(
        r"\b(?:i|we|i'd|we'd|je|on|nous) ?(?:just |really |also |now )*(?:need|want|like|love|expect|veux|voudrais|aime|souhaite|veut)s? (?:you to (?:write|make|draft|check|help|do|send|find)|to (?:know|see|ask|check|do|talk|thank|discuss|understand|order|buy|return|book|hear|say|make sure|go|get|have|try|be)\b|it\b|that\b|this\b|your\b|how\b|help|some (?:help|ideas|advice)|an? (?:answer|idea|refund|quote|hand)|que tu (?:me )?(?:fasses|ecrives|trouves|regardes|verifies) (?!toujours)|savoir|voir|un (?:devis|remboursement|conseil)|une (?:reponse|idee)|ton |ta |tes |bien\b|ca\b)",
        body,
    )
    return transient is None or grammar.found(body, language, "STRONG_STANDING")


def _is_past(body: str, language: str) -> bool:
    return any(grammar.found(body, language, name) for name in ("PAST", "PERFECT", "PROGRESSIVE"))


def _changes(text: str, language: str) -> bool:
    """A past event that changes how things stand: of the shop, or in the speaker's life."""
    own = grammar.found(text, language, "OWN")
    if grammar.found(text, language, "LIFE") and grammar.found(text, language, "SPEAKER"):
        return True
    if grammar.found(text, language, "PROGRESSIVE") and not grammar.found(text, language, "CHANGE"):
        return own and grammar.found(text, language, "STANDING") and is_business(text)
    return grammar.found(text, language, "CHANGE") and (
        own or is_business(text) or (re.search(r"\b(?:j'ai|je|i've|i)\b", text) is not None and is_business(text))
    )


def _stands(clause: Clause, body: str, language: str) -> bool:
    """A present statement, weighed by its subject, its words, its amounts and its "always" and "only"."""
    text = clause.text
    own, speaker = (grammar.found(body, language, name) for name in ("OWN", "SPEAKER"))
    standing, business = grammar.found(text, language, "STANDING"), is_business(text)
    amounts = [
        one for one in find_quantities(clause.raw) if one.kind != "count" or re.search(r"\w", clause.raw[one.end :])
    ]
    if grammar.found(text, language, "EPHEMERAL") and not (business and (amounts or standing)):
        return False
    verb = grammar.has_clause(body, language)
    if own and verb:
        return bool(business or standing or amounts or not speaker or len(body.split()) > 3)
    if speaker:
        return _speaks_of_self(body, language, standing=standing, amounts=bool(amounts), business=business)
    if re.match(r"(?:you|tu|vous|your|ton|ta|tes|votre|vos)\b", body):
        return False
    company = COMPANY_VERBS.search(text) is not None
    trade = len(set(BUSINESS.findall(text)))
    weight = verb + 2 * own + min(trade, 2) + bool(amounts) + standing + company
    return weight >= 3 and (own or business or company or (bool(amounts) and verb))


_SELF = re.compile(
    r"\b(?:i'm|i am|je suis|moi c'est|je m'appelle|my name|mon (?:prenom|nom)|i (?:live|work|run|own|manage|wear|use|drive|speak|order|buy|sell|have|only|always|never|don't|can't|usually|do|make|teach|study|play|collect|take|eat|drink|read|answer|handle|look after|start|finish|sign|keep|go by|come|represent|buy for|order for|shop for)|"
    r"je (?:vis|habite|travaille|tiens|gere|dirige|porte|fais|chausse|mets|conduis|parle|commande|achete|vends|ne |n'|m'occupe|prends|mange|bois|lis|joue|reponds|reste|passe|viens|mesure|signe|garde|cuisine|collectionne|represente|bosse|demenage|pars|rentre)|j'(?:habite|ai|utilise|achete|etudie|enseigne|arrive|ouvre|evite|ecris|organise|anime)|ma (?:taille|pointure|fille|femme|soeur|mere|adresse|nouvelle|voiture|langue)|mon (?:fils|mari|frere|pere|adresse|chien|chat|email|e-mail|mail|numero|anniversaire|tel\w*|metier|role|poste|bureau)|"
    r"my (?:size|daughter|son|wife|husband|partner|dog|cat|kids?|children|birthday|address|email|phone|number|role|job|title|office|new|name|mum|mom|dad|sister|brother|home|assistant|flat|house|first language|mother tongue|time ?zone|parcels?|orders?|deliver\w+)|mes (?:enfants|colis|commandes|livraisons|horaires|filles|fils))\b"
)


def _speaks_of_self(body: str, language: str, *, standing: bool, amounts: bool, business: bool) -> bool:
    """About the speaker: who they are and how they live and work; not what they feel, need or do right now."""
    if re.search(
        r"\b(?:allerg\w+|intoleran\w+|vegan|vegetari\w+|vegetalien\w+|coeliaque|celiac|halal|kosher|casher|left-handed|right-handed|gaucher|gauchere|droitier|daltonien\w*|colou?r-?blind|dyslexi\w+|deaf|sourde?|malentendant\w*|wheelchair|fauteuil|diabeti\w+|pregnant|enceinte)\b",
        body,
    ):
        return True
    if re.match(r"(?:i'm|i am|je suis|j'ai|i have)\b", body) and grammar.found(body, language, "EPHEMERAL"):
        return False
    return _SELF.search(body) is not None or (standing and (business or amounts))
