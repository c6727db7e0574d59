"""The table behind `topics`: what each subject is known by. Stems of `own` belong to the subject itself."""

import re
from dataclasses import dataclass
from typing import TypedDict

from app.adapters.extractors.rules import keys
from app.adapters.extractors.rules.topic_terms import BACK, BACK_OWN, HOURS_OWN, REGULAR, SENDS, SHIP_OWN, SHIPPING
from app.domain.values import JsonValue


@dataclass(frozen=True, slots=True)
class Topic:
    """A subject: found by `pattern` in the plain text and, where `kinds` are named, an amount of one of them.

    Words of the clause beyond `own` tell two such subjects apart ("minimum order" for whom?) and go into the key.
    The value is the first amount (`span`: from the first to the last), else `value`.
    """

    key: str
    category: str
    pattern: re.Pattern[str]
    own: frozenset[str]
    kinds: frozenset[str] = frozenset()
    tier: str = "stable"
    about: str = "store"
    value: JsonValue = None
    span: bool = False


class _More(TypedDict, total=False):
    tier: str
    about: str
    value: JsonValue
    span: bool


def _topic(key: str, category: str, kinds: str, pattern: str, own: str, more: _More | None = None) -> Topic:
    stems = frozenset(name for word in own.split() for name in keys.meaning(word))
    return Topic(key, category, re.compile(pattern), stems, frozenset(kinds.split()), **(more or {}))


