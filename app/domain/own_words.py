"""The speaker's own words: a message without what it pastes, quotes, invents or orders."""

import re
from itertools import islice

from app.domain.pasted import sift_pasted
from app.domain.sieve import Sieve
from app.domain.word_patterns import any_of, either
from app.domain.wording import plain

MOST_READ = 20_000
"""Characters of a message; what stands behind them is pasted matter."""
ORDER, NOT_MEANT, HANDED_OVER, QUOTED, TOO_LONG = "order", "not_meant", "handed_over", "quoted", "too_long"
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
_TAG = re.compile(r"</?(?:system|memory|instructions?|user|assistant)>|(?:^|\n)[ \t]*(?:system|assistant) ?:")
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


def own_words(message: str) -> Sieve:
    """The message as far as it may state something, with blanks for the rest and the reason for each; offsets stay.

    Blank is all of it where it jokes or orders the memory about; what is fiction; what is handed over to be worked on
    ("translate this: …") with all that follows; what is pasted or quoted, our own memory first of all.
    """
    sieve = Sieve(message)
    sieve.take([(MOST_READ, len(message))], TOO_LONG)
    sift_pasted(sieve)
    flat = plain(sieve.text)
    if _INJECTION.search(flat) or _TAG.search(flat):
        sieve.take([(0, len(message))], ORDER)
    elif _JOKE.search(flat):
        sieve.take([(0, len(message))], NOT_MEANT)
    if (fiction := _FICTION.search(flat)) is not None:
        start = max(flat.rfind(mark, 0, fiction.start()) for mark in (". ", "! ", "? ", "\n")) + 1
        sieve.take([(start, len(message))], NOT_MEANT)
    materials = (found.end() for found in _MATERIAL.finditer(flat) if _PASTED_KIND.search(found[0]))
    sieve.take([(start, len(message)) for start in islice(materials, 1)], HANDED_OVER)
    sieve.take([match.span() for match in _QUOTE.finditer(sieve.text) if _is_of_others(sieve.text, match)], QUOTED)
    return sieve


def _is_of_others(text: str, quote: re.Match[str]) -> bool:
    """Longer quotations are somebody else's words; short ones, and slogans and names, are part of a statement."""
    names = _NAMING.search(plain(text[max(0, quote.start() - 30) : quote.start()]))
    few = len(quote[0].strip("«»“”\"' \u00a0").split()) <= (8 if names else 3)
    return not few or text[: quote.start()].rstrip().endswith(":")
