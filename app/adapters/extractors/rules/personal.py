"""What the speaker wishes and is: how to be answered, tastes, allergies, sizes, addresses."""

import re

from app.adapters.extractors.rules import grammar, keys, orders
from app.adapters.extractors.rules.people import Named
from app.adapters.extractors.rules.clauses import Clause
from app.adapters.extractors.rules.lexicon import BUSINESS
from app.domain.quantities import find_quantities

_LANGUAGES = {
    "fr": "french|francais",
    "en": "english|anglais",
    "es": "spanish|espagnol",
    "de": "german|allemand",
    "it": "italian|italien",
    "nl": "dutch|neerlandais",
    "pt": "portuguese|portugais",
}
_ANSWER_VERBS = r"(?:answer|reply|respond|write|speak|talk|text|address|repon\w*|ecri\w*|parl\w*|adress\w*)"
_ANSWERS = re.compile(
    r"\b(?:answers?|replies|reply|respons\w+|repon\w+|explain|expliqu\w*|m'ecri\w*|me parl\w*|write to me|tableaux?|tables?|bullets?|puces|listes?|lists?|paragraph\w*|phrases?|sentences?|messages?)\b"
)
_ASPECTS = {
    "length": r"\b(?:short|brief|concise|long|longer|shorter|detail\w*|courte?s?|breve?s?|brievement|concise?s?|longues?|succinct\w*|step|etapes?|etape|summary only|straight to the point|essentiel)\b",
    "format": r"\b(?:bullets?|bullet points?|puces|listes?|lists?|tables?|tableaux?|columns?|colonnes?|paragraphs?|paragraphes?|headings?|titres)\b",
    "tone": r"\b(?:formal|informal|casual|friendly|familier|familiere|formelle?|directe?s?|blunt|jargon)\b",
}
_WISH = re.compile(
    r"\b(?:let's (?P<lets>have|use|keep)\b|(?:i|i'd|je|j'|we|on|nous)\s?(?:really |much |always |also |now |do |would |ne |n'|still |just |can't |cannot |don't |no longer )*(?P<verb>prefer|prefere|hate|deteste|love|adore|like|aime|dislike|hais|stand|supporte|want|veux|rather|souhaite|need|enjoy|apprecie|refuse|evite|avoid)\b)(?P<object>.*)"
)
_AGAINST = re.compile(
    r"\b(?:hate|deteste|dislike|hais|stand|supporte|refuse|evite|avoid|n'aime pas|don't (?:like|want|love|enjoy)|ne (?:veux|souhaite) (?:pas|plus)|n'aime (?:pas|plus)|no longer (?:like|want))\b"
)
_CUT = re.compile(
    r"\s(?:laid out|as|in|with|without|formatted|presented|en|sous|avec|sans|sur|to be|plutot|rather|over|instead|at|on|by|every|chaque|le|que ce soit|dans)\b|,"
)
_ALLERGY = re.compile(
    r"\b(?:allerg\w+|intoleran\w+|coeliaque|celiac|coeliac)\b(?: (?:to|au|aux|a la|a l'|a|aux?) ?(?:the )?(?P<v>[\w' -]+))?"
)
_SIZE = re.compile(
    r"\b(?:i (?:wear|take)|i'm (?:a )?(?:size)?|my (?:\w+ )?size is|je (?:fais|chausse|mets|porte|prends|suis)(?: du| un| en)?|ma (?:taille|pointure)(?: de \w+)?(?:,? c'est| est)?(?: le| du)?|size|taille|pointure)\s+(?:du |de |a |an |size |un |une |taille )*(?P<v>xxs|xs|s|m|l|xl|xxl|xxxl|small|medium|large|extra[- ]\w+|\d{1,3}(?:[.,]5|/\d+)?)\b(?P<rest>(?: (?:en|in|for|pour|de)\s[\w -]+)?)"
)
_ADDRESS = re.compile(
    r"\b(?:(?:ma|mon|my|our|notre) (?:nouvelle |new |delivery |shipping |postal )*(?:adresse|address)(?: de livraison| postale)?(?: sera| est| is|'s| will be|,? c'est| now is| :)*|i(?:'m| am)? (?:live|living|now live) (?:at|in)|j'habite(?: maintenant| desormais)?(?: au| a| dans| en)?|je vis (?:a|au|en|dans))\s*(?P<v>.+)"
)
_CONTACT = re.compile(r"(?P<v>[\w.+-]+@[\w-]+\.[\w.-]*\w|(?<!\d)(?:\+\d{1,3}[ .-]?)?(?:\d[ .-]?){8,11}\d)")


