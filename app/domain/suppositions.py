"""What is supposed, wondered about or heard from others: words that take a statement back before it is made."""

from typing import Final

from app.domain.word_patterns import any_of

FRENCH_SUPPOSED: Final = any_of(
    r"""
    et si|supposons|suppose(?:z)? que|imaginons|imagine(?:z)?|admettons|mettons que|disons qu'|en theorie
    hypothese|si jamais|si un jour|si par hasard
    si (?:on|nous|je|j'|tu|vous|ils|elles|il|elle|l[ea] \w+|les \w+|notre \w+|jamais) ?(?:ne |n'|y )?\w+(?:ait\
    |ais|ions|aient)
    si (?:on|nous|je) (?:passe|passons|augmente|ouvre|baisse|lance|arrete|change|embauche|propose|monte|ajoute\
    |ferme)
    (?!retrait|portrait|extrait|attrait|distrait|frais|vrais|parait|disparait|apparait)\w{2,}(?:rais|rait|rions\
    |riez|raient)
    peut-etre|p't'etre|eventuellement|on verra|a voir|au cas ou|j'hesite|on hesite
    on (?:pense|reflechit|songe) (?:a|sur)|on (?:envisage|se demande|se tate)
    je (?:pense a|songe|reflechis|me demande|me tate|reve)|j'envisage|aucune idee
    pas (?:sure?|certain\w*) (?:que|de|d')|je doute|ce n'est pas comme si|c'est pas comme si|comme si (?:on|nous)
    (?:il est|il serait|c'est) faux (?:que|qu'|de dire)|(?:il n'est|ce n'est|c'est) pas vrai (?:que|qu')
    personne ne (?:dit|pretend)|je ne dis pas|je dis pas|non pas que|pourvu que|j'espere|il faudrait|faudrait
    """
)
FRENCH_REPORTED: Final = any_of(
    r"""
    (?:une?|des|les|certaine?s?|l[ea]|cette|ce|ma|mon|nos|notre|une? autre) (?:clients?|clientes?|acheteurs?\
    |acheteuses?|gens|internautes?|personnes?|mec|dame|monsieur|type)(?: nous| me)?(?: m'| nous l'| l'| s'\
    |\s)(?:a |ont |est )?(?:dit|disent|affirme\w*|pretend\w*|pensent?|croi\w+|rale\w*|se plain\w*|plain\w*\
    |ecrit|raconte\w*|demande\w*|reclame\w*|jure\w*|veut savoir|insiste\w*)
    (?:ma|mon) [\w-]+ (?:dit|disent|pense|croit|trouve|pretend) qu[e']|tout le monde (?:dit|pense|croit) qu[e']
    (?:selon|d'apres) (?:une?|des|certaine?s|(?:ma|mon) (?:comptable|banqui\w+|voisine?|soeur|frere|mere|pere\
    |cousine?|amie?|copain|copine|cliente?|collegue|mari|femme|associee?))
    quelqu'un (?:m'a|nous a) dit|il parait|parait[- ](?:il|que)|apparemment|on m'a dit|on (?:raconte|dit) que
    j'ai (?:entendu|lu)|soi-disant|la rumeur
    """
)
ENGLISH_SUPPOSED: Final = any_of(
    r"""
    suppos(?:e|ing)|imagine|let's (?:say|imagine|pretend)|what if|say we|assum(?:e|ing)|hypothetically|in theory
    if (?:we|i|you|they|he|she|it|the \w+|our \w+)(?: ever| only)? (?:\w+ed|were|was|had|went|did|made|bought\
    |sold|got|came)
    if (?:we|i) (?:open|raise|switch|move|hire|launch|lower|drop|increase|cut|start|offer|go|add|stop|close\
    |change)
    would it|would we|should we|could we|we could|we might|we should|i might|i could|i should|we may|maybe|perhaps
    possibly|we'd (?:need|have|be|get|lose|love)|would be|would have|would (?:need|take|make|cost|mean|give|bring)
    wonder(?:ing)?|thinking (?:of|about)|consider(?:ing)?|toying|debating|not sure|unsure|no idea|i doubt|pretend
    dream|it's not (?:as if|like)|i'm not saying|not that we|i (?:wish|hope)|hopefully|as if (?:we|i|our)
    brainstorm|it(?:'s| is) (?:false|untrue|wrong|not true|not the case) that|nobody (?:says?|said|claims?)
    that(?:'s| is) (?:false|untrue|wrong|not true)
    """
)
ENGLISH_REPORTED: Final = any_of(
    r"""
    (?:(?:a|one|some|the|this|that|my|our|one of our|another) )?(?:customers?|clients?|buyers?|people|someone\
    |somebody|they|reviewers?|guests?|shoppers?|guy|lady|woman|man) (?:just )?(?:says?|said|claims?|claimed\
    |told|tells|thinks?|thought|complain\w*|wrote|writes|insists?|insisted|asks?|asked|wants? to know|emailed\
    |messaged|keeps? (?:saying|asking)|reckons?|swears)
    (?:everyone|everybody) (?:says?|thinks?|claims?)|my [\w-]+ (?:says?|thinks?|claims?|reckons?)
    apparently|rumou?r|i (?:heard|read|was told)|i've (?:heard|been told)|according to (?:a|one|some|my)
    """
)


def is_supposed(text: str) -> bool:
    """Whether the clause (plain text) supposes, wonders or plays with an idea, in either language: people mix them."""
    return FRENCH_SUPPOSED.search(text) is not None or ENGLISH_SUPPOSED.search(text) is not None


def is_reported(text: str) -> bool:
    """Whether the clause (plain text) tells what a customer or nobody in particular says."""
    return FRENCH_REPORTED.search(text) is not None or ENGLISH_REPORTED.search(text) is not None
