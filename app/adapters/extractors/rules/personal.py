"""What the speaker wishes and is: how to be answered, tastes, allergies, sizes, addresses, when to be reached."""

import re

from app.adapters.extractors.rules import grammar, keys, orders
from app.adapters.extractors.rules.clauses import Clause
from app.adapters.extractors.rules.denials import is_ended
from app.adapters.extractors.rules.lexicon import BUSINESS
from app.adapters.extractors.rules.people import Named
from app.domain.quantities import find_quantities
from app.domain.word_patterns import any_of

_LANGUAGES = {
    "fr": "french|francais",
    "en": "english|anglais",
    "es": "spanish|espagnol",
    "de": "german|allemand",
    "it": "italian|italien",
    "nl": "dutch|neerlandais",
    "pt": "portuguese|portugais",
}
_SPOKEN = re.compile(
    r"\b(?:answer|reply|respond|write|speak|talk|text|address|repon\w*|ecri\w*|parl\w*|adress\w*)\b.*?\b(?:en|in) "
    rf"(?P<v>{'|'.join(_LANGUAGES.values())})\b"
)
_TO_OTHERS = any_of(r"customers?|clients?|clientes?|our|nos|fiches?|site|products?|produits?")
_CALLED = re.compile(r"\b(?:call me|appelle[zr]?-moi) (?P<v>\w+)(?! (?:after|before|apres|avant|le|on|at|a)\b)")
_TU_OR_VOUS = re.compile(r"\b(?P<form>tutoi|tutoy|vouvoi|vouvoy)\w*")
_WITH_ME = re.compile(r"\bmoi\b|\bme (?:tutoy|tutoi|vouvoi|vouvoy)|\b(?:tu|vous) me\b|se tuto|se vouvo")


def read(clause: Clause, language: str) -> Named | None:
    """A wish or a trait of the speaker's with a key of its own; None where the clause is about something else."""
    text = clause.text
    spoken = _SPOKEN.search(text)
    if spoken is not None and not _TO_OTHERS.search(text):
        code = next(code for code, names in _LANGUAGES.items() if re.fullmatch(names, spoken["v"]))
        return Named("person", "preference.language", code, "preference")
    called = _CALLED.search(text)
    if called is not None:
        return Named("person", "person.called", clause.flat.original(*called.span("v")), "identity", "identity")
    form = _TU_OR_VOUS.search(text)
    if form is not None and _WITH_ME.search(text):
        return Named("person", "preference.address_form", "tu" if form["form"][0] == "t" else "vous", "preference")
    if grammar.of(language).speaker.search(text) or re.search(
        r"\ballerg|^(?:can't|can not|pas dispo|injoignable)", text
    ):
        trait = _trait(clause) or _reached(clause)
        if trait is not None:
            return trait
    return _wish(clause, language)


_ALLERGY = re.compile(
    r"\b(?:allerg\w+|intoleran\w+|coeliaque|coeliac|celiac)\b(?: (?:to|aux?|a la|a l'|a|d'|de) ?(?:the"
    r" )?(?P<v>[\w' -]+))?"
)
_SIZE = re.compile(
    r"\b(?:i (?:wear|take)|i'm (?:a )?(?:size)?|my (?:\w+ )?size is|je (?:fais|chausse|mets|porte|prends"
    r"|suis)(?: du| un| en)?"
    r"|m(?:a|on) (?:taille|pointure)(?: de \w+)?(?:,? c'est| est)?(?: le| du)?|size|taille|pointure)\s+(?:du "
    r"|de |a |an |size |une? |taille )*"
    r"(?P<v>xxs|xs|s|m|l|xl|xxl|xxxl|small|medium|large|extra[- ]\w+|\d{1,3}(?:[.,]5|/\d+)?)\b(?P<rest>(?:"
    r" (?:en|in|for|pour|de)\s[\w -]+)?)"
)
_SIZE_WORDS = frozenset(
    keys.meaning("size taille pointure wear medium small large fais chausse mets porte prends just know")
)
_ADDRESS = re.compile(
    r"\b(?:(?:ma|mon|my|our|notre) (?:nouvelle |new |delivery |shipping |postal )*(?:adresse|address)(?: de"
    r" livraison| postale)?"
    r"(?: sera| est| is|'s| will be|,? c'est| now is| :)*|i(?:'m| am)? (?:live|living|now live) (?:at|in)"
    r"|j'habite(?: maintenant| desormais)?(?: au| a| dans| en)?|je vis (?:a|au|en|dans))\s*(?P<v>.+)"
)
_MY_CONTACT = re.compile(
    r"\b(?:my|mon|ma) (?:\w+ )?(?:e-?mail|mail|phone|number|numero|telephone|tel|mobile|portable)\b"
)
_CONTACT = re.compile(r"(?P<v>[\w.+-]+@[\w-]+\.[\w.-]*\w|(?<!\d)(?:\+\d{1,3}[ .-]?)?(?:\d[ .-]?){8,11}\d)")


