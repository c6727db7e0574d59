"""The words of French and English that `app.domain.terms` treats on their own: small ones, and irregular forms.

Small words stand in every text and find nothing. Negations are no small words: they turn a text round. Nor is "été",
which is summer as well as been.
"""

from typing import Final

from app.domain.wording import words

FRENCH_SMALL: Final = frozenset(
    words(
        """
        a à ai aie ait alors as au aura aurai aurait auront aussi autre autres aux avaient avais avait avant
        avec avez aviez avions avoir avons ayant bah bon c ça car ce ceci cela celle celles celui ces cet cette
        ceux chaque chez ci comme comment d dans de depuis des dès donc dont du elle elles en encore es est et
        étaient étais était étant être eu euh eux eûtes fait fais font fut hein ici il ils j je l la là le les
        leur leurs lui m ma mais me même mêmes mes moi mon n nos notre nous on ont où ou oui par parce pendant
        peu pour pourquoi puis puisque qu quand que quel quelle quelles quels qui quoi s sa se sera serai serait
        seront ses si soit son sommes sont sous suis sur t ta te tes toi ton tous tout toute toutes très tu un
        une va vais vers voici voilà vont vos votre vous vu y
        """
    )
)
ENGLISH_SMALL: Final = frozenset(
    words(
        """
        a about after again all also am an and any are as at be because been before being both but by can could
        d did do does doing done down during each few for from further get gets getting got had has have having
        he her here hers herself him himself his how i if in into is it its itself just let ll m may me might
        more most my myself of oh on once only or other our ours ourselves out over own re really s same shall
        she should so some such t than that the their theirs them themselves then there these they this those
        through to too under until up us ve very was we well were what when where which while who whom whose why
        will with would yeah yes you your yours yourself
        """
    )
)
SHARED: Final = frozenset(
    words(
        """
        a as c comment d de des do en es et font ici in is it l la le les m main mais me mon n non on or ou
        par plus pour pu s sa sans se si son sort sur t te tes ton tout tu us
        """
    )
)
"""Words that tell nothing of the language: they are words of both, or stand as names and abbreviations in the other."""

FRENCH_TELLS: Final = (FRENCH_SMALL - ENGLISH_SMALL - SHARED) | frozenset(
    words("bonjour merci de des et la le les ne non par pas plus pour sans sur tu")
)
ENGLISH_TELLS: Final = (ENGLISH_SMALL - FRENCH_SMALL - SHARED) | frozenset(
    words("do hello is it no not thanks without")
)

ELISIONS: Final = frozenset(words("c d j jusqu l lorsqu m n puisqu qu quoiqu s t"))
"""What stands before an apostrophe in French."""

ENGLISH_TAILS: Final = frozenset(words("d ll m re s ve"))
"""What stands behind one in English and says nothing."""

_FRENCH_FORMS = {
    "aller": "allais allait allez allons iront ira irai irait",
    "devoir": "dois doit doivent devait devra devrait devez devons dû",
    "dire": "dis dit disent disait disons dites",
    "faire": "faisait faisons faites fera ferai ferait feront fasse",
    "mettre": "mets met mettent mis mise mises",
    "oeil": "yeux œil",
    "pouvoir": "peut peux peuvent pouvait pouvez pouvons pourra pourrait pourrez pourront pu",
    "prendre": "prends prend prennent prenait prenons prenez pris prise",
    "recevoir": "reçois reçoit reçoivent reçu reçue reçus reçues",
    "savoir": "sais sait savent savait savez savons su",
    "tenir": "tiens tient tiennent tenu tenue",
    "vendre": "vends vend vendent vendu vendue vendus vendues vendons vendez",
    "venir": "viens vient viennent venait venu venue venus venez",
    "voir": "vois voit voient voyait voyez voyons verra",
    "vouloir": "veut veux veulent voulait voulez voulons voudrait voudrais voulu",
}
_ENGLISH_FORMS = {
    "become": "became",
    "begin": "began begun",
    "break": "broke broken",
    "bring": "brought",
    "build": "built",
    "buy": "bought",
    "catch": "caught",
    "child": "children kid kids",
    "choose": "chose chosen",
    "come": "came",
    "drive": "drove driven",
    "eat": "ate eaten",
    "fall": "fell fallen",
    "feel": "felt",
    "find": "found",
    "foot": "feet",
    "give": "gave given",
    "go": "goes going gone went",
    "grow": "grew grown",
    "hold": "held",
    "keep": "kept",
    "know": "knew known",
    "leave": "left",
    "lose": "lost",
    "make": "made",
    "man": "men",
    "meet": "met",
    "mother": "mom mum",
    "father": "dad",
    "pay": "paid",
    "person": "people",
    "run": "ran",
    "say": "said",
    "see": "saw seen",
    "sell": "sold",
    "send": "sent",
    "show": "shown",
    "sing": "sang sung",
    "sleep": "slept",
    "speak": "spoke spoken",
    "spend": "spent",
    "stand": "stood",
    "take": "took taken",
    "teach": "taught",
    "tell": "told",
    "think": "thought",
    "understand": "understood",
    "wear": "wore worn",
    "win": "won",
    "woman": "women",
    "write": "wrote written",
}


def _by_form(forms: dict[str, str]) -> dict[str, str]:
    return {form: word for word, written in forms.items() for form in written.split()}


FRENCH_IRREGULAR: Final = _by_form(_FRENCH_FORMS)
ENGLISH_IRREGULAR: Final = _by_form(_ENGLISH_FORMS)
"""A form that no stemmer brings home, and the word that it is a form of."""
