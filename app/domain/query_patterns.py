"""Query patterns: which of an organisation's domains a message speaks of, by its word lists."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache

from app.domain.identifiers import uuid7
from app.domain.messages import Message
from app.domain.observations import Observation, ObservationType
from app.domain.wording import plain

WordLists = Mapping[str, tuple[str, ...]]
"""Words and phrases by the name of their domain."""
_WORD = re.compile(r"[^\W_]+")
_SHORTEST_PLURAL = 4


def domains_in(text: str, lists: WordLists) -> dict[str, list[str]]:
    """The domains of which the text holds a whole word or phrase, with these, in the order of the lists.

    Blind to case, accents and a plural's last letter.
    """
    said = _words(text)
    known = frozenset(said)

    def holds(phrase: str) -> bool:
        words = _phrase(phrase)
        return known.issuperset(words) and _follow(said, words)

    found = {domain: [phrase for phrase in phrases if holds(phrase)] for domain, phrases in lists.items()}
    return {domain: phrases for domain, phrases in found.items() if phrases}


def query_patterns(asked: Message, lists: WordLists, now: datetime) -> list[Observation]:
    """One observation for each domain that a user's message speaks of; their session is the conversation.

    They tell by which words of the lists, and name the message, with which they go; they do not repeat it.
    """
    return [
        Observation(
            id=uuid7(),
            type=ObservationType.QUERY_PATTERN,
            user_id=asked.user_id,
            agent_id=asked.agent_id,
            session=asked.conversation_id,
            occurred_at=asked.sent_at,
            recorded_at=now,
            store_id=asked.store_id,
            metadata={"domain": domain, "query": ", ".join(phrases)},
            message=asked.ref,
        )
        for domain, phrases in domains_in(asked.content, lists).items()
    ]


@lru_cache(maxsize=4096)
def _phrase(text: str) -> tuple[str, ...]:
    return tuple(_words(text))


def _follow(said: list[str], phrase: tuple[str, ...]) -> bool:
    """Whether the words, each of which was said, were said one after the other."""
    if len(phrase) < 2:
        return bool(phrase)
    return any(
        tuple(said[start : start + len(phrase)]) == phrase for start, word in enumerate(said) if word == phrase[0]
    )


def _words(text: str) -> list[str]:
    return [_singular(word.replace("œ", "oe")) for word in _WORD.findall(plain(text))]


def _singular(word: str) -> str:
    return word[:-1] if len(word) >= _SHORTEST_PLURAL and word[-1] in "sx" else word


def _lists(lists: Mapping[str, Iterable[str]]) -> WordLists:
    return {domain: tuple(words) for domain, words in lists.items()}


DEFAULT_DOMAINS: WordLists = _lists(
    {
        "shipping": (
            *("livraison", "livrer", "livré", "expédition", "expédier", "expédié", "colis", "transporteur", "suivi"),
            *("point relais", "frais de port", "douane", "colissimo", "chronopost", "mondial relay"),
            *("shipping", "ship", "shipped", "delivery", "deliver", "delivered", "parcel", "carrier", "tracking"),
            *("postage", "courier", "customs"),
        ),
        "returns": (
            *("retour", "retourner", "remboursement", "rembourser", "remboursé", "échange", "échanger", "rétractation"),
            *("avoir client", "sav", "garantie", "réclamation"),
            *("return", "returned", "refund", "refunded", "exchange", "warranty", "chargeback", "complaint", "rma"),
        ),
        "orders": (
            *("commande", "commander", "panier", "achat", "annulation", "devis"),
            *("order", "cart", "basket", "checkout", "purchase", "cancellation", "quote"),
        ),
        "catalogue": (
            *(
                "produit",
                "catalogue",
                "fiche produit",
                "collection",
                "gamme",
                "référence",
                "taille",
                "coloris",
                "marque",
            ),
            *("product", "catalog", "range", "sku", "variant", "size", "colour", "color", "brand", "listing"),
        ),
        "stock": (
            *("stock", "rupture", "réassort", "réapprovisionnement", "inventaire", "entrepôt", "disponibilité"),
            *("inventory", "out of stock", "restock", "warehouse", "backorder", "availability"),
        ),
        "pricing": (
            *("prix", "tarif", "remise", "promotion", "promo", "code promo", "solde", "réduction", "marge"),
            *("price", "pricing", "discount", "coupon", "sale price", "voucher", "markdown", "margin"),
        ),
        "marketing": (
            *("marketing", "campagne", "publicité", "newsletter", "réseaux sociaux", "instagram", "facebook", "tiktok"),
            *("référencement", "seo", "e-mailing", "fidélité", "influenceur", "audience"),
            *("campaign", "advertising", "ads", "social media", "mailing", "loyalty", "influencer", "branding"),
        ),
        "accounting": (
            *("comptabilité", "comptable", "facture", "facturation", "facturer", "tva", "trésorerie", "impôt", "bilan"),
            *("chiffre d'affaires", "charges", "écriture comptable", "urssaf"),
            *("accounting", "accountant", "invoice", "invoicing", "vat", "tax", "bookkeeping", "revenue", "cash flow"),
        ),
        "payments": (
            *("paiement", "payer", "payé", "virement", "carte bancaire", "prélèvement", "impayé", "acompte"),
            *("payment", "pay", "paid", "bank transfer", "credit card", "stripe", "paypal", "deposit", "payout"),
        ),
        "suppliers": (
            *("fournisseur", "grossiste", "approvisionnement", "fabricant", "bon de commande", "sous-traitant"),
            *("supplier", "wholesaler", "vendor", "procurement", "manufacturer", "purchase order", "sourcing"),
        ),
        "customers": (
            *("client", "cliente", "clientèle", "avis", "satisfaction", "service client", "crm"),
            *("customer", "review", "feedback", "customer service", "helpdesk", "nps"),
        ),
        "team": (
            *("équipe", "salarié", "employé", "planning", "congé", "recrutement", "embauche", "paie"),
            *("team", "employee", "staff", "schedule", "hiring", "recruitment", "payroll", "shift"),
        ),
    }
)
"""What shops speak of, in French and English, for an organisation that has no lists of its own."""