def read(clause: Clause, language: str) -> Named | None:
    """A wish or a trait of the speaker's with a key of its own; None where the clause is about something else."""
    flat, text = clause.flat, clause.text
    speaks = grammar.of(language).speaker.search(text) is not None
    spoken = re.search(rf"\b{_ANSWER_VERBS}\b.*?\b(?:en|in) (?P<v>{'|'.join(_LANGUAGES.values())})\b", text)
    if spoken is not None and not re.search(
        r"\b(?:customers?|clients?|clientes?|our|nos|fiches?|site|product)\b", text
    ):
        code = next(code for code, names in _LANGUAGES.items() if re.fullmatch(names, spoken["v"]))
        return Named("person", "preference.language", code, "preference")
    address = re.search(
        r"\b(?P<form>tutoi|tutoy|vouvoi|vouvoy)\w*(?:-moi| moi)?\b|\b(?:call me|appelle[zr]?-moi) (?P<name>\w+)", text
    )
    if address is not None and re.search(
        r"\bmoi\b|\bme (?:tutoy|tutoi|vouvoi|vouvoy)|call me|\btu me\b|\bvous me\b|se tuto", text
    ):
        if address["name"]:
            return Named("person", "person.called", flat.original(*address.span("name")), "identity", "identity")
        return Named(
            "person", "preference.address_form", "tu" if address["form"].startswith("tu") else "vous", "preference"
        )
    brand = _brand_voice(text)
    if brand is not None:
        return brand
    if speaks or re.search(r"\ballerg", text):
        trait = _trait(clause)
        if trait is not None:
            return trait
    return _wish(clause, language)


def _brand_voice(text: str) -> Named | None:
    """How the shop addresses its customers, and in which tone it writes."""
    form = re.search(
        r"\b(?:(?P<vous>vouvoi\w*|vouvoy\w*|[\"' ]vous[\"' ](?=.*client)|(?:say|use|dit|formal) [\"']?vous[\"']?)|(?P<tu>tutoi\w*|tutoy\w*|(?:say|use|dit) [\"']?tu[\"']?))\b",
        text,
    )
    if form is not None and not re.search(r"\bmoi\b|\bme \w*(?:voi|toi|toy|voy)", text):
        where = [
            word
            for word in ("instagram", "email", "facebook", "whatsapp", "tiktok", "telephone", "sms", "newsletter")
            if word in text.replace("e-mail", "email").replace(" mail", " email")
        ]
        return Named(
            "store", keys.joined("brand.address_form", keys.slug(where)), "vous" if form["vous"] else "tu", "brand"
        )
    tone = re.search(
        r"\b(?:our|notre|le|the|brand|de) (?:brand )?(?:tone|ton|voice|style)(?: of voice| de (?:la )?marque| editorial)?(?: is| est|,? c'est| :|:)\s*(?P<v>\w+)",
        text,
    )
    if tone is not None:
        return Named("store", "brand.tone", tone["v"], "brand")
    if re.search(
        r"\bwhen you (?:write|post|draft)|\b(?:dans|in) (?:nos|our) (?:texte|post|mail|e-mail|copy|text|fiche|publication|newsletter|caption|email)\w*\b|\bon (?:parle|s'exprime) comme\b|\bwe (?:sound|speak|write|talk) (?:like|in|with|as)\b",
        text,
    ):
        return Named("store", "brand.voice." + keys.slug(keys.meaning(text)), True, "brand")
    return None


