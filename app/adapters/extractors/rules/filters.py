"""What is no statement of the speaker's: questions, jokes, quotations, orders to the memory, fiction, greetings."""

import re

from app.adapters.extractors.rules import grammar
from app.adapters.extractors.rules.patterns import any_of, either
from app.adapters.extractors.rules.sentences import blank
from app.domain.wording import plain

_INJECTION = any_of(
    r"""
    (?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|all|your|the|any) ?(?:rules?\
    |instructions?)
    (?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:prompts?|guidelines|memory|system|constraints)
    (?:oublie|ignore|contourne|efface)[zr]?\b.{0,30}\b(?:regles?|instructions?|consignes|memoire|directives|prompt)
    system prompt|you are now|tu es (?:maintenant|desormais) (?:un|une|le|la|mon)|(?:developer|debug|admin|god) mode
    mode (?:developpeur|admin|debug)|jailbreak\w*|act as|pretend (?:to be|you)|admin override|system override
    (?:memoris|enregistr|ajout|inscri|grav|stock|ecri)\w*\b.{0,40}\b(?:dans|a) (?:tes|ta|ton|vos|votre) (?:regles?\
    |memoire|base)
    (?:memoris|enregistr|ajout|inscri|grav|stock|ecri)\w*\b.{0,40}\b(?:dans|a) (?:tes|ton|vos|votre) \
    (?:instructions?|prompt)
    (?:add|save|store|write|put|commit|log)\b.{0,40}\b(?:to|in|into) (?:your|the) (?:rules?|memory|instructions\
    |system)
    (?:add|save|store|write|put|commit|log)\b.{0,40}\b(?:to|in|into) (?:your|the) (?:database|prompt|knowledge)
    as (?:an? )?(?:admin|administrator|system|developer)\b.{0,20}\b(?:i|you)|new (?:system )?instructions?
    nouvelles? (?:instructions?|consignes?) (?:systeme|:)
    """
)
_TAG = re.compile(r"</?(?:system|memory|instructions?|user|assistant)>|(?:^|\n)\s*(?:system|assistant) ?:")
_JOKE = re.compile(
    "[\U0001f644\U0001f643\U0001f92a\U0001f921]|"
    + any_of(
        r"""
        just kidding|kidding|jk|joking|i jest|yeah,? right|oh sure|sure,? and (?:let's|why|tomorrow|while)
        in your dreams|while we're at it|why not (?:also|throw)|when pigs fly|as if!
        je (?:rigole|plaisante|blague|deconne)|et puis quoi encore
        c'est (?:une blague|de l'humour|de l'ironie|ca,? oui)|(?:bah|ben) voyons|bien sur,? et
        tant qu'(?:on y est|a faire)|mais oui,? bien sur|(?:super|great) (?:idee|idea),? (?:et|and|let's)|lol no
        what's next|(?:ah|oh) (?:super|genial|great|brilliant),? (?:et|and|let's)|la prochaine fois on
        """
    ).pattern
    + r"|(?:^|\s)/s(?:\s|$)"
)
_FICTION = any_of(
    r"""
    imaginary|fictional|fictitious|made-?up|invented|hypothetical|pretend|imaginaires?|fictifs?|fictives?|bidon
    factices?|inventee?s?|dummy|placeholder|lorem|sample (?:shop|store|text|faq|company)|role-?play|jeu de role
    imaginons|supposons|imagine (?:a|an|that|we|you|i|if)|imagine[zr]? (?:une?|que|qu'|des)
    let's (?:imagine|pretend|say|suppose)|admettons|say for example|mettons que|disons qu(?:e|'on)|pour de faux
    for (?:a|my) (?:novel|story|school|homework)|once upon|il etait une fois
    une? (?:exemple|histoire|conte|nouvelle) (?:de|d'|sur|avec) (?:une? )?\w+|example (?:shop|store|text)
    a (?:story|tale|poem|joke|scenario) (?:about|of)
    """
)
_WORK_ON = either(
    r"""
    translate|proofread|summari[sz]e|rewrite|rephrase|fix|correct|shorten|improve|polish|check|review
    here(?:'s| is| are)|below (?:is|are)|see below|this is what|traduis\w*|traduire|corrige\w*|relis\w*|relire|relisez
    resume\w*|reformule\w*|reecris\w*|reecrivez|ameliore\w*|raccourcis\w*|voici|voila|ci-dessous|verifie\w*
    """
)
_MATERIAL = re.compile(rf"\b{_WORK_ON}\b[^.!?\n:]{{0,80}}(?::\s*|\n)")
_PASTED_KIND = any_of(
    r"""
    e-?mails?|mails?|message|reviews?|avis|text|texte|paragraph\w*|post|description|article|page|faq|comment\w*
    reponse|reply|letter|lettre|newsletter|transcript|this|ca|ceci|celui-ci|draft|brouillon|passage|phrase|sentence
    copy
    """
)
_QUOTE = re.compile(r"«[^»]{1,600}»|“[^”]{1,600}”|\"[^\"\n]{1,600}\"|(?<![\w])'[^'\n]{20,600}'(?!\w)")
_NAMING = any_of(
    r"""
    slogan|motto|tagline|baseline|signature|sign|signs|signe|signons|signez|called|named|nomme|appelle|titre|title|nom
    name|mot|mots|word|words|expression|say|dire|dit|ecrire|write|phrase|hashtag|promise|promesse|greeting|formule
    """
)


def stated(text: str) -> str:
    """The part of a message that may state something: blank where it jokes, invents, orders the memory about or quotes.

    Offsets stay. Material handed over to be worked on ("translate this: …") goes with all that follows it.
    """
    flat = plain(text)
    if _INJECTION.search(flat) or _TAG.search(flat) or _JOKE.search(flat):
        return blank(text)
    fiction = _FICTION.search(flat)
    if fiction is not None:
        start = max(flat.rfind(mark, 0, fiction.start()) for mark in (". ", "! ", "? ", "\n")) + 1
        text = text[:start] + blank(text[start:])
    for material in _MATERIAL.finditer(flat):
        if _PASTED_KIND.search(material[0]):
            text = text[: material.end()] + blank(text[material.end() :])
            break
    return _without_quotes(text)


def _without_quotes(text: str) -> str:
    """Longer quotations are somebody else's words; short ones, and slogans and names, are part of a statement."""

    def kept(match: re.Match[str]) -> str:
        names = _NAMING.search(plain(text[max(0, match.start() - 30) : match.start()]))
        few = len(match[0].strip("«»“”\"' \u00a0").split()) <= (8 if names else 3)
        return match[0] if few and not text[: match.start()].rstrip().endswith(":") else blank(match[0])

    return _QUOTE.sub(kept, text)


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
_ASKED_PLAINLY = re.compile(
    r"\b(?:right|correct|c'est (?:bien )?ca|non|hein|pas vrai|isn't it|don't we|is she right)\W*$"
)


def is_question(text: str, language: str) -> bool:
    """Whether the sentence (plain text) asks: by its mark, or by its words where people leave the mark out."""
    body = text[grammar.without_lead(text, language) :]
    marked = re.search(r"\?[\s\"')\W]*$", text) is not None
    about_you = (
        re.match(r"(?:your|you|vous|tu|votre|vos)\b", body) is not None and _ASKED_PLAINLY.search(text) is not None
    )
    return marked or _ASKS.match(body) is not None or about_you
