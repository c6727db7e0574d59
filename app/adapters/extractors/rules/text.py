"""A piece of a message in plain letters, spelled out, that still knows which of the user's characters it stands for."""

import re
from dataclasses import dataclass

from app.domain.wording import plain, words


def _written_out(block: str) -> dict[str, str]:
    """The pairs "short=spelled_out" of a block, with blanks for "_"."""
    return {short: spelled.replace("_", " ") for short, _, spelled in (pair.partition("=") for pair in words(block))}


# How people type on a phone. What is a word of the other language stands under one language only.
_FRENCH_SHORT = _written_out(
    """
    jsuis=je_suis chuis=je_suis chui=je_suis jai=j'ai jveux=je_veux jprefere=je_prefere jpref=je_prefere jaime=j'aime
    jfais=je_fais jdeteste=je_deteste jvends=je_vends jm=je_m c=c'est cest=c'est ct=c'etait avc=avec ke=que ki=qui
    ds=dans pr=pour tt=tout ts=tous tte=toute ttes=toutes tjs=toujours tjrs=toujours tjr=toujours bcp=beaucoup vs=vous
    ns=nous pcq=parce_que psk=parce_que qd=quand mtn=maintenant mnt=maintenant ajd=aujourd'hui auj=aujourd'hui
    jms=jamais ya=il_y_a qqn=quelqu'un mag=magasin dispo=disponible g=j'ai boutik=boutique bizz=bisous cmd=commande
    cmde=commande cmdes=commandes pk=pourquoi cb=combien sem=semaine sam=samedi dim=dimanche
    """
)
_ENGLISH_SHORT = _written_out(
    """
    its=it's im=i'm ive=i've dont=don't doesnt=doesn't cant=can't wont=won't isnt=isn't arent=aren't didnt=didn't
    weve=we've theyre=they're thats=that's youre=you're u=you ur=your r=are n=and pls=please plz=please tmrw=tomorrow
    tmr=tomorrow bc=because cuz=because b4=before gonna=going_to wanna=want_to gotta=have_to abt=about ppl=people
    btw=by_the_way wkdays=weekdays wknd=weekend rn=right_now w=with @=at everyday=every_day min=minimum cannot=can_not
    sats=saturdays suns=sundays mons=mondays biz=business
    """
)
_TOKEN = re.compile(r"[^\W_]+|@(?=\s)|w/|.", re.DOTALL)
_FRENCH = frozenset(
    words(
        """
        le la les des du de et est nous je tu vous que qui pas ne pour dans avec sur un une nos notre c'est au aux ce
        cette sont plus chez mais ou par il elle mes ma ses son j ai suis fait sans toujours jamais tout tous merci
        bonjour salut d l s qu jsuis avc ke tjs livraison enfin bjr slt leur leurs ont ils elles ca tres sous vers
        depuis
        """
    )
)
_ENGLISH = frozenset(
    words(
        """
        the an and is are we our i my to of for in with you your it that this be have has not don't at from by they
        their but or was were will can do does us me no always never please thanks hi hello its it's only what all as
        if there so any every each i'm days takes take goes through working anything keep under im ive dont cant hours
        week within per over free
        """
    )
)


def language_of(text: str, default: str) -> str:
    """ "fr" or "en" by the small words and letters of `text`; `default` where they do not tell."""
    flat = plain(text)
    known = re.findall(r"[a-z]+'[a-z]+|[a-z]+", flat)
    known += [part for word in known if "'" in word for part in word.split("'")]
    french = sum(word in _FRENCH for word in known) + len(re.findall(r"[éèêàçùœ]", text.lower()))
    english = sum(word in _ENGLISH for word in known) + sum(
        bool(re.search(r"w|th|[a-z]ing$|ght|[^aeiou]ly$", word)) for word in known
    )
    return default if french == english else "fr" if french > english else "en"


@dataclass(frozen=True, slots=True)
class Flat:
    """`text` in plain lower-case letters with short forms spelled out; character i stands for raw[starts[i]:ends[i]].

    `verbal` is `text` with "à" as "@" and a final "é" kept: folded they could be the verb "a" and the present tense.
    """

    raw: str
    text: str
    verbal: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original(self, start: int, end: int) -> str:
        """The user's own characters behind `text[start:end]`, without blanks around them."""
        first, last = self.span(start, end)
        return self.raw[first:last].strip()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in `raw` the characters behind `text[start:end]` stand."""
        return (self.starts[start], self.ends[end - 1]) if start < end else (0, 0)


def flatten(raw: str, language: str) -> Flat:
    """`raw` for matching: folded, ligatures opened, phone spelling of the language written out."""
    short = _FRENCH_SHORT if language == "fr" else _ENGLISH_SHORT
    folded = plain(raw)
    out, verbal, starts, ends = list[str](), list[str](), list[int](), list[int]()
    for match in _TOKEN.finditer(folded):
        token = match[0].rstrip("/") if match[0] != "/" else "/"
        spelled = _spelled(token, short, language)
        if spelled is not None and not _stands_alone(folded, match):
            spelled = None
        accents = _final_accent(raw[match.start() : match.end()])
        for place, (piece, start, end) in enumerate(_pieces(match[0], spelled, match.start())):
            out.append(piece)
            verbal.append(accents.get(place, piece) if spelled is None else piece)
            starts += [start] * len(piece)
            ends += [end] * len(piece)
    return Flat(raw, "".join(out), "".join(verbal), tuple(starts), tuple(ends))


def _spelled(token: str, short: dict[str, str], language: str) -> str | None:
    """The short form written out. No French word begins with j and a consonant: "jgere" is "je gere"."""
    if token in short or language != "fr":
        return short.get(token)
    return f"je {token[1:]}" if re.fullmatch(r"j[b-df-hj-np-tv-xz]\w{2,}", token) else None


def _final_accent(word: str) -> dict[int, str]:
    """Which letters of a word keep their accent in `Flat.verbal`, by place."""
    if word in {"à", "À"}:
        return {0: "@"}
    match = re.search(r"é(?=e?s?$)", word)
    return {match.start(): "é"} if match and len(word) > 3 else {}


def _pieces(word: str, spelled: str | None, at: int) -> list[tuple[str, int, int]]:
    if spelled is not None:
        return [(spelled, at, at + len(word))]
    return [({"œ": "oe", "æ": "ae"}.get(char, char), at + i, at + i + 1) for i, char in enumerate(word)]


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """A short form is a word of its own: no apostrophe, dash, digit or dot against it ("250 g", "c'est", "n°")."""
    before, after = text[max(0, match.start() - 2) : match.start()], text[match.end() : match.end() + 1]
    if len(match[0]) == 1 and re.search(r"\d ?$", before):
        return False
    return not re.search(r"['\w.&/-]$", before) and (match[0] == "jm" or not re.match(r"['’°./&-]", after))
