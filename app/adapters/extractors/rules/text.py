"""A piece of a message in plain letters, spelled out, that still knows which of the user's characters it stands for."""

import re
from dataclasses import dataclass

from app.domain.wording import plain

# How people type on a phone. Short ones that are words elsewhere stand under one language only.
_FRENCH_SHORT = dict(
    pair.split("=")
    for pair in [
        "jsuis=je suis",
        "chuis=je suis",
        "chui=je suis",
        "jai=j'ai",
        "jveux=je veux",
        "jprefere=je prefere",
        "jpref=je prefere",
        "jaime=j'aime",
        "jfais=je fais",
        "jdeteste=je deteste",
        "jvends=je vends",
        "c=c'est",
        "cest=c'est",
        "ct=c'etait",
        "cetait=c'etait",
        "avc=avec",
        "ke=que",
        "ki=qui",
        "ds=dans",
        "pr=pour",
        "tt=tout",
        "ts=tous",
        "tte=toute",
        "ttes=toutes",
        "tjs=toujours",
        "tjrs=toujours",
        "tjr=toujours",
        "bcp=beaucoup",
        "vs=vous",
        "ns=nous",
        "pcq=parce que",
        "qd=quand",
        "mtn=maintenant",
        "mnt=maintenant",
        "ajd=aujourd'hui",
        "auj=aujourd'hui",
        "jms=jamais",
        "ya=il y a",
        "qqn=quelqu'un",
        "kdo=cadeau",
        "mag=magasin",
        "dispo=disponible",
        "commde=commande",
        "cmd=commande",
        "cmde=commande",
        "cmdes=commandes",
        "nb=nombre",
        "g=j'ai",
        "qu on=qu'on",
        "psk=parce que",
        "pk=pourquoi",
        "cb=combien",
        "dsl=desole",
        "pas de pb=pas de probleme",
        "sem=semaine",
        "livr=livraison",
    ]
)
_ENGLISH_SHORT = dict(
    pair.split("=")
    for pair in [
        "its=it's",
        "im=i'm",
        "ive=i've",
        "ill=i'll",
        "dont=don't",
        "doesnt=doesn't",
        "cant=can't",
        "wont=won't",
        "isnt=isn't",
        "arent=aren't",
        "didnt=didn't",
        "weve=we've",
        "theyre=they're",
        "thats=that's",
        "youre=you're",
        "u=you",
        "ur=your",
        "r=are",
        "n=and",
        "pls=please",
        "plz=please",
        "tmrw=tomorrow",
        "tmr=tomorrow",
        "bc=because",
        "cuz=because",
        "b4=before",
        "gonna=going to",
        "wanna=want to",
        "gotta=have to",
        "abt=about",
        "ppl=people",
        "btw=by the way",
        "wkdays=weekdays",
        "wknd=weekend",
        "rn=right now",
        "w=with",
        "@=at",
        "everyday=every day",
        "deliv=delivery",
        "min=minimum",
        "cannot=can not",
    ]
)
_TOKEN = re.compile(r"[^\W_]+|@(?=\s)|w/|.", re.DOTALL)
_FRENCH = frozenset(
    (
        "le la les des du de et est nous on je tu vous que qui pas ne pour dans avec sur une un nos notre c'est au "
        "aux ce cette sont plus chez mais ou par il elle mes mon ma ses son j ai suis fait sans toujours jamais "
        "tout tous merci bonjour salut d l s n qu jsuis avc ke tjs"
    ).split()
)
_ENGLISH = frozenset(
    (
        "the a an and is are we our i my to of for in with you your it that this be have has not don't at from by "
        "they their but or was were will can do does us me no always never please thanks hi hello its it's only "
        "what all as if there so any every each i'm"
    ).split()
)


def language_of(text: str, default: str) -> str:
    """ "fr" or "en" by the small words of `text`; `default` where they do not tell."""
    words = re.findall(r"[a-z]+(?:'[a-z]+)?|[a-z]+", plain(text))
    words += [part for word in words if "'" in word for part in word.split("'")]
    french, english = (sum(word in known for word in words) for known in (_FRENCH, _ENGLISH))
    return default if french == english else "fr" if french > english else "en"


@dataclass(frozen=True, slots=True)
class Flat:
    """`text` in plain lower-case letters with short forms spelled out; character i stands for raw[starts[i]:ends[i]]."""

    raw: str
    text: str
    verbal: str
    """`text` with "à" as "@": folded, it could be the verb "a"."""
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original(self, start: int, end: int) -> str:
        """The user's own characters behind `text[start:end]`, without blanks around them."""
        return self.raw[self.starts[start] : self.ends[end - 1]].strip() if start < end else ""

    def has(self, pattern: str) -> bool:
        """Whether the regular expression is found in the plain text."""
        return re.search(pattern, self.text) is not None


def flatten(raw: str, language: str) -> Flat:
    """`raw` for matching: folded, ligatures opened, phone spelling of the language written out."""
    short = _FRENCH_SHORT if language == "fr" else _ENGLISH_SHORT
    folded = plain(raw)
    out, verbal, starts, ends = list[str](), list[str](), list[int](), list[int]()
    for match in _TOKEN.finditer(folded):
        word = match[0]
        token = word.rstrip("/")
        spelled = short.get(token) if _stands_alone(folded, match) else None
        for piece, start, end in _pieces(word, spelled, match.start()):
            out.append(piece)
            verbal.append("@" if raw[start:end] in {"à", "À"} and word == "a" else piece)
            starts += [start] * len(piece)
            ends += [end] * len(piece)
    return Flat(raw, "".join(out), "".join(verbal), tuple(starts), tuple(ends))


def _pieces(word: str, spelled: str | None, at: int) -> list[tuple[str, int, int]]:
    if spelled is not None:
        return [(spelled, at, at + len(word))]
    return [({"œ": "oe", "æ": "ae"}.get(char, char), at + i, at + i + 1) for i, char in enumerate(word)]


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """A short form is a word of its own: no apostrophe, dash, digit or dot against it ("250 g", "c'est", "n°")."""
    before, after = text[: match.start()], text[match.end() :]
    if len(match[0]) == 1 and re.search(r"\d ?$", before):
        return False
    return not re.search(r"['\w.&/-]$", before) and not re.match(r"['’°./&-]", after)