WITH_WORDS_ONLY = frozenset({"price", "metric"})
"""Keys that mean nothing without a word of what they are about."""
SHARES_DAYS = frozenset({"hours.closing"})
"""Keys that differ by weekday."""
TOPICS = (
    _topic(
        "shipping.free_threshold",
        "shipping",
        "money",
        rf"(?=.*\b(?:{SHIPPING}|livr\w+|ship)\b)(?=.*\b(?:offert\w*|gratuit\w*|free|offrons|on offre"
        r"|(?:pas de|sans) frais|no (?:shipping|delivery) \w+)\b)"
        r"(?!.*\b(?:retour|return|echantillon|sample)s?\b)",
        SHIP_OWN,
    ),
    _topic(
        "shipping.cutoff",
        "shipping",
        "time",
        r"\bcut-?off\b|\bheure limite\b|(?=.*\b(?:le jour meme|same[- ]day|next[- ]day|le lendemain)\b)"
        r"(?=.*\b(?:avant|before|by|until|jusqu'a)\b)",
        SHIP_OWN + " cutoff cut limite jour meme same day same-day placed passee passees heure",
    ),
    _topic(
        "shipping.cost",
        "shipping",
        "money",
        rf"\b{SHIPPING}\b.*?\b(?:cout\w+|costs?|est (?:a|de)|is|are|sont (?:a|de)|a|factur\w+|charged?)\b"
        rf"(?!.*\b(?:retour|return)s?\b)|\bwe charge\b.*\b{SHIPPING}\b",
        SHIP_OWN + " facture flat rate forfait charge",
    ),
    _topic(
        "returns.refund_delay",
        "returns",
        "duration",
        r"\b(?:rembours\w+|refund\w*)\b.*\b(?:sous|dans|within|in|en)\b",
        BACK_OWN,
    ),
    _topic("returns.window", "returns", "duration", rf"\b{BACK}\b(?!.*\b(?:coute|costs?)\b)", BACK_OWN),
    _topic(
        "returns.cost",
        "returns",
        "",
        rf"\b(?:{BACK}|frais)\b.*\b(?:a la charge d(?:u|es?|e la|e l') ?(?:client\w*|acheteur\w*)|client\w*"
        rf" (?:paie|paye))"
        r"|\b(?:buyer|customer|client)s? (?:pays?|covers?)\b.*\b(?:return|postage|shipping)|paid by the (?:buyer"
        r"|customer)"
        r"|retours? payants?|returns? (?:are|is) at the (?:buyer|customer)",
        BACK_OWN + " client buyer customer covers paie paye",
        {"value": "customer"},
    ),
    _topic(
        "returns.cost",
        "returns",
        "",
        r"\bretours? (?:\w+ )?(?:est|sont)? ?(?:toujours )?(?:gratuits?|offerts?|a nos frais)|\bfree returns?\b"
        r"|\breturns? (?:shipping |postage )?(?:is|are) (?:always )?(?:free|on us)|\bwe (?:pay|cover)\b.*\breturn",
        BACK_OWN + " nos cover",
        {"value": "shop"},
    ),
    _topic(
        "shipping.delay",
        "shipping",
        "duration",
        rf"\b{SENDS}.*\b(?:sous|en|in|within|dans|under|moins de|takes?)\b|\bdelai (?:d'expedition|d'envoi|de"
        rf" preparation)"
        r"|\b(?:dispatch|handling|processing|lead) times?|\bpart(?:ent)? (?:sous|en|dans)\b",
        SHIP_OWN + " handling processing",
    ),
    _topic("shipping.delivery_delay", "shipping", "duration", r"\b(?:livr\w+|deliver\w*|arriv\w+)\b", SHIP_OWN),
    _topic(
        "shipping.days",
        "shipping",
        "day",
        rf"\b{SENDS}(?!.*\b(?:newsletter|infolettre|e-?mail|mail)s?\b)(?!\w* (?:les )?newsletter)",
        SHIP_OWN + " twice week fois semaine just",
        {"span": True},
    ),
    _topic(
        "orders.minimum",
        "orders",
        "money count weight",
        r"\b(?:commandes?|achats?|panier|quantite) mini\w*|\bminimum (?:de commande|d'achat|order|spend|quantity)"
        r"|\b(?:trade|wholesale|order|b2b) minimum|\bmoq\b|\bwholesale orders? starts?|\bmini de commande",
        "commande commandes achat panier quantite minimum mini order orders spend moq start starts",
    ),
    _topic(
        "margin",
        "finance",
        "percent money",
        r"\b(?:marge|margin)s?\b",
        "marge marges margin margins brute gross nette net make",
    ),
    _topic(
        "guarantee",
        "returns",
        "duration",
        r"\b(?:garanti\w*|guarantee\w*|warrant\w*)\b",
        "garantie garanties garantis garantit guarantee guaranteed warranty carry carries offer offrons",
    ),
    _topic(
        "support.delay",
        "support",
        "duration",
        r"\b(?:repon\w+|reply|replies|respon\w+|answers?)\b.*\b(?:sous|en|in|within|dans|moins de|under)\b",
        "reponse reponses repond repondons service client support team reply replies respond responds answer"
        " answers get "
        "recoivent recoit equipe sav",
    ),
    _topic(
        "metric.average_basket",
        "finance",
        "money",
        r"\bpanier moyen\b|\baverage (?:basket|order value|order)\b|\baov\b",
        "panier moyen average basket order value aov tourne sits",
        {"tier": "standard"},
    ),
    _topic(
        "metric",
        "finance",
        "percent",
        r"\b(?:taux|rate)\b(?! de remise)",
        "taux rate tourne sits",
        {"tier": "standard"},
    ),
    _topic(
        "budget",
        "finance",
        "money",
        r"\bbudget|\bplafond\b|\bspend(?:ing)? cap\b|\bon ne depasse pas\b|\ballou\w+",
        "budget plafond cap spend maximum limit alloue alloues allouons depasse depense monthly mensuel mensuelle",
        {"tier": "standard"},
    ),
    _topic(
        "price",
        "catalogue",
        "money",
        r"\b(?:cout\w+|costs?|vaut|valent|(?:est|sont) a|priced? (?:at|is|of|for)|prix|sells? for|vendu\w*|vendons"
        r"|passe\w* (?:a|de)"
        r"|passer a|is now|are now|tarif|is \W?\d|are \W?\d)\b|\bis [£$€]",
        "coute coutent cost costs vaut prix price priced sells sell vend vendu vendue vendus vendons tarif piece unit",
        {"tier": "standard"},
    ),
    _topic(
        "team.size",
        "team",
        "count",
        r"\b(?:there are|we're|we are|on est|nous sommes|equipe de|team of)(?: now| maintenant| desormais)?(?: une"
        r" equipe de)? \S+(?: people| of us| personnes"
        r"| dans l'equipe| on the team| salaries| employees)|\bof us on the team",
        "people team equipe personne personnes salarie employee",
        {"about": "organisation", "tier": "standard"},
    ),
    _topic(
        "hours.closed",
        "hours",
        "day",
        r"\b(?:ferme\w*|closed|shut|n'ouvr\w+ pas|not open|jour de (?:fermeture|repos)|pas ouvert\w*|don't (?:open"
        r"|work)"
        r"|ne travaill\w+ pas|n'est pas ouvert\w*)\b(?!.*\d)(?!.*\b(?:avant|before)\b)" + REGULAR,
        HOURS_OWN,
        {"span": True},
    ),
    _topic(
        "hours.closing",
        "hours",
        "time",
        r"\b(?:ferme\w*|closes?|shuts?)\b(?!.*\b(?:ouvr\w+|ouvert\w*|opens?)\b)" + REGULAR,
        HOURS_OWN,
    ),
    _topic(
        "hours",
        "hours",
        "time day",
        r"\b(?:horaires?|hours|ouvert\w*|ouvr\w+|ouverture|open\w*)\b" + REGULAR,
        HOURS_OWN,
        {"span": True},
    ),
)