def _trait(clause: Clause) -> Named | None:
    """An allergy, a size, an address, a number."""
    flat, text = clause.flat, clause.text
    allergy = _ALLERGY.search(text)
    if allergy is not None:
        about = keys.meaning(allergy["v"] or re.sub(r"\ballerg\w+|\bhampers?\b|\borders?\b", "", text))
        return Named("person", keys.joined("allergy", keys.slug(about, 3) or "general"), not is_ended(text), "health")
    size = _SIZE.search(text)
    if size is not None and not re.search(r"\b(?:people|personnes|ans|years)\b", text):
        thing = keys.slug(keys.meaning(size["rest"] or text, _SIZE_WORDS), 2) or "general"
        return Named("person", keys.joined("size", thing), flat.original(*size.span("v")), "person")
    address = _ADDRESS.search(text)
    if address is not None and not re.search(r"@|e-?mail|\bsite\b", text):
        place = re.split(r",\s(?:pensez|merci|please|so|donc|from)\b|[.;!]", flat.original(*address.span("v")))[
            0
        ].strip()
        return Named("person", "address.home" if address[0][0] in "ij" else "address.delivery", place, "person")
    contact = _CONTACT.search(text) if _MY_CONTACT.search(text) else None
    if contact is None:
        return None
    key = "person.email" if "@" in contact["v"] else "person.phone"
    return Named("person", key, flat.original(*contact.span("v")), "person", "identity")


_REACHED = any_of(
    r"""
    (?:m'|me )(?:appeler|joindre|deranger|contacter|appelez|appelle)|(?:call|reach|disturb|ring|contact|text|phone) me
    (?:appelle[zr]?|contacte[zr]?)-moi|joignable|injoignable|reachable|unreachable|(?:je )?(?:ne )?reponds|i answer
    unavailable|dispo\w*|peux pas (?:repondre|parler)|(?:can't|can not) (?:answer|reply|talk)
    expect me to (?:reply|answer)
    """
)


def _reached(clause: Clause) -> Named | None:
    """When the speaker can be reached, or cannot."""
    amounts = find_quantities(clause.raw)
    if _REACHED.search(clause.text) is None or not amounts:
        return None
    negated = (
        re.search(r"\b(?:pas|jamais|never|not|personne|injoignable|un\w+able|don't|can't)\b", clause.text) is not None
    )
    value = clause.raw[amounts[0].start : amounts[-1].end]
    return Named("person", "person.unreachable" if negated else "person.reachable", value, "person")


