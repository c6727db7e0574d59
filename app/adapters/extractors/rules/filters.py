"""What is no statement of the speaker's: questions, suppositions, jokes, quotations, orders to the memory, fiction."""

import re

from app.adapters.extractors.rules import grammar
from app.adapters.extractors.rules.sentences import blank_all
from app.domain.wording import plain

_INJECTION = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|all|your|the|any) ?(?:rules?|instructions?|prompts?|guidelines|memory|system|constraints)"
    r"|\b(?:oublie|ignore|contourne|efface)[zr]?\b.{0,30}\b(?:regles?|instructions?|consignes|memoire|directives|prompt)\b|\bsystem prompt\b|\byou are now\b|\btu es (?:maintenant|desormais) (?:un|une|le|la|mon)\b|\bdeveloper mode\b|\bmode (?:developpeur|admin)\b|\bjailbreak"
    r"|\b(?:memoris|enregistr|ajout|inscri|grav|stock|ecri)\w*\b.{0,40}\b(?:dans|a) (?:tes|ta|ton|la|vos|votre) (?:regles?|memoire|instructions?|base|systeme|prompt)\b|\b(?:add|save|store|write|put|commit|log)\b.{0,40}\b(?:to|in|into) (?:your|the) (?:rules?|memory|instructions|system|database|prompt|knowledge)\b"
    r"|\bas (?:an? )?(?:admin|administrator|system|developer)\b.{0,20}\b(?:i|you)\b|\b(?:admin|system) override\b|\bact as\b|\bpretend (?:to be|you)\b|</?(?:system|memory|instructions?|user|assistant)>|\bnew (?:system )?instructions?\b|\bnouvelles? (?:instructions?|consignes?) (?:systeme|:)"
)
_JOKE = re.compile(
    "[\U0001f644\U0001f643\U0001f92a\U0001f921]|"
    r"\b(?:just kidding|kidding|jk|joking|i jest|as if!|yeah,? right|oh sure|sure,? and (?:let's|why)|while we're at it|why not (?:also|throw)|in your dreams|when pigs|je (?:rigole|plaisante|blague|deconne)|c'est une blague|c'est de l'(?:humour|ironie)|bah voyons|ben voyons|bien sur,? et|tant qu'(?:on y est|a faire)|et puis quoi encore|c'est ca,? oui|mais oui,? bien sur|super idee,? et|great idea,? (?:and|let's)|(?:^|\s)/s\b|not!$|lol no|(?:ah|oh) (?:super|genial|great|brilliant),? (?:et|and|let's)|what's next|la prochaine fois on)\b"
)
_FICTION = re.compile(
    r"\b(?:imaginary|fictional|fictitious|made-?up|invented|hypothetical|pretend|imaginaire|fictive?s?|invente(?:e|s|es)?|bidon|factice|dummy|placeholder|lorem|sample (?:shop|store|text|faq|company)|roleplay|role-play|jeu de role|imagine (?:a|an|that|we|you|i|if)|imagine[zr]? (?:un|une|que|qu'|des)|imaginons|supposons|let's (?:imagine|pretend|say|suppose)|say for example|admettons|mettons que|disons qu(?:e|'on)|pour de faux|for (?:a|my) (?:novel|story|school|homework)|once upon|il etait une fois|un exemple de (?:boutique|texte|faq)|example (?:shop|store|text))\b"
)
_MATERIAL = re.compile(
    r"\b(?:translate|proofread|summari[sz]e|rewrite|rephrase|fix|correct|shorten|improve|polish|check|review|here(?:'s| is| are)|below (?:is|are)|see below|this is what|traduis\w*|traduire|corrige\w*|relis\w*|relire|relisez|resume\w*|reformule\w*|reecris\w*|reecrivez|ameliore\w*|raccourcis\w*|voici|voila|ci-dessous|verifie\w*)\b[^.!?\n:]{0,80}(?::\s*\n|:\s*[\"'«“]|:\s+(?=\S)|\n)"
)
_PASTED_KIND = re.compile(
    r"\b(?:e-?mails?|mails?|message|review|avis|text|texte|paragraph\w*|post|description|article|page|faq|comment\w*|reponse|reply|letter|lettre|newsletter|transcript|this|ca|ceci|celui-ci|draft|brouillon|passage|phrase|sentence|copy)\b"
)
_GREETING = re.compile(
    r"[\W_]*(?:(?:merci|thanks?|thank you|thx|cheers|parfait|perfect|super|great|good|nice|cool|genial|top|ok|okay|d'accord|entendu|noted|bien recu|bonne?|happy|have a|bonjour|bonsoir|salut|coucou|hello|hey|hi|hiya|morning|a plus|a bientot|see you|bye|ciao|bisous?|sounds good|will do|you too|pareil|de rien|no (?:problem|worries|need|rush|thanks?)|non merci|pas de (?:souci|probleme)|ca (?:ira|marche|roule|va)|c'est (?:parfait|bon|top|super|gentil|note)|all good|got it|understood|compris|joyeux|joyeuses|happy|welcome|congrat\w*|bravo|felicitations|lol|mdr|haha\w*|ha|wow|oh|same|idem|courage)\b[^.!?\n]*)[\W_]*"
)
_NOT_GREETING = re.compile(
    r"\d|\b(?:we|our|on|nous|notre|nos|je|j'|i|my|mon|ma|always|never|toujours|jamais|only|from now on)\b"
)


