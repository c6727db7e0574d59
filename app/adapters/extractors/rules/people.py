"""Proper names: who the speaker is, who does what, who supplies what."""

import re
from dataclasses import dataclass

from app.adapters.extractors.rules import grammar, keys
from app.adapters.extractors.rules.text import Flat
from app.domain.calendar_words import MONTHS, WEEKDAYS
from app.domain.values import JsonValue
from app.domain.word_patterns import any_of, either
from app.domain.wording import plain, words


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


NAME = r"(?P<name>[a-z0-9][\w'&.+-]*(?: (?:de |du |des |la |le |d'|and |& |of )?[a-z0-9&][\w'&.+-]*){0,3}?)"
_JOINING = frozenset(words("de du des la le d' and & of et the les"))
_NEVER_NAMES = (
    frozenset(
        words(
            """
        je on nous il elle ils elles we they he she it it's this that these those i you tu vous the le la les un une a
        an our notre nos my mon ma mes all tous tout toute every each no everything everyone nobody somebody someone
        c'est ce ca what who how when where why if si but mais and et so donc please merci thanks hi hello bonjour
        salut shipping livraison delivery returns retours orders commandes customers clients only also still just now
        actually never always today yesterday tomorrow i'm i've we're we've here there french english francais anglais
        chez pour dans avec sur for in on at from with as not sorry urgent christmas easter halloween ramadan noel moi
        toi lui
        """
        )
    )
    | set(WEEKDAYS)
    | set(MONTHS)
)


def is_name(text: str) -> bool:
    """Whether the words look like a proper name: capitals, and no word that only begins a sentence."""
    parts = text.split()
    return (
        bool(parts)
        and plain(parts[0]) not in _NEVER_NAMES
        and any(part[0].isupper() for part in parts)
        and all(part[0].isupper() or part[0].isdigit() or plain(part) in _JOINING for part in parts)
    )


def name_at(raw: str) -> str | None:
    """The capitalised words at the start of `raw`, behind an article or "la maison"."""
    match = re.match(
        r"(?:(?:la|le|les|the|une?|an?|maison|société|societe|agence|cabinet|chez|notre|our|my)\s)*"
        r"((?:[A-ZÀ-Ý0-9][\w'’&.+-]*)(?:,? (?:(?:de|du|des|la|le|&|and|et) )?[A-ZÀ-Ý0-9][\w'’&.+-]*)*)",
        raw,
    )
    name = match[1].rstrip(".'’") if match else None
    return name if name and is_name(name) else None


_OCCUPATION = either(
    r"""
    gerante?|patronne?|owner|founder|co-?founder|fondat\w+|cofondat\w+|manager|managing director|ceo|directeur
    directrice|director|responsable|chef\w*|head|assistante?|proprietaire|associee?|artisan\w*|creat(?:or|eur|rice)
    maker|baker|potter|florist\w*|stagiaire|intern|apprentie?|operations|ops|marketing|buyer|acheteu\w+|comptable
    accountant|designer|developer|nurse|infirmier\w*|teacher|prof\w*|enseignant\w*|student|etudiant\w*|retraitee?
    retired|freelance\w*|photograph\w*|engineer|ingenieur\w*|doctor|medecin|lawyer|avocate?|co-?owner|partner
    vendeu\w+|boss
    """
)
_INTRO = re.compile(
    rf"(?P<how>je suis|moi c'est|c'est|je m'appelle|i'm|i am|it's|this is|my name is|my name's|mon (?:prenom"
    rf"|nom)(?: est|,? c'est)"
    rf"|here is|ici) {NAME}(?= here\b| a l'appareil|[,.!;:]|$| (?:the|le|la|l'|de la|du|from|of|and|et|i"
    rf"|je)\b)(?P<rest>.*)"
)
_ROLE = re.compile(
    rf"\b(?:(?:je suis|i'm|i am) (?!not |pas )(?:the |a |an |le |la |l'|un |une |aussi |also )?(?:\w+"
    rf" ){{0,2}}?{_OCCUPATION}\b"
    r"|i (?:run|own|manage|founded|co-?founded|head|lead|look after|handle|do the|take care of|order for|buy"
    r" for|shop for|teach)\b"
    r"(?! (?:myself|him|her|them|it|away|out|late|into|a (?:lot|bit|little)|\d|marathon|every|each|for))"
    r"|i work (?:in|as|for|at)\b|je (?:tiens|dirige|gere|m'occupe d|commande pour|achete pour|represente)"
    r"|je (?:travaille|bosse) (?:comme|chez|a|en|dans|pour)|my (?:role|job|title) is|mon (?:role|poste"
    r"|metier),? (?:est|c'est))"
)
_GREETED = re.compile(r"\W*(?:hey|hi|hello|hiya|bonjour|bonsoir|salut|slt|coucou|bjr|re|morning|good morning)\b")


