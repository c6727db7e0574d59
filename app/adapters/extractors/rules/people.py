"""Who somebody is, who does what, which tools and suppliers a shop works with: statements around a proper name."""

import re
from dataclasses import dataclass

from app.adapters.extractors.rules import keys
from app.adapters.extractors.rules.text import Flat
from app.domain.calendar_words import MONTHS, WEEKDAYS
from app.domain.values import JsonValue
from app.domain.wording import plain


@dataclass(frozen=True, slots=True)
class Named:
    """A statement with its own kind of key. `content` where one clause holds several ("X for this and Y for that")."""

    about: str
    key: str
    value: JsonValue
    category: str
    tier: str = "stable"
    many: bool = False
    content: str | None = None


_NAME = r"(?P<name>[a-z0-9][\w'&.+-]*(?: (?:de |du |des |la |le |d'|and |& |of )?[a-z0-9][\w'&.+-]*){0,3}?)"
_NOT_NAMES = (
    frozenset(
        (
            "je on nous il elle ils elles we they he she it this that these those i you tu vous the le la les un une a "
            "an our notre nos my mon ma mes all tous tout every each no everything everyone nobody somebody someone "
            "c'est ce ca what who how when where why if si but mais and et so donc please merci thanks hi hello "
            "bonjour salut shipping livraison delivery returns retours orders commandes customers clients only also "
            "still just now actually never always today yesterday tomorrow here there french english francais anglais "
            "chez pour dans avec sur for in on at from with as"
        ).split()
    )
    | set(WEEKDAYS)
    | set(MONTHS)
)


def is_name(text: str) -> bool:
    """Whether the words look like a proper name: capitals, and no word that only begins a sentence."""
    words = [word for word in re.split(r"\s+", text.strip()) if word]
    small = {"de", "du", "des", "la", "le", "d'", "and", "&", "of", "et", "the", "les"}
    return (
        bool(words)
        and all(word[0].isupper() or word[0].isdigit() or plain(word) in small for word in words)
        and plain(words[0]) not in _NOT_NAMES
        and any(word[0].isupper() for word in words)
    )


_ROLE_WORDS = r"(?:gerante?|patronne?|owner|founder|co-?founder|fondat\w+|cofondat\w+|manager|managing director|ceo|directeur|directrice|director|responsable|chef\w*|head|assistante?|proprietaire|associee?|artisan\w*|creat\w+|maker|baker|potter|florist\w*|stagiaire|intern|apprentie?|operations|ops|marketing|buyer|acheteu\w+|comptable|accountant|designer|developer|nurse|infirmier\w*|teacher|prof\w*|enseignant\w*|student|etudiant\w*|retraitee?|retired|freelance\w*|photograph\w*|engineer|ingenieur\w*|doctor|medecin|lawyer|avocate?)"
_INTRO = re.compile(
    rf"^\W*(?:(?:hey|hi|hello|hiya|bonjour|bonsoir|salut|slt|coucou|alors|moi|morning|good morning|re)[\s,!]*)*(?:je suis|moi c'est|c'est|je m'appelle|i'm|i am|it's|this is|my name is|my name's|mon (?:prenom|nom) (?:est|c'est)|here is|ici) {_NAME}(?= here\b| a l'appareil|[,.!;:]|$| (?:the|le|la|l'|de la|du|from|of|and|et|i|je)\b|,)(?P<rest>.*)"
)
_ROLE = re.compile(
    rf"\b(?:(?:je suis|i'm|i am) (?:the |a |an |le |la |l'|un |une |aussi |also )?(?:\w+ ){{0,2}}?{_ROLE_WORDS}\b|i (?:run|own|manage|founded|co-?founded|head|lead|look after|handle|work (?:in|as|for|at)|do the|take care of|order for|buy for|shop for|teach)\b|je (?:tiens|dirige|gere|m'occupe d|travaille (?:comme|chez|a|en|dans|pour)|bosse (?:comme|chez|a|en|dans|pour)|commande pour|achete pour|represente)|my (?:role|job|title) is|mon (?:role|poste|metier),? (?:est|c'est))"
)
_BRAND = re.compile(
    r"\b(?:(?:ma|mon|notre|la|my|our|the) (?:petite |little |own |new |nouvelle )?(?P<what>boutique|magasin|marque|enseigne|site|e-shop|shop|store|brand|business|entreprise|societe|company|label|studio|atelier|cafe|salon)(?: en ligne)? (?:s'appelle|se nomme|is called|is named|'s called|is known as|a pour nom|s'intitule)|(?:on|nous) s'appelle|nous nous appelons|we're called|we are called|(?:le nom de (?:la|ma|notre) (?:boutique|marque)|(?:our|my) (?:shop|store|brand)(?:'s)? name) (?:est|is|c'est)) (?P<v>.+)"
)
_SELLS = re.compile(
    r"\b(?:on|nous|je|we|i)\s(?:ne |n'|also |mainly |mostly |only |now )?(?P<verb>vend[s]?|vendons|propose|proposons|fabrique|fabriquons|sell|stock|make|craft|carry|produce|design)\b(?! (?:on|via|through|sur|in|only|uniquement|que|en|jamais|never|pas|plus|sure|it|up|my|our|mes|nos)\b) (?P<v>.+)"
)