def _trait(clause: Clause) -> Named | None:
    flat, text = clause.flat, clause.text
    allergy = _ALLERGY.search(text)
    if allergy is not None:
        about = keys.meaning(allergy["v"] or re.sub(r"\ballerg\w+", "", text))
        return Named("person", keys.joined("allergy", keys.slug(about, 3) or "general"), True, "health")
    size = _SIZE.search(text)
    if size is not None and not re.search(r"\b(?:people|personnes|ans|years)\b", text):
        thing = keys.meaning(
            size["rest"] or text,
            frozenset(keys.meaning("size taille pointure wear medium small large fais chausse mets porte just know")),
        )
        return Named(
            "person", keys.joined("size", keys.slug(thing, 2) or "general"), flat.original(*size.span("v")), "person"
        )
    address = _ADDRESS.search(text)
    if address is not None and not re.search(r"@|e-?mail|\bsite\b", text):
        place = re.split(r",\s(?:pensez|merci|please|so|donc|from)\b|[.;!]", flat.original(*address.span("v")))[
            0
        ].strip()
        home = re.match(r"i|j", address[0]) is not None
        return Named("person", "address.home" if home else "address.delivery", place, "person")
    if re.search(
        r"\b(?:my|mon|ma) (?:\w+ )?(?:e-?mail|mail|phone|number|numero|telephone|tel|mobile|portable)\b", text
    ):
        contact = _CONTACT.search(text)
        if contact is not None:
            return Named(
                "person",
                "person.email" if "@" in contact["v"] else "person.phone",
                flat.original(*contact.span("v")),
                "person",
                "identity",
            )
    return None


def _wish(clause: Clause, language: str) -> Named | None:
    """A preference: about answers, else about its object. Its key is the object; what is wanted of it is the value."""
    text = clause.text
    wish = _WISH.search(text)
    if wish is None:
        order = orders.is_order(text, language)
        if order and re.search(r"\b(?:me|moi|m')(?:\b|(?<='))", text) and _ANSWERS.search(text):
            return _about_answers(clause)
        return None
    shared = re.search(r"\b(?:on|nous|we|our|nos|notre)\b", text) is not None and BUSINESS.search(text) is not None
    if _ANSWERS.search(text) and not shared:
        return _about_answers(clause)
    about, first = ("store", "shop.preference") if shared else ("person", "preference")
    body = wish["object"]
    cut = _CUT.search(body, 4)
    topic = keys.meaning(body[: cut.start()] if cut else body)
    rest = body[cut.start() :].strip(" ,.") if cut else ""
    positive = _AGAINST.search(text) is None
    if wish["verb"] in {"want", "veux", "souhaite", "need", "prefer", "prefere"} and rest and topic:
        start = wish.start("object") + (cut.start() if cut else 0)
        value = clause.flat.original(start, len(text)).strip(" ,.!")
        return Named(about, keys.joined(first, keys.slug(topic, 4)), value if positive else False, "preference")
    words = keys.meaning(body)
    amounts = keys.amount_text(clause.raw)
    value_or_flag = amounts if amounts and find_quantities(clause.raw)[0].kind in {"day", "time"} else positive
    return Named(about, keys.joined(first, keys.slug(words) or "general"), value_or_flag, "preference")


def _about_answers(clause: Clause) -> Named:
    """How the speaker wants to be answered, by the aspect that the wish is about."""
    text = clause.text
    aspects = [name for name, words in _ASPECTS.items() if re.search(words, text)]
    topic = [
        word
        for word in keys.meaning(text)
        if re.search(r"summar|report|rapport|bilan|tableau$|recap|newslet|email", word)
    ]
    key = keys.joined(
        "preference", keys.slug(topic, 2) or "answers", aspects[0] if len(aspects) == 1 and not topic else ""
    )
    return Named("person", key, clause.raw.strip(" .!"), "preference")