def introduction(flat: Flat, language: str) -> Named | None:
    """The speaker's own name, or their role."""
    start = grammar.without_lead(flat.text, language)
    match = _INTRO.match(flat.text, start)
    if match is not None and not re.match(r"\s*(?:qui|who|that)\b", match["rest"]):
        name = flat.original(*match.span("name"))
        explained = _EXPLAINED.match(match["rest"]) is not None or _GREETED.match(flat.text) is not None
        if _is_own_name(match, name, explained=explained):
            return Named("person", "person.name", name, "identity", "identity")
    if _ROLE.search(flat.text):
        role = keys.slug(keys.meaning(flat.text[start:]), 4)
        return Named("person", f"person.role.{role}", True, "identity", "identity")
    return None


_EXPLAINED = re.compile(
    rf"(?: here\b| (?:le|la|the) {_OCCUPATION})|,? (?:i (?:run|own|manage|look)|je (?:tiens|gere|m'occ))"
)
_ALONE = re.compile(r"\W*$| (?:du|de la|de chez|from) ")
_NO_NAME = re.compile(
    r"good|fine|ok\w*|me|done|late|perfect|great|parfait|bon|super|urgent|note|fait|tout|cool|back|la"
)


def _is_own_name(match: re.Match[str], name: str, *, explained: bool) -> bool:
    """Whether "I'm X", "c'est X" names the speaker: "it's X" may name anything, unless one greets or explains.

    In small letters ("hi its dan", "jsuis karim le gérant") only where nothing else can be meant.
    """
    told = re.search(r"m'appelle|name|prenom", match["how"]) is not None
    points = re.search(r"c'est|it's|this is|here is|ici", match["how"]) is not None
    if is_name(name):
        return told or explained or not points
    words = plain(name).split()
    if words[0] in _NEVER_NAMES or len(words) > 2 or not words[0].isalpha() or _NO_NAME.fullmatch(words[0]):
        return False
    explains = _EXPLAINED.match(match["rest"]) is not None
    return told or explains or (points and explained and _ALONE.match(match["rest"]) is not None)


_DOES = either(
    r"""
    s'occupe (?:de |d'|du |des )|gere
    est (?:la |le |notre |l')?(?:responsable|charge\w*|referent\w*) (?:de |d'|du |des |en )?|dirige |supervise|valide
    approuve |handles |looks after |takes care of |is in charge of |is responsible for |runs|manages |does|leads
    oversees |approves |signs off (?:on )?|deals with |takes over |est (?:la |le )?seule? a |fait
    is (?:our|the) (?!one\b|only one\b)|est notre |est (?:le |la |l')|(?:is )?the (?:only )?one who
    is the only one who
    """
)
_BEFORE = (
    r"(?:(?:seule?|only|c'est (?:maintenant |desormais )?|it's (?:now )?|depuis .{3,40}?, c'est |since"
    r" .{3,40}?, (?:it's )?"
    r"|(?:notre|mon|ma|our|my) (?:\w+ )?\w+ )\s?)?"
)
_PERSON_DOES = re.compile(
    rf"^{_BEFORE}{NAME}(?:,[^,]+,)? (?:qui |who |that |maintenant |now |also |aussi )*(?P<does>{_DOES})"
    rf" ?(?P<area>[^,.;:!]+)"
)
_HANDLED_BY = re.compile(
    r"^(?P<area>[^,.;:!]+?) (?:is|are|est|sont|goes|go|passe|passent) (?:now |maintenant )?"
    rf"(?:handled by|managed by|run by|done by|approved by|through|geree?s? par|valide\w* par|assure\w* par"
    rf"|par) {NAME}(?=$|[\s,.;!])"
)
_SEE = re.compile(
    r"(?:pour|for) (?P<area>[^,.;:!]+?),? (?:il faut )?(?:voyez|vois|voir|contacte\w*|demande\w*|adresse\w*"
    r"|passe\w*|see|ask|contact"
    rf"|talk to|speak to|go to|email)(?:-(?:toi|vous))?(?: directement)? (?:avec |a |par |with |to )?{NAME}(?=$"
    rf"|[\s,.;!])"
)
_ALL_OF_IT = re.compile(
    r"^(?:pour )?(?:tout ce qui (?:est|concerne|touche a)|anything|everything|all (?:the )?|tout)(?: to do"
    r" with| about)? "
    rf"(?P<area>[^,.;:!]+?),? (?:that's|it's|c'est|goes to|go to|is|est pour) {NAME}(?=$|[\s,.;!])"
)
_POSSESSED = re.compile(
    r"(?:^|, ?)(?:notre|nos|our|ma|mon|my|la|le|the) (?P<role>[\w' -]{3,50}?),? (?:est|is|c'est|s'appelle|is"
    r" called|are|sont"
    rf"|'s name is|reste|is a (?:\w+ ){{1,2}}called) (?:now |maintenant |desormais |toujours )?(?:la |le |the "
    rf"|les |chez )?"
    rf"(?:maison |societe |cabinet |agence )?{NAME}(?=$|[\s,.;!:(])"
)
_COMES_FROM = re.compile(
    r"^(?:(?:notre|nos|our|ma|mon|mes|my|la|le|les|the|all our|toute? notre) )?(?P<role>[\w' -]{3,40}?)"
    r" (?:vien(?:t|nent)|provien(?:t|nent)"
    rf"|comes?|is sourced|are sourced|is supplied|are supplied)(?: \w+)? (?:de (?:chez )?|from |by )(?:la |le "
    rf"|the )?{NAME}(?=$|[\s,.;!])"
)
_SIGNED = re.compile(
    r"\b(?:avec|with|chez|a|hired|embauche|recrute|pris|un|une) (?:un |une |a |an |our |notre |the |le |la"
    r" )?(?:nouve\w+|new) "
    rf"(?P<role>[\w-]+(?: [\w-]+)?),? (?:(?:la|le|the) )?(?:maison |societe |agence |called |appele\w*"
    rf" )?{NAME}(?=$|[\s,.;!])"
)
_ROLE_VERBS = any_of(
    r"""
    s'occupe|gere|responsable|charge\w*|referent\w*|handles|looks after|takes care|in charge|responsible|manages|runs
    does|deals|dirige|est|is|leads|takes over|the|our|notre|fait|only|one|seule?|who
    """
)
_NO_ROLE = any_of(
    r"tone|ton|voice|price|prix|colou?r|couleur|shop|boutique|store|magasin|brand|marque|logo|slogan|goal|objectif"
)


