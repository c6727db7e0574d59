"""What somebody can only be telling of themself, in a shop that many speak for."""

from app.domain.word_patterns import any_of

_SELF = any_of(r"je|j'|moi|mon|ma|mes|m'|me|i|i'm|i've|i'd|my|myself")
_OURS = any_of(
    r"""
    on|nous|notre|nos|we|we're|our|ours|us|boutiques?|magasins?|shops?|stores?|marques?|brands?|clients?|clientes?
    customers?|produits?|products?|gammes?|range|catalogue|equipe|team|entreprise|company|societe|business
    """
)
_LIFE = any_of(
    r"""
    allerg\w+|intoleran\w+|vegetari\w+|vegane?|coeliaque|coeliac|celiac|diabeti\w+|daltonien\w*|colou?r-?blind|enceinte
    pregnant|malentendant\w*|dyslexi\w+|gauchere?|droitiere?|left-handed|right-handed|anniversaire|birthday
    j'habite|je vis|i live|j'ai \d+ ans|i(?:'m| am) \d+(?: years old)?|je m'appelle|my name is|mon prenom|my first name
    (?:ma|mon|mes|my) (?:fille|fils|femme|mari|enfants?|soeur|frere|mere|pere|daughter|son|wife|husband|kids?|children
    |sister|brother|mother|father|mum|mom|dad|chien|chat|dog|cat|numero|telephone|phone|pointure|shoe size)
    je (?:prefere|deteste|adore|n'aime pas)|j'(?:aime|adore)|i (?:prefer|hate|love|like|dislike|can't stand)
    (?:tutoie|vouvoie|appelle)[zr]?-moi|qu'on me (?:tutoie|vouvoie)|call me
    """.replace("\n    |", "|")
)


def speaks_of_self(text: str) -> bool:
    """Whether plain text tells of the speaker's own life, tastes or needs, and of nothing that several share."""
    told = text.replace("qu'on me ", "")
    return _LIFE.search(text) is not None and _SELF.search(text) is not None and _OURS.search(told) is None
