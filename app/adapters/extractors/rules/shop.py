"""What a shop is called, sells, uses and is found at."""

import re

from app.adapters.extractors.rules import keys
from app.adapters.extractors.rules.people import NAME, Named, is_name, name_at
from app.adapters.extractors.rules.text import Flat
from app.domain.word_patterns import either
from app.domain.wording import plain

EDGES = " .!,;:\"«»“”'\u00a0\u202f"
"""What may cling to a name or a slogan without being part of it."""
_BRAND = re.compile(
    r"\b(?:(?:ma|mon|notre|la|my|our|the) (?:petite |little |own |new |nouvelle )?(?P<what>boutique|magasin"
    r"|marque|enseigne|site"
    r"|e-shop|shop|store|brand|business|entreprise|societe|company|label|studio|atelier|cafe|salon)(?: en ligne)? "
    r"(?:s'appelle|se nomme|is called|is named|'s called|is known as|a pour nom|s'intitule)|(?:on|nous) s'appelle"
    r"|nous nous appelons|we're called|we are called|(?:le nom de (?:la|ma|notre) (?:boutique|marque)"
    r"|(?:our|my) (?:shop|store|brand)(?:'s)? name) (?:est|is|c'est)) (?P<v>.+)"
)
_SELLS = re.compile(
    r"\b(?:on|nous|je|we|i)\s(?:also |mainly |mostly |now )?(?:vends?|vendons|propose|proposons|fabrique"
    r"|fabriquons|sell|stock|make"
    r"|craft|carry|produce|design) (?!on\b|via\b|through\b|sur\b|in\b|only\b|uniquement|que\b|en\b|jamais"
    r"|never|pas\b|plus\b|sure\b"
    r"|it\b|up\b|my\b|our\b|mes\b|nos\b|aux?\b|to\b|a\b|an\b|une?\b|over\b|around\b|about\b)(?P<v>.+)"
)


def identity(flat: Flat) -> Named | None:
    """The shop's or the company's name, or what it sells."""
    match = _BRAND.search(flat.text)
    if match is not None:
        name = re.split(r"[,.;!]|\s(?:et|and|on|nous|we|-)\s", flat.original(*match.span("v")))[0].strip(EDGES)
        if match["what"] in {"entreprise", "societe", "company"}:
            return Named("organisation", "company.name", name, "identity", "identity")
        return Named("store", "brand.name", name, "identity", "identity")
    match = _SELLS.search(flat.text)
    if match is not None and not re.search(r"\d", match["v"]):
        value = flat.original(*match.span("v")).strip(EDGES)
        return Named("store", "catalogue.products", value, "catalogue", many=True)
    return None


_ATTRIBUTE = re.compile(
    r"\b(?:notre|nos|our|my|mon|ma|le|la|the) (?P<what>"
    + either(
        r"""
        slogan|motto|tagline|baseline|hashtag|code promo|promo code|discount code|police|font|siret|siren
        (?:adresse )?e-?mail(?: de contact| address)?|contact e-?mail|mail de contact|(?:numero de )?telephone
        phone(?: number)?|instagram|insta|tiktok|facebook|compte instagram|site(?: web| internet)?|website|url
        numero de tva|vat number
        """
    )
    + r")(?: account| handle| de la boutique)? ?(?:est|is|c'est|:|,? c'est)\s*(?P<v>.+)"
)
_COLOUR = re.compile(
    r"\blogo (?:est|is|c'est)(?: \w+)? (?P<v>vert|bleu|rouge|noir|blanc|jaune|rose|gris|orange|violet|marron"
    r"|beige|dore|argente|green"
    r"|blue|navy|red|black|white|yellow|pink|gr[ae]y|purple|brown|gold|silver|turquoise|teal)\w*(?: \w+)?"
)
_PLACED = re.compile(
    r"\b(?P<what>(?:notre|nos|our|my|mon|ma|le|la|the) [\w' -]{2,40}?) (?:est|is|are|sont|se trouve|se situe"
    r"|is now|est maintenant)"
    r"(?: based| located| situe\w*| base\w*| installe\w*)? (?:in|at|a|en|au|near|pres de) (?P<v>.+)"
)
_MOVED = re.compile(
    r"\b(?:moved|relocated|transferred|demenage|transfere|deplace) (?P<what>(?:notre|nos|our|my|mon|ma|le|la"
    r"|les|the) [\w' -]{2,40}?)"
    r"(?: from [\w' -]+?)? (?:to|a|vers|en|au) (?P<v>.+)"
)