_ANSWERS = any_of(
    r"""
    answers?|replies|reply|respons\w+|repon\w+|explain|expliqu\w*|m'ecri\w*|me parl\w*|write to me|tableaux?|tables?
    bullets?|puces|listes?|lists?|paragraph\w*|phrases?|sentences?|messages?|droit au but|to the point
    """
)
_ASPECTS = {
    "length": any_of(
        r"""
        short|brief|concise|long|longer|shorter|detail\w*|courte?s?|breve?s?|brievement|longues?|succinct\w*|steps?
        etapes?|to the point|droit au but|essentiel|lines?|lignes?|words|mots
        """
    ),
    "format": any_of(
        r"bullets?|puces|listes?|lists?|tables?|tableaux?|columns?|colonnes?|paragraphs?|paragraphes?|headings?|titres"
    ),
    "tone": any_of(r"formal|informal|casual|friendly|familier|familiere|formelle?|blunt|jargon"),
}
_PIECES = frozenset(
    keys.meaning("summary summaries report reports rapport rapports bilan bilans recap resume newsletter email")
)
_WISH = re.compile(
    r"\b(?:let's (?:have|use|keep)|(?:i|i'd|je|j'|we|on|nous)\s?(?:(?:really|much|always|also|now|do|would|ne"
    r"|still|just|can't"
    r"|can not|don't|no longer|les) |n'|l')*(?P<verb>prefere?|hate|deteste|love|adore|like|aime|dislike|hais"
    r"|stand|supporte|want|veux"
    r"|rather|souhaite|need|enjoy|apprecie|refuse|evite|avoid))\b(?P<object>.*)"
)
_AGAINST = any_of(
    r"""
    hate|deteste|dislike|hais|stand|supporte|refuse|evite|avoid|n'aime (?:pas|plus)|don't (?:like|want|love|enjoy)
    no longer|ne (?:veux|souhaite) (?:pas|plus)
    """
)
_CUT = re.compile(
    r"\s(?:laid out|as|in|with|without|formatted|presented|en|sous|avec|sans|sur|to be|plutot|rather|over"
    r"|instead|at|on|by|every"
    r"|chaque|le|que ce soit|dans)\b|,"
)


def _wish(clause: Clause, language: str) -> Named | None:
    """A preference: about answers, else about its object, which names the key; what is wanted of it is the value."""
    text, wish = clause.text, _WISH.search(clause.text)
    if wish is None:
        mine = re.search(r"\b(?:me|moi|m'|your|tes|vos)(?:\b|(?<='))", text)
        order = orders.is_order(text, language) and mine and _ANSWERS.search(text)
        return _about_answers(clause) if order else None
    shared = re.search(r"\b(?:on|nous|we|our|nos|notre)\b", text) is not None and BUSINESS.search(text) is not None
    about, first = ("store", "shop.preference") if shared else ("person", "preference")
    cut = _CUT.search(wish["object"], 4)
    topic = keys.meaning(wish["object"][: cut.start()] if cut else wish["object"])
    if _ANSWERS.search(text) and not shared and not _PIECES & set(topic):
        return _about_answers(clause)
    positive = _AGAINST.search(text) is None
    if cut and topic and wish["verb"] not in {"like", "love", "aime", "adore", "enjoy"}:
        value = clause.flat.original(wish.start("object") + cut.start(), len(text)).strip(" ,.!")
        return Named(about, keys.joined(first, keys.slug(topic, 4)), value if positive else False, "preference")
    named = keys.slug(keys.meaning(wish["object"]))
    if not named:  # "j'adore !" applauds
        return None
    days = [one for one in find_quantities(clause.raw) if one.kind in {"day", "time"}]
    key = keys.joined(first, named)
    return Named(about, key, clause.raw[days[0].start : days[-1].end] if days else positive, "preference")


def _about_answers(clause: Clause) -> Named:
    """How the speaker wants to be answered, by the aspect that the wish is about."""
    aspects = [name for name, pattern in _ASPECTS.items() if pattern.search(clause.text)]
    topic = [word for word in keys.meaning(clause.text) if word in _PIECES]
    aspect = aspects[0] if len(aspects) == 1 and not topic else ""
    key = keys.joined("preference", keys.slug(topic, 2) or "answers", aspect)
    return Named("person", key, clause.raw.strip(" .!"), "preference")
