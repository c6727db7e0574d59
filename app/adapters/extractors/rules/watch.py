"""What is said about another company's site: kept apart, never as a fact about the shop."""

import re

from app.domain.wording import plain

_SITE = re.compile(
    r"(?<![\w@./-])(?:https?://)?(?:www\.)?(?P<site>[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.(?:com|fr|co\.uk|org|net|eu|be|ch|ca|de|es|it|shop|store|io|co|uk|us|info|boutique|paris|bzh|example|nl|ie|lu))(?![\w@-])(?:/\S*)?"
)
_OWN_SITE = re.compile(
    r"\b(?:notre|nos|our|my|mon|ma) (?:\w+ ){0,3}(?:site|boutique|shop|store|url|adresse|address|domaine?|website|e-shop|blog|page|web|e-?mail|newsletter)\b|\b(?:on|nous|we|i|je) (?:\w+ ){0,2}(?:utilis\w+|use|ven\w+ (?:sur|via)|sell\w* (?:on|via)|ship\w* with|run\w* on|pass\w+ par|host\w*|heberg\w+|are on|sommes sur|est sur|bought|achet\w+)\b"
)
_RIVAL = re.compile(
    r"\b(?:notre|nos|le|les|un|une|des|our|a|the|main|principal) (?:\w+ )?(?:concurrente?s?|competitors?|rivals?)\b(?:\s*,?\s*(?P<name>[a-z][\w'&-]*(?: [a-z][\w'&-]*)?))?"
)
_BACK_HOME = re.compile(r"\b(?:nous,? on|chez nous|notre|nos|our own|our|ours|nous|we)\b")
_LOOKED = re.compile(
    r"\b(?:regarde\w*|vu|visit\w*|alle\w* (?:voir|sur)|checked|looked|saw|spotted|noticed|remarque\w*|tombe\w* sur|browsed|been on|had a look)\b"
)


def site_of(raw: str, text: str) -> str | None:
    """The other company that the clause (`raw`, and its plain text) is about: its site, else a competitor's name.

    None where there is none, or where the site is the shop's own or one that it uses.
    """
    match = _SITE.search(plain(raw))
    if match is not None:
        return None if _OWN_SITE.search(text) else match["site"]
    rival = _RIVAL.search(text)
    if rival is None or re.search(r"\b(?:no|aucun|sans|pas de|without|unlike|contrairement|aligne\w*|match)\b", text):
        return None
    start = plain(raw).find(rival["name"]) if rival["name"] else -1
    named = rival["name"] if start >= 0 and raw[start].isupper() else None
    return named.split(" ")[0] if named else "competitors"


def goes_on(text: str) -> bool:
    """Whether a clause behind one about another company is still about it: "ils…", "they…", a bare remark."""
    return re.match(
        r"\W*(?:et |and |mais |but |aussi |also )*(?:ils|elles|they|they're|they've|leur|leurs|their|chez eux|la-bas|over there)\b",
        text,
    ) is not None and not goes_home(text)


def goes_home(text: str) -> bool:
    """Whether the clause turns back to the shop itself."""
    return _BACK_HOME.search(text) is not None


def tells(text: str) -> bool:
    """Whether the clause tells something of the site, rather than that somebody looked at it or should."""
    match = _SITE.search(text)
    rest = text if match is None else text[: match.start()] + " " + text[match.end() :]
    words = [word for word in re.findall(r"[a-z']+", _LOOKED.sub(" ", rest)) if len(word) > 2]
    return len(words) >= 3


def key_of(site: str, subject: str) -> str:
    """`watch.<site>.<subject>`, every other character of the site as "_"."""
    return f"watch.{re.sub(r'[^a-z0-9]', '_', plain(site))}.{subject}"
