"""Keys that stay the same when a subject is said again in other words, and differ when it is another subject."""

import re
import zlib

from app.adapters.extractors.rules.lexicon import SYNONYMS
from app.domain.calendar_words import MONTHS
from app.domain.quantities import find_quantities
from app.domain.values import JsonValue
from app.domain.wording import plain, stem, topic_words, words

_FILLER = frozenset(
    stem(word)
    for word in words(
        """
        bonjour hello hi hey salut coucou merci thanks info note noter savoir sache rappel reminder update fyi btw
        general normal normalement actuel current currently precise exact petit petite little quick client clients
        cliente clientes customer customers buyer buyers notre today yesterday hier aujourd week passe passer passons
        passent monte augmente baisse raise raised lower lowered changed moved new nouveau nouvelle nouvel instead
        lieu partir compter chaque fois times time systematiquement forever still stp svp plait bien okay way mind
        perso personnellement personally honestly franchement finalement finally officially vient viennent depuis
        since starting voila bref alors donc anyway standard default defaut regle rule rules policy politique thing
        things chose choses simply simplement clear sommes etre going gone become devenu one anything everything
        related last next previous prochain prochaine dernier derniere tomorrow demain ago mois month jour day annee
        year cet cette matin soir morning evening ever aussi enfin first people personne someone please need
        """
    )
)
_SINCE = re.compile(
    rf"\b(?:depuis|since|as of|as from|from|a (?:partir|compter) d[eu']|des) ?(?:le"
    rf" )?(?:{'|'.join(MONTHS)})\b(?: \d{{4}})?"
)
_ENDED = re.compile(r"\b(?:no longer|any ?more)\b")
_SUPPORT = re.compile(r"\b(?:service (?:apres-vente|clients?|clientele)|customer (?:service|support|care))\b")
_MONTH_NAMES = list(MONTHS)
_ENGLISH_MONTH = {stem(name): _MONTH_NAMES[number * 2 - 1] for name, number in MONTHS.items()}


def shared_name(word: str) -> str:
    """The name that both languages give a stem: "bougi" and "candl" are one."""
    return SYNONYMS.get(word) or _ENGLISH_MONTH.get(word) or word


def meaning(text: str, drop: frozenset[str] = frozenset()) -> list[str]:
    """The words that tell one subject from another: stemmed, shared by both languages, without amounts and filler."""
    text = _SUPPORT.sub("support", _ENDED.sub(" ", _SINCE.sub(" ", plain(text))))
    for amount in reversed(find_quantities(text)):
        text = text[: amount.start] + " " + text[amount.end :]
    text = re.sub(r"'(?=\w)", " ", text)
    names = (shared_name(word) for word in topic_words(text))
    return list(dict.fromkeys(name for name in names if name not in _FILLER and name not in drop))


def slug(names: list[str], limit: int = 5) -> str:
    """The words joined by "_", ASCII only; more than `limit` end in a check sum of them all, so that no two meet."""
    clean = [re.sub(r"[^a-z0-9]+", "_", name).strip("_") or f"{zlib.crc32(name.encode()):08x}" for name in names]
    short = "_".join(name[:10] for name in clean[:limit])
    return short if len(clean) <= limit else f"{short}_{zlib.crc32(' '.join(clean).encode()):08x}"


def joined(*parts: str) -> str:
    """The parts that are not empty, with dots between them."""
    return ".".join(part for part in parts if part)


def said(raw: str, *, negated: bool) -> JsonValue:
    """The value of a statement that no special rule reads: its amounts, else whether it holds."""
    counted = [one for one in find_quantities(raw) if one.kind != "count" or not re.match(r"[-\w]", raw[one.end :])]
    return " / ".join(raw[one.start : one.end] for one in counted) if counted else not negated
