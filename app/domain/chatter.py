"""What people say without stating anything: greetings, thanks, questions, and work they want done now."""

import re

from app.domain.word_patterns import any_of, either

_GREETING = re.compile(
    r"[\W_]*"
    + either(
        r"""
        merci|thanks?|thank you|thx|cheers|parfait|perfect|super|great|good|nice|cool|genial|top|ok|okay|d'accord
        entendu|noted|bien recu|bonne?|happy|have a|bonjour|bonsoir|salut|slt|coucou|hello|hey|hi|hiya|morning|a plus
        a bientot|see you|bye|ciao|bisous?|sounds good|will do|you too|pareil|de rien
        no (?:problem|worries|need|rush|thanks?)|welcome|non merci|pas de (?:souci|probleme)
        ca (?:ira|marche|roule|va)|c'est (?:parfait|bon|top|super|gentil|note)|all good|got it|understood|compris
        joyeu(?:x|se)s?|congrat\w*|bravo|felicitations|lol|mdr|haha\w*|ha|wow|oh|same|idem|courage
        """
    )
    + r"\b[^.!?\n]*[\W_]*"
)
_MORE_THAN_GREETING = any_of(
    r"\S*\d\S*|we|our|on|nous|notre|nos|je|j'|i|my|mon|ma|always|never|toujours|jamais|only|no \w+ in"
)


_APPLAUSE = re.compile(r"(?:[^\W\d]+[\W_]+){0,2}(?:j'adore|i (?:love|like) (?:it|that|this)|love (?:it|this))[\W_]*")


def is_greeting(text: str) -> bool:
    """Whether the sentence only greets, thanks, applauds or agrees."""
    if _APPLAUSE.fullmatch(text):
        return True
    return _GREETING.fullmatch(text) is not None and _MORE_THAN_GREETING.search(text) is None


_ASKS = re.compile(
    either(
        r"""
        (?:what|how|why|when|where)(?:'s|'re)? ?(?:is|are|was|were|do|does|did|can|could|should|will|would|about|if)\b
        (?:what|how|when|where) (?:to|many|much|long|often|kind|time|else|come|day)\b|why\b|what's\b|how's\b|where's\b
        which\b|who\b|whose\b|can (?:you|we|i)\b|could (?:you|we|i)\b|would you\b|will (?:you|we)\b
        do (?:you|we|i|they)\b|does\b|did\b|is (?:it|there|that|this|the|our|my)\b|are (?:we|you|there|they|the|our)\b
        should\b|shall\b|may i\b|any idea|wondering|i wonder|tell me|remind me|est-ce|qu'est-ce|quest-ce
        quel(?:le)?s?\b|combien|comment|pourquoi|ou (?:est|sont|en|on|puis)\b|qui (?:est|s'occupe|fait|peut)\b
        vous (?:pouvez|pourriez|savez|avez|livrez|faites)\b|tu (?:peux|pourrais|sais|as|crois|penses|me)\b|peux-tu
        pouvez-vous|pourrais-tu|pourriez-vous|sais-tu|peut-on|a-t-on|as-tu|avez-vous|dois-je|faut-il|y a-t-il
        c'est quoi|dis-moi|rappelle-moi|redis-moi|je voudrais savoir|je me demande|j'aimerais savoir|have we
        has (?:the|our|my)|had we
        """
    )
)


def asks(body: str) -> bool:
    """Whether plain text, behind a greeting, begins as a question does, with or without its mark."""
    return _ASKS.match(body) is not None


_WORK = either(
    r"""
    write|rewrite|draft|translate|summari[sz]e|generate|shorten|proofread|rephrase|brainstorm|remind me|tell me
    show me
    send(?: me)?|give me|make (?:me|it|a|an|the)|create (?:me |a |an )|list (?:me |the |our |all |every )|help me
    find me|fix (?:this|the|my)|check (?:this|the|my|whether|if)|put (?:that|this|it) (?:in|into)
    add (?:a|an|the|this|that)|remove (?:the|this|that|it)|change (?:the|this|that) \w+ (?:to|into)
    turn (?:this|it|that) into|calculate|compute
    prepare (?:a|an|the|me)|do (?:me )?(?:a|an|the)|let's (?:brainstorm|try|write|do|go with)|schedule (?:a|the|this)
    i need you to|i want you to|i'd like you to|i would like you to|could you|can you|would you|will you|please \w+
    i need (?:a|an|some|the|\w+ ideas)\b.{0,60}\b(?:by|for|before|today|tomorrow|asap)
    (?:re)?ecris|ecrivez|redige[zr]?|traduis(?:ez)?|resume[zr]?|genere[zr]?|raccourcis(?:sez)?|reformule[zr]?
    corrige[zr]?|relis(?:ez)?|rappelle-moi|rappelez-moi|dis-moi|dites-moi|montre(?:z)?(?:-moi)?|envoie(?:-moi)?
    envoyez(?:-moi)?|donne(?:z)?-moi|fais(?:-moi| la| le| un| une| moi)|faites(?:-moi| un| une)
    cree[zr]?(?:-moi| un| une)|liste[zr]?(?:-moi| les| tous| nos)|aide[zr]?-moi|trouve[zr]?-moi
    mets (?:ca|ce|cette|le|la)|ajoute[zr]? (?:une?|le|la)|enleve[zr]? (?:le|la|ce|cette)
    prepare[zr]?(?:-moi| un| une| le| la)
    propose[zr]?(?:-moi| des| un| une)|calcule[zr]?|verifie[zr]? (?:si|que|le|la)|refais|reprends (?:le|la|ce)
    j'(?:aimerais|ai besoin) que tu
    je (?:veux|voudrais) que tu|il me faut|il me faudrait|merci de (?:me |m')
    peux-tu|pouvez-vous|tu peux|vous pouvez|pourrais-tu|pourriez-vous
    """
)
_REQUEST = re.compile(rf"(?:please |stp,? |svp,? |vite,? |quick,? )?{_WORK}(?!\w)")
_LASTS = any_of(
    r"""
    always|never|from now on|going forward|every time|each time|whenever|by default|when (?:you|we|i)|for all
    in general
    toujours|jamais|desormais|dorenavant|a partir de maintenant|a chaque fois|chaque fois|systematiquement|par defaut
    quand (?:tu|on|nous|je)|chaque|every|tous les (?:lundis|mardis|mercredis|jeudis|vendredis|jours|mois)|a l'avenir
    """
)


def is_request(body: str) -> bool:
    """Whether plain text, behind a greeting, orders a piece of work to be done now, and no habit for later."""
    return _REQUEST.match(body) is not None and _LASTS.search(body) is None