def introduction(flat: Flat) -> Named | None:
    """The speaker's own name, or their role."""
    match = _INTRO.match(flat.text)
    if match is not None and not re.match(r"\s*(?:qui|who|that)\b", match["rest"]):
        name = flat.original(*match.span("name"))
        lower = re.search(r"\b(?:m'appelle|name is|name's|prenom|i'm|it's|je suis)\b", match[0]) and re.match(
            rf" (?:here\b|(?:le|la|the) {_ROLE_WORDS})|,? (?:i (?:run|own|manage)|je (?:tiens|gere))",
            match["rest"] + " ",
        )
        explicit = re.search(r"m'appelle|name is|name's|prenom", match[0])
        if is_name(name) or (
            (lower or explicit) and plain(name).split()[0] not in _NOT_NAMES and len(name.split()) <= 2
        ):
            return Named("person", "person.name", name, "identity", "identity")
    if _ROLE.search(flat.text):
        return Named("person", "person.role." + keys.slug(keys.meaning(flat.text), 4), True, "identity", "identity")
    return None


def shop(flat: Flat) -> Named | None:
    """What the shop is called, or what it sells."""
    match = _BRAND.search(flat.text)
    if match is not None:
        name = re.split(r"[,.;!]|\s(?:et|and|on|nous|we|-)\s", flat.original(*match.span("v")))[0].strip(" \"«»“”'")
        company = match["what"] in {"entreprise", "societe", "company"}
        return Named(
            "organisation" if company else "store",
            "company.name" if company else "brand.name",
            name,
            "identity",
            "identity",
        )
    match = _SELLS.search(flat.text)
    if match is not None:
        return Named(
            "store", "catalogue.products", flat.original(*match.span("v")).rstrip(" .!"), "catalogue", many=True
        )
    return None


_USES = re.compile(
    r"\b(?:on|nous|we|je|i|we've|we're|on a|nous avons)\s(?:\w+ ){0,2}?(?:utilis\w+|use|bosse\w* avec|travaill\w+ avec|work\w* with|pass\w+ par|tourn\w+ (?:sur|avec)|ger\w+ (?:tout )?avec|rel(?:y|ies) on|run(?:s|ning)? (?:on|with)|moved (?:\w+ ){0,2}(?:on ?to|to)|switched (?:\w+ ){0,2}to|migre\w* (?:vers|sur|chez)|bascule\w* (?:vers|sur|chez)|passe\w* (?:sur|chez|a)|envoi\w+ (?:\w+ ){1,3}avec|signed (?:up )?with|signe avec|went with|choisi|chose|picked|partnered with|partner with|adopte)\s(?:un nouve\w+ \w+,? |a new \w+,? )?(?P<rest>.+)"
)
_FOR = re.compile(
    rf"(?:(?:et|and|plus|,|ainsi que|as well as) )?(?:la |le |the )?{_NAME} (?:pour|for|as|comme) (?:l[ea]s? |l'|the |nos |our |notre |all |tous nos |faire |sending )?(?P<use>[a-z][\w' -]*?)(?=$|[,.;!]| (?:et|and|puis|ainsi|as well|btw|by the way|maintenant|now|desormais|depuis|since) ?)"
)
_SERVES = re.compile(
    rf"^{_NAME} (?:sert a|nous sert a|sert pour|collects|sends|handles|gere|s'occupe de|powers|runs|does|prints|imprime|stocke|heberge|hosts|processes) (?:all |l'|les |la |le |our |nos |notre )*(?P<use>[\w' -]+)"
)


def tools(flat: Flat) -> list[Named]:
    """ "We use X for email and Y for reviews": one statement for each tool."""
    uses = _USES.search(flat.text)
    if uses is None:
        return []
    start = uses.start("rest")
    pairs = [match for match in _FOR.finditer(flat.text, start) if is_name(flat.original(*match.span("name")))]
    if pairs:
        return [_tool(flat, uses, pair, single=len(pairs) == 1) for pair in pairs]
    match = re.match(_NAME + r"(?=$|[\s,.;!])", uses["rest"])
    name = _whole_name(flat.original(start, len(flat.text)))
    if match is None or name is None:
        return []
    before = keys.meaning(
        re.sub(
            r"\b(?:moved|switched|migre\w*|bascule\w*|passe\w*|signed|signe|envoi\w+|use\w*|utilis\w+|work\w*|bosse\w*|travaill\w+|chose|choisi)\b",
            "",
            flat.text[uses.start() : start],
        )
    )
    key = keys.joined("tools", keys.slug(before, 3)) if before else keys.joined("partners", keys.slug([plain(name)]))
    return [Named("store", key, name if before else True, "tools")]


def _tool(flat: Flat, uses: re.Match[str], pair: re.Match[str], *, single: bool) -> Named:
    name = flat.original(*pair.span("name"))
    use = keys.slug(keys.meaning(pair["use"]), 3)
    head = flat.original(uses.start(), uses.start("rest"))
    content = None if single else f"{head} {flat.original(pair.start('name'), pair.end('use'))}"
    return Named("store", keys.joined("tools", use), name, "tools", content=content)


