"""The subjects that shops speak of most: one key each, in whichever words and language."""

import re
from dataclasses import dataclass, field

from app.adapters.extractors.rules import keys
from app.domain.quantities import find_quantities
from app.domain.values import JsonValue
from app.domain.wording import stem


def _stems(words: str) -> frozenset[str]:
    return frozenset(name for word in words.split() for name in keys.meaning(word) or [stem(word)])


@dataclass(frozen=True, slots=True)
class Topic:
    """A subject: found by `pattern` in the plain text and, where `kinds` are named, an amount of one of them.

    Words of the clause beyond `own` tell two such subjects apart ("minimum order" for whom?) and go into the key.
    The value is the amount, else the group `v` of the pattern, else `value`.
    """

    key: str
    category: str
    pattern: re.Pattern[str]
    own: frozenset[str]
    kinds: frozenset[str] = frozenset()
    tier: str = "stable"
    many: bool = False
    about: str = "store"
    value: JsonValue = None
    qualified: bool = True
    span: bool = field(default=False)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a topic makes of a clause."""

    topic: Topic
    key: str
    value: JsonValue


def _topic(key: str, category: str, pattern: str, own: str = "", kinds: str = "", **more: object) -> Topic:
    return Topic(key, category, re.compile(pattern), _stems(own), frozenset(kinds.split()), **more)  # type: ignore[arg-type]


_SHIP = r"(?:livraisons?|port|expeditions?|envois?|shipping|delivery|deliveries|postage|p&p)"
_SENDS = r"(?:expedi\w*|envoi\w*|envoy\w*|ship\w*|dispatch\w*|send out|post(?:ed|ing)?|(?:parcels?|orders|colis|commandes) (?:leave|go out|partent))"
_SHIP_OWN = "livraison livrer livre livrons livrent port frais expedition expedie expedions envoi envoie envoyer shipping ship ships delivery deliver delivers dispatch dispatched postage parcel parcels colis orders order commande commandes achat achats achete offert offerte offerts gratuit gratuite gratuits free starts start kicks seuil threshold minimum over above spend basket panier offer offers offrons dessus montant cost costs coute delai delay time lead prepare preparation preparent sent go leave partent part arrive arrivent arrives recoit recoivent"
_RETURN = r"(?:retours?|retourne\w*|renvoy\w*|renvoie\w*|returns?|returned|send (?:\w+ )?back|echang\w*|exchanges?|se retract\w*|retractation|changer d'avis)"
_RETURN_OWN = "retour retours retourner renvoyer renvoi return returns returned send back echange echanger exchange delai window period policy article articles item items accept accepted accepte accepter delivery refund refunds refunded rembourse remboursement remboursements charge frais pays paid pay postage shipping label etiquette free gratuit gratuits payant payants days retracter"
_SHOP = r"(?:boutique|magasin|shop|store|horaires?|opening hours|hours|(?<!\w)(?:on|nous|we|we're|we are|est|is|are|sommes) )"
_HOURS_OWN = "horaire horaires ouvert ouverte ouverts ouvre ouvrons ouvrent ouverture open opens opening hours ferme fermee fermes fermons fermeture closed close closes shut shuts boutique magasin shop store semaine week midi work travaille travaillons seul only"
TOPICS = (
    _topic(
        "shipping.free_threshold",
        "shipping",
        rf"(?=.*\b(?:{_SHIP}|livr\w+)\b)(?=.*\b(?:offert\w*|gratuit\w*|free|offrons|on offre)\b)(?!.*\b(?:retour|return|echantillon|sample)s?\b)",
        _SHIP_OWN,
        "money",
    ),
    _topic(
        "shipping.cutoff",
        "shipping",
        r"\bcut-?off\b|\bheure limite\b|(?=.*\b(?:le jour meme|same[- ]day|next[- ]day|le lendemain)\b)(?=.*\b(?:avant|before|by|until|jusqu'a)\b)",
        _SHIP_OWN
        + " cutoff cut limite jour meme same day before avant placed passee passees same-day heure meme lendemain",
        "time",
    ),
    _topic(
        "shipping.cost",
        "shipping",
        rf"\b{_SHIP}\b.*\b(?:cout\w+|costs?|est (?:a|de)|is|are|sont (?:a|de)|factur\w+|charged?)\b(?!.*\b(?:retour|return)s?\b)|\bwe charge\b.*\b{_SHIP}\b",
        _SHIP_OWN + " facture flat rate forfait charge",
        "money",
    ),
    _topic(
        "returns.refund_delay",
        "returns",
        r"\b(?:rembours\w+|refund\w*)\b.*\b(?:sous|dans|within|in|en)\b",
        _RETURN_OWN,
        "duration",
    ),
    _topic("returns.window", "returns", rf"\b{_RETURN}\b(?!.*\b(?:coute|costs?)\b)", _RETURN_OWN, "duration"),
    _topic(
        "returns.cost",
        "returns",
        rf"\b(?:{_RETURN}|frais)\b.*\b(?:a la charge d[eu]s? (?P<c1>client\w*|acheteur\w*|cliente)|(?P<c2>client\w*) (?:paie|paye))|\b(?:buyer|customer|client)s? (?:pays?|covers?)\b.*\b(?:return|postage|shipping)|frais sont a la charge|paid by the (?:buyer|customer)|retours? payants?",
        _RETURN_OWN + " client buyer customer covers paie paye",
        value="customer",
    ),
    _topic(
        "returns.cost",
        "returns",
        r"\bretours? (?:\w+ )?(?:est|sont)? ?(?:toujours )?(?:gratuits?|offerts?|a nos frais)|\bfree returns?\b|\breturns? (?:is|are) (?:always )?(?:free|on us)|\bwe (?:pay|cover)\b.*\breturn",
        _RETURN_OWN + " nos cover",
        value="shop",
    ),
    _topic(
        "shipping.delay",
        "shipping",
        rf"\b{_SENDS}.*\b(?:sous|en|in|within|dans|under|moins de)\b|\bdelai (?:d'expedition|d'envoi|de preparation)|\b(?:dispatch|handling|processing|lead) time|\bpart(?:ent)? (?:sous|en|dans)\b",
        _SHIP_OWN + " handling processing",
        "duration",
    ),
    _topic("shipping.delivery_delay", "shipping", r"\b(?:livr\w+|deliver\w*|arriv\w+)\b", _SHIP_OWN, "duration"),
    _topic(
        "shipping.days",
        "shipping",
        rf"\b{_SENDS}(?!.*\bnewsletter)",
        _SHIP_OWN + " twice week fois semaine just",
        "day",
        span=True,
    ),
    _topic(
        "orders.minimum",
        "orders",
        r"\b(?:commandes?|achats?|panier|quantite) mini\w*|\bminimum (?:de commande|d'achat|order|spend|quantity)|\b(?:trade|wholesale|order|b2b) minimum|\bmoq\b|\bwholesale orders? starts?|\bmini de commande",
        "commande commandes achat panier quantite minimum mini order orders spend moq start starts",
        "money count weight",
    ),
    _topic(
        "margin",
        "finance",
        r"\b(?:marge|margin)s?\b",
        "marge marges margin margins brute gross nette net make",
        "percent money",
    ),
    _topic(
        "guarantee",
        "returns",
        r"\b(?:garanti\w*|guarantee\w*|warrant\w*)\b",
        "garantie garanties garantis garantit guarantee guaranteed warranty carry carries offer offrons piece",
        "duration",
    ),
    _topic(
        "metric.average_basket",
        "finance",
        r"\bpanier moyen\b|\baverage (?:basket|order value|order)\b|\baov\b",
        "panier moyen average basket order value aov tourne sits",
        "money",
        tier="standard",
    ),
    _topic("metric", "finance", r"\b(?:taux|rate)\b", "tourne sits taux rate", "percent", tier="standard"),
    _topic(
        "budget",
        "finance",
        r"\bbudget|\bplafond\b|\bspend(?:ing)? cap\b|\bon ne depasse pas\b|\ballou\w+",
        "budget plafond cap spend maximum limit per par alloue alloues allouons depasse depasser depense monthly mensuel mensuelle",
        "money",
        tier="standard",
    ),
    _topic(
        "catalogue.gift_card",
        "catalogue",
        r"\b(?:carte cadeau|gift card)s?\b.*\b(?:cout\w+|costs?|vaut)\b",
        "carte cadeau gift card coute cost",
        "money",
    ),
    _topic(
        "price",
        "catalogue",
        r"\b(?:cout\w+|costs?|vaut|valent|(?:est|sont) a|priced? (?:at|is|of|for)|prix|sells? for|vend\w* (?:a )?|passe\w* (?:a|de)|passer a|is now|are now|tarif)\b",
        "coute coutent cost costs vaut prix price priced sells sell vend vendu vendue vendus vendons tarif est piece unit",
        "money",
        tier="standard",
    ),
    _topic(
        "team.size",
        "team",
        r"\b(?:there are|we're|we are|on est|nous sommes|equipe de|team of) \S+(?: people| of us| personnes| dans l'equipe| on the team| salaries| employees)|\bof us on the team",
        "people team equipe personne personnes salarie employee",
        "count",
        about="organisation",
        tier="standard",
    ),
    _topic(
        "hours.closed",
        "hours",
        r"\b(?:ferme\w*|closed|shut|n'ouvr\w+ pas|not open|jour de (?:fermeture|repos)|pas ouvert\w*|don't (?:open|work)|ne travaill\w+ pas|n'est pas ouvert\w*)\b(?!.*\b\d)",
        _HOURS_OWN + " jour repos",
        "day",
        span=True,
    ),
    _topic(
        "hours.closing",
        "hours",
        r"\b(?:ferme\w*|closes?|shuts?)\b(?!.*\b(?:ouvr\w+|ouvert\w*|opens?)\b)",
        _HOURS_OWN,
        "time",
    ),
    _topic(
        "hours.opening",
        "hours",
        r"\b(?:horaires?|hours|ouvert\w*|ouvr\w+|ouverture|open\w*)\b",
        _HOURS_OWN,
        "time day",
        span=True,
    ),
)


def read(raw: str, text: str) -> Reading | None:
    """The first topic that fits the clause (`raw`, and its plain `text`), with its key and value."""
    amounts = find_quantities(raw)
    for topic in TOPICS:
        fitting = [one for one in amounts if one.kind in topic.kinds]
        if (topic.kinds and not fitting) or topic.pattern.search(text) is None:
            continue
        value = topic.value
        if fitting:
            value = raw[fitting[0].start : (fitting[-1] if topic.span else fitting[0]).end]
        words = keys.meaning(text, topic.own)
        if topic.key == "hours.closing":
            words += [one.canonical for one in amounts if one.kind == "day"]
        if topic.key in {"price", "metric"} and not words:
            continue
        return Reading(topic, keys.joined(topic.key, keys.slug(words, 4)), value)
    return None
