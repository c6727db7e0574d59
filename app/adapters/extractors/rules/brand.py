"""How the shop speaks: vous or tu, its tone, its rules of style."""

import re

from app.adapters.extractors.rules import keys
from app.adapters.extractors.rules.people import Named
from app.domain.word_patterns import any_of

_FORMAL = re.compile(
    r"\b(?:vouvoi|vouvoy)\w*|[\"' ]vous[\"'](?=.*client)|client.*[\"']vous[\"']|\b(?:say|use|dit|formal|dire)"
    r"(?: toujours| always)? [\"']? ?vous[\"']?(?!\w)"
)
_FAMILIAR = re.compile(r"\b(?:tutoi|tutoy)\w*|\b(?:say|use|dit|dire)(?: toujours| always)? [\"']? ?tu[\"']?(?!\w)")
_TO_ME = re.compile(r"\bmoi\b|\bme \w*(?:voi|toi|toy|voy)|\bse (?:tuto|vouvo)")
_PLACES = ("instagram", "e-mail", "facebook", "whatsapp", "tiktok", "telephone", "sms", "newsletter", "mail")
_TONE = re.compile(
    r"\b(?:our|notre|le|the|brand|de) (?:brand )?(?:tone|ton|voice|style)(?: of voice| de (?:la )?marque| editorial)?"
    r"(?: is| est|,? c'est| :|:)\s*(?:both |a la fois |tres |very |quite |plutot )?(?P<v>\w+)"
)
_STYLE = any_of(
    r"""
    when you (?:write|post|draft)|on (?:parle|s'exprime) comme|we (?:sound|speak|write|talk) (?:like|in|with|as)
    (?:dans|in) (?:tous |toutes |all )?(?:nos|our|les|the) (?:texte|post|mail|e-mail|copy|text|fiche|publication\
    |newsletter)\w*
    (?:dans|in) (?:tous |toutes |all )?(?:nos|our|les|the) (?:caption|email|titre|title|description|story|stories\
    |annonce|ad)\w*
    """
)
_RULED_OUT = re.compile(
    r"(?:please |stp,? |surtout,? )?(?:never|don't|do not|avoid|no\b|pas d|jamais|evite|bannis|n'|ne )|(?:we|i"
    r"|on|nous|je) "
    r"(?:never|don't|ne |n'|avoid|evit)"
)


def read(text: str) -> Named | None:
    """The form of address, the tone or a rule of style that the clause (plain text) states."""
    formal, familiar = _FORMAL.search(text), _FAMILIAR.search(text)
    if (formal or familiar) and not _TO_ME.search(text):
        where = [place.replace("e-mail", "mail") for place in _PLACES if place in text]
        key = keys.joined("brand.address_form", keys.slug(sorted(set(where)), 3))
        refused = re.search(r"\b(?:ne|n')\s?(?:vouvoie|tutoie|vouvoyons|tutoyons)|\b(?:never|don't|jamais|pas d)", text)
        return Named("store", key, "vous" if bool(formal) != bool(refused) else "tu", "brand")
    tone = _TONE.search(text)
    if tone is not None:
        return Named("store", "brand.tone", tone["v"], "brand")
    if _STYLE.search(text):
        return Named("store", "brand.voice." + keys.slug(keys.meaning(text)), _RULED_OUT.match(text) is None, "brand")
    return None