def _whole_name(raw: str) -> str | None:
    """The capitalised words at the start of `raw`, behind an article or "la maison"."""
    match = re.match(
        r"(?:(?:la|le|les|the|une?|an?|maison|société|societe|agence|chez)\s)*((?:[A-ZÀ-Ý0-9][\w'’&.+-]*)(?: (?:(?:de|du|des|la|le|&|and|et) )?[A-ZÀ-Ý0-9][\w'’&.+-]*)*)",
        raw,
    )
    name = match[1].rstrip(".'’") if match else None
    return name if name and is_name(name) else None


_DOES = r"(?:s'occupe (?:de |d'|du |des )|gere |est (?:la |le |notre |l')?(?:responsable|charge\w*|referent\w*) (?:de |d'|du |des |en )?|dirige |supervise |valide |approuve |handles |looks after |takes care of |is in charge of |is responsible for |runs |manages |does |leads |oversees |approves |signs off (?:on )?|deals with |takes over |is (?:our|the) |est notre |est (?:le|la|l')|fait )"
_PERSON_DOES = re.compile(
    rf"^(?:(?:seule?|only|c'est (?:maintenant |desormais )?|it's (?:now )?|depuis .{{3,40}}?, c'est |since .{{3,40}}?, (?:it's )?)\s?)?{_NAME}(?:,[^,]+,)? (?:qui |who |that |is the one who |maintenant |now |also |aussi )*(?P<does>{_DOES})(?P<area>[^,.;:!]+)"
)
_HANDLED_BY = re.compile(
    rf"^(?P<area>[^,.;:!]+?) (?:is|are|est|sont) (?:now |maintenant )?(?:handled|managed|run|done|approved|gere\w*|valide\w*|assure\w*) (?:by|par) {_NAME}(?=$|[\s,.;!])"
)
_SEE = re.compile(
    rf"(?:pour|for) (?P<area>[^,.;:!]+?),? (?:voyez|vois|voir|contacte\w*|demande\w*|adresse\w*|passe\w*|see|ask|contact|talk to|speak to|go to|email)(?: -?(?:toi|vous))?(?: directement)? (?:avec |a |par |with |to )?{_NAME}(?=$|[\s,.;!])"
)
_POSSESSED = re.compile(
    rf"(?:^|, ?)(?:notre|nos|our|ma|mon|my|la|le|the) (?P<role>[\w' -]{{3,50}}?),? (?:est|is|c'est|s'appelle|is called|are|sont|'s name is|reste) (?:now |maintenant |desormais |toujours )?(?:la |le |the |les )?(?:maison |societe )?{_NAME}(?=$|[\s,.;!:(])"
)
_APPOSED = re.compile(
    rf"(?:^|\b(?:avec|with|chez|by|par|a|to) ){_NAME}, (?:notre|our|ma|mon|my) (?P<role>[\w'-]+(?: [\w'-]+){{0,3}}?)(?=,|$|\.)"
)


def roles(flat: Flat) -> Named | None:
    """Who looks after what, who supplies what; "our accountant is…"."""
    text = flat.text
    for pattern in (_PERSON_DOES, _HANDLED_BY, _SEE):
        match = pattern.search(text)
        if match is not None and is_name(flat.original(*match.span("name"))):
            does = match.groupdict().get("does") or ""
            verb = keys.meaning(
                re.sub(
                    r"\b(?:s'occupe|gere|responsable|charge\w*|referent\w*|handles|looks after|takes care|in charge|responsible|manages|runs|does|deals|dirige|est|is|leads|takes over|the|our|notre|fait)\b",
                    "",
                    does,
                )
            )
            area = keys.meaning(match["area"])
            if area:
                return Named(
                    "store",
                    keys.joined("people", keys.slug([*verb, *area], 4)),
                    flat.original(*match.span("name")),
                    "people",
                )
    match = _POSSESSED.search(text)
    if match is not None and not re.search(r"\b(?:tone|ton|voice|price|prix|colou?r|couleur)\b", match["role"]):
        name = _whole_name(flat.original(match.start("name"), len(text)))
        if name is not None:
            return Named(
                *_role_place(match["role"]), name, "suppliers" if _SUPPLIER.search(match["role"]) else "people"
            )
    return None


_SUPPLIER = re.compile(r"\b(?:fournisseu\w*|supplier\w*|grossiste)\b")


def _role_place(role: str) -> tuple[str, str]:
    words = keys.meaning(re.sub(r"\b(?:principale?|main|new|nouve\w+|current)\b", "", role))
    if _SUPPLIER.search(role):
        rest = [word for word in words if word not in {"fournisseur", "suppli", "supplier", "grossist"}]
        return "store", keys.joined("suppliers", keys.slug(rest, 3) or "main")
    company = re.search(
        r"\b(?:comptable|accountant|avocate?|lawyer|juriste|banque|bank|assureur|insurer|siege|head office)\b", role
    )
    return "organisation" if company else "store", keys.joined("people", keys.slug(words, 4) or "role")
