"""Words as French and English people mean them, however they type them: folding, light stems, topic words."""

import re
import unicodedata


class _PlainTable(dict[int, str]):
    """A lazy `str.translate` table from one character to the one plain character that stands for it."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        base = [c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c)]
        lowered = base[0].lower() if len(base) == 1 else char
        self[code] = lowered if len(lowered) == 1 else char
        return self[code]


_PLAIN = _PlainTable()
for _chars, _plain in (("\u2018\u2019\u02bc\u00b4`", "'"), ("\u201c\u201d\u00ab\u00bb\u201e", '"')):
    _PLAIN.update({ord(char): _plain for char in _chars})
_PLAIN.update(dict.fromkeys([*range(8208, 8214), 8722], "-"))
_PLAIN.update({ord(char): " " for char in "\t\u00a0\u2007\u2009\u202f"})


def plain(text: str) -> str:
    """Lower case, no accents, plain quotes, dashes and blanks. As long as `text`: offsets in one hold in the other."""
    return text.translate(_PLAIN)


def words(block: str) -> list[str]:
    """The words of a block of text."""
    return block.split()


_FRENCH_SMALL = words(
    """
    a ah ai alors apres as au aura aussi aux avec avez avons bah bien bon bref c ca ce ceci cela celle celui ces cet
    cette chez ci comme contre d dans de deja depuis des desormais deux dit donc dont dorenavant du elle elles en
    encore enfin entre es est et etait etaient etc etes etre eu euh fait finalement font hein ici il ils j je l la le
    les leur leurs lui ma maintenant mais me mes moi moins mon n ne ni nos notre nous on ont ou par pas pendant plus
    pour pr puis qu quand que quel quelle qui s sa sans se ses si soit sommes son sont sous suis sur t ta te tes toi
    ton toujours tous tout toute toutes tres tu un une va vais vers voila vos votre vous y jamais sera seront serait
    ete avait avoir faire peut peuvent doit doivent rien que seulement uniquement environ autour vraiment
    """
)
_ENGLISH_SMALL = words(
    """
    about actually after again all also always am an and any anymore are as at be been before being both but by can
    cannot could did do does doing don done down for from had has have having he her here hers him his how however i
    if in into is isn it its itself just ll m may me might more most must my no nor not now of off ok okay on once
    only or other our ours out over own per please re really s same shall she should so some such t than that the
    their theirs them then there these they this those through to too u under until up us ve very was we well were
    what when where which while who whom why will with within without would yes you your yours never every each get
    gets got go goes let lets around roughly currently
    """
)
_STOP = frozenset(_FRENCH_SMALL + _ENGLISH_SMALL)
_SUFFIXES = ("ements", "ement", "ments", "ment", "ations", "ation", "ings", "ing", "ies", "es", "s", "ed", "e")
_WORD = re.compile(r"[^\W_]+")


def stem(word: str) -> str:
    """The word of `plain` without its plural or a common ending; at least three letters stay."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def topic_words(text: str) -> list[str]:
    """The words that carry meaning, folded and stemmed, in their order, each once; numbers and small words left out."""
    words = (word.replace("œ", "oe") for word in _WORD.findall(plain(text)))
    stems = (stem(word) for word in words if word not in _STOP and len(word) > 1 and not word[0].isdigit())
    return list(dict.fromkeys(stems))