def roles(flat: Flat) -> Named | None:
    """Who looks after what, who supplies what; "our accountant is…"."""
    for pattern in (_PERSON_DOES, _HANDLED_BY, _SEE, _ALL_OF_IT):
        match = pattern.search(flat.text)
        if match is not None and is_name(flat.original(*match.span("name"))):
            area = keys.meaning(
                re.split(r"\b(?:avant|before|pour|for|when|quand|depuis|since|so|donc|in|at|a)\b", match["area"])[0]
            )
            verb = keys.meaning(_ROLE_VERBS.sub(" ", match.groupdict().get("does") or ""))
            if area:
                key = keys.joined("people", keys.slug([*verb, *area], 4))
                return Named("store", key, flat.original(*match.span("name")).rstrip(".,"), "people")
    match = _COMES_FROM.search(flat.text)
    name = name_at(flat.original(match.start("name"), len(flat.text))) if match else None
    if match is not None and name is not None and keys.meaning(match["role"]):
        return Named("store", keys.joined("suppliers", keys.slug(keys.meaning(match["role"]), 3)), name, "suppliers")
    for pattern in (_SIGNED, _POSSESSED):
        match = pattern.search(flat.text)
        name = name_at(flat.original(match.start("name"), len(flat.text))) if match else None
        if match is not None and name is not None and not _NO_ROLE.search(match["role"]):
            return _in_role(match["role"], name)
    return None


_SUPPLIER = re.compile(r"\b(?:fournisseu\w*|supplier\w*|grossiste)\b")
_OUTSIDE = any_of(
    r"""
    comptable|accountant|avocate?|lawyer|juriste|banque|bank|assureur|insurer|transporteur|carrier|courier|logisticien
    3pl|imprimeur|printer|agence|agency|hebergeur|host|logiciel|software|caisse|till|platform|plateforme|outil|tool
    pos|crm|erp|prestataire|provider|manufacturer|fabricant|studio|photographe|photographer
    """
)


def _in_role(role: str, name: str) -> Named:
    """A name in a role of the shop's: its supplier of something, its accountant, its shop manager."""
    stems = keys.meaning(re.sub(r"\b(?:principale?|main|new|nouve\w+|current)\b", "", role))
    company = re.search(r"\b(?:comptable|accountant|avocate?|lawyer|juriste|banque|bank|assureur|insurer)\b", role)
    if _SUPPLIER.search(role):
        rest = [word for word in stems if word not in {"fournisseur", "suppli", "supplier", "grossist"}]
        key = keys.joined("suppliers", keys.slug(rest, 3) or "main")
    else:
        key = keys.joined("partners" if _OUTSIDE.search(role) else "people", keys.slug(stems, 4) or "role")
    return Named("organisation" if company else "store", key, name, key.split(".")[0])