def stated(text: str) -> str:
    """The part of a message that may state something: blank where it jokes, invents, orders the memory about or quotes.

    Offsets stay. Material handed over to be worked on ("translate this: …") goes with all that follows it.
    """
    flat = plain(text)
    if _INJECTION.search(flat) or _JOKE.search(flat):
        return blank_all(text)
    fiction = _FICTION.search(flat)
    if fiction is not None:
        start = max(flat.rfind(mark, 0, fiction.start()) for mark in (". ", "! ", "? ", "\n")) + 1
        text = text[:start] + blank_all(text[start:])
    for material in _MATERIAL.finditer(flat):
        if _PASTED_KIND.search(material[0]):
            text = text[: material.end()] + blank_all(text[material.end() :])
            break
    return _without_quotes(text)


_QUOTE = re.compile(r"«[^»]{1,600}»|“[^”]{1,600}”|\"[^\"\n]{1,600}\"|(?<![\w])'[^'\n]{20,600}'(?!\w)")


def _without_quotes(text: str) -> str:
    """Quotations of four words and more are somebody else's; shorter ones name a thing ("never say 'cheap'")."""

    def blank(match: re.Match[str]) -> str:
        return blank_all(match[0]) if len(match[0].split()) > 3 + 2 * (match[0][0] == "«") else match[0]

    return _QUOTE.sub(blank, text)


_QUESTION_START = re.compile(
    r"(?:(?:what|how|why|when|where)(?:'s|'re)? ?(?:is|are|was|were|do|does|did|can|could|should|will|would|about|if|to|many|much|long|often|kind|time|else|come|come|on|the)\b|why|what's|how's|where's|which|who|whose|can (?:you|we|i)|could|would you|will (?:you|we)|do (?:you|we|i|they)|does|did|is (?:it|there|that|this|the|our|my)|are (?:we|you|there|they|the|our)|should|shall|may i|any idea|wondering|i wonder|tell me|est-ce|qu'est-ce|quest-ce|quel(?:le)?s?\b|combien|comment|pourquoi|ou (?:est|sont|en|on|puis)|qui (?:est|s'occupe|fait|peut)|tu (?:peux|pourrais|sais|as|crois|penses|me)|vous (?:pouvez|pourriez|savez|avez)|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|sais-tu|peut-on|a-t-on|as-tu|avez-vous|dois-je|faut-il|y a-t-il|c'est quoi|dis-moi|je voudrais savoir|j'aimerais savoir|je me demande)\b"
)


def is_question(text: str, language: str) -> bool:
    """Whether the sentence (plain text) asks: by its mark, or by its first words where people leave the mark out."""
    body = text[grammar.without_lead(text, language) :]
    return text.rstrip(" \"')").endswith("?") or "? " in text[-4:] or _QUESTION_START.match(body) is not None


def is_greeting(text: str) -> bool:
    """Whether the sentence only greets, thanks or agrees."""
    return _GREETING.fullmatch(text) is not None and _NOT_GREETING.search(text) is None


def is_supposed(text: str) -> bool:
    """Whether the clause (plain text, either language) supposes, wonders or plays with an idea."""
    return any(grammar.found(text, language, "HYPOTHESIS") for language in ("fr", "en"))


def is_reported(text: str) -> bool:
    """Whether the clause tells what a customer or nobody in particular says."""
    return any(grammar.found(text, language, "REPORTED") for language in ("fr", "en"))