def attribute(flat: Flat) -> Named | None:
    """One thing of the shop's with one value: its slogan, its e-mail, where its warehouse is."""
    colour = _COLOUR.search(flat.text)
    if colour is not None:
        return Named("store", "brand.logo.colour", flat.original(*colour.span("v")), "brand")
    match = _ATTRIBUTE.search(flat.text)
    value = flat.original(*match.span("v")).strip(EDGES) if match else ""
    if match is not None and (
        re.match(r"slogan|motto|tag|base|police|font", match["what"]) or re.search(r"[@#.\d]\w|[A-Z]{4}", value)
    ):
        return Named("store", keys.joined("contact", keys.slug(keys.meaning(match["what"]), 3)), value, "brand")
    match = _MOVED.search(flat.text) or _PLACED.search(flat.text)
    if match is None:
        return None
    place = name_at(flat.original(match.start("v"), len(flat.text)))
    what = keys.meaning(match["what"])
    if place is None or not what:
        return None
    if what[-1] in _FUNCTIONS:
        return Named("store", keys.joined("tools", keys.slug(what, 3)), place, "tools")
    return Named("store", keys.joined("location", keys.slug(what, 3)), place, "shop")


_FUNCTIONS = frozenset(
    keys.meaning("email newsletter reviews payments accounting checkout hosting support stock crm returns booking till")
)
_USES = re.compile(
    r"\b(?:on|nous|we|je|i|we've|we're|i've|on a|nous avons|on est|nous sommes)"
    r"\s(?:(?!no |not |never |ne )\w+ ){0,2}?"
    + either(
        r"""
        utilis\w+|use|bosse\w* avec|travaill\w+ avec|work\w* with
        pass\w+ par|tourn\w+ (?:sur|avec)|ger\w+ (?:tout )?avec|rel(?:y|ies) on|run(?:s|ning)? (?:on|with)
        moved (?:\w+ ){0,2}?(?:on ?to|to)|switched (?:\w+ ){0,2}?to|migre\w* (?:vers|sur|chez)
        bascule\w* (?:vers|sur|chez)|passee?s? (?:sur|chez|a)|envoi\w+ (?:\w+ ){1,3}avec|signed (?:up )?with
        signe avec|went with|choisi|chose|picked|partnered with|partner with|adopte|ship with
        expedi\w+ (?:avec|via|par)|livr\w+ (?:avec|via|par)
        """
    )
    + r"\s(?P<rest>.+)"
)
_FOR = re.compile(
    rf"(?:(?:et|and|plus|,|ainsi que|as well as) )?(?:la |le |the )?{NAME} (?:pour|for|as|comme) (?:l[ea]s? |l'"
    rf"|the |nos |our |notre "
    r"|all |tous nos |faire |sending )?(?P<use>[a-z][\w' -]*?)(?=$|[,.;!]| (?:et|and|puis|ainsi|as well"
    r"|maintenant|now|desormais"
    r"|depuis|since)\b)"
)
_SERVES = re.compile(
    rf"^{NAME} (?:sert a|nous sert a|sert pour|collects|sends|powers|does|prints|imprime|stocke|heberge|hosts"
    rf"|processes)"
    r" (?:all |l'|les |la |le |our |nos |notre )*(?P<use>[\w' -]+)"
)
_DOING = re.compile(
    r"\b(?:moved|switched|migre\w*|bascule\w*|passe\w*|signed|signe|use\w*|utilis\w+|work\w*|bosse\w*"
    r"|travaill\w+|chose|choisi|envoi\w+|envoy\w+|send|ship|expedi\w+|livr\w+)\b"
)


def tools(flat: Flat) -> list[Named]:
    """ "We use X for email and Y for reviews": one statement for each tool or partner."""
    serves = _SERVES.match(flat.text)
    if serves is not None and is_name(flat.original(*serves.span("name"))):
        use = keys.slug(keys.meaning(serves["use"]), 3)
        return [Named("store", keys.joined("tools", use), flat.original(*serves.span("name")), "tools")] if use else []
    uses = _USES.search(flat.text)
    if uses is None:
        return []
    start = uses.start("rest")
    pairs = [match for match in _FOR.finditer(flat.text, start) if is_name(flat.original(*match.span("name")))]
    if pairs:
        return [_tool(flat, uses, pair, single=len(pairs) == 1) for pair in pairs]
    name = name_at(flat.original(start, len(flat.text)))
    if name is None:
        return []
    purpose = keys.meaning(_DOING.sub(" ", flat.text[uses.start() : start]))
    if purpose:
        return [Named("store", keys.joined("tools", keys.slug(purpose, 3)), name, "tools")]
    return [Named("store", keys.joined("partners", keys.slug(keys.meaning(name) or [plain(name)])), True, "tools")]


def _tool(flat: Flat, uses: re.Match[str], pair: re.Match[str], *, single: bool) -> Named:
    name = flat.original(*pair.span("name"))
    head = flat.original(uses.start(), uses.start("rest"))
    content = None if single else f"{head} {flat.original(pair.start('name'), pair.end('use'))}"
    return Named("store", keys.joined("tools", keys.slug(keys.meaning(pair["use"]), 3)), name, "tools", content=content)
