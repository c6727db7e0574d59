"""What is said about another company's site: kept apart, never as a fact about the shop."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from app.domain.word_patterns import any_of
from app.domain.wording import plain

_ENDINGS = (
    "com|fr|co\\.uk|org|net|eu|be|ch|ca|de|es|it|shop|store|io|co|uk|us|info|boutique|paris|bzh|example|nl"
    "|ie|lu|pt|at|se|dk"
)
WATCH_PREFIX, WATCH_TAG = "watch.", "veille"
_SITE = re.compile(
    rf"(?<![\w@./-])(?:https?://)?(?:www\.)?(?P<site>[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.(?:{_ENDINGS}))(?![\w@-])"
    r"(?:/\S*)?"
)
_OWN_SITE = any_of(
    r"""
    (?:notre|nos|our|my|mon|ma) (?:\w+ ){0,3}(?:site|boutique|shop|store|url|adresse|address|domaine?|website\
    |e-shop|blog)
    (?:notre|nos|our|my|mon|ma) (?:\w+ ){0,3}(?:page|web|e-?mail|newsletter)
    (?:notre|nos|our|my|mon|ma) (?:\w+ ){0,3}(?:fournisseurs?|suppliers?|partenaires?|partners?|transporteurs?\
    |carriers?|comptables?|accountants?|hebergeurs?|hosts?|outils?|tools?|logiciels?|software|grossistes?|wholesalers?)
    (?:on|nous|we|i|je) (?:\w+ ){0,2}(?:utilis\w+|use|ven\w+ (?:sur|via)|sell\w* (?:on|via)|ship\w* with|run\w* on)
    (?:on|nous|we|i|je) (?:\w+ ){0,2}(?:pass\w+ par|host\w*|heberg\w+|are on|sommes sur|est sur|bought|achet\w+\
    |signed)
    """
)
_RIVAL = re.compile(
    r"\b(?:notre|nos|le|les|un|une|des|our|a|the) (?:\w+ )?(?:concurrente?s?|competitors?|rivals?)\b"
    r"(?:\s*,?\s*(?P<name>[a-z][\w'&-]*(?: [a-z][\w'&-]*)?))?"
)
_NOT_THEIRS = any_of(
    r"no|aucune?|sans|pas de|without|unlike|contrairement|aligne\w*|match|nommer|name|mention\w*|cite\w*"
)
_AT = re.compile(
    r"\b(?:chez|at|over at) (?P<name>[a-z][\w'&-]+(?: [a-z][\w'&-]+)?),? (?:ils|elles|they|the|les|la|le)\b"
)
_THEY = re.compile(
    r"\W*(?:et |and |mais |but |aussi |also )*(?:ils|elles|they|they're|they've|leurs?|their|chez eux|la-bas"
    r"|over there)\b"
)
_BACK_HOME = any_of(r"nous|on|chez nous|notre|nos|our own|our|ours|we|we're|i|je")
_LOOKED = any_of(
    r"""
    regarde\w*|vu|visit\w*|alle\w* (?:voir|sur)|checked|looked|saw|spotted|noticed|remarque\w*|tombe\w* sur|browsed
    been on|had a look|jete un oeil|jete un coup d'oeil
    """
)


def site_of(raw: str, text: str) -> str | None:
    """The other company that the clause (`raw`, and its plain text) is about: its site, else a competitor's name.

    None where there is none, or where the site is the shop's own or one that it uses.
    """
    match = _SITE.search(plain(raw))
    if match is not None:
        return None if _OWN_SITE.search(text) else match["site"]
    rival, there = _RIVAL.search(text), _AT.search(text)
    if rival is not None and not _NOT_THEIRS.search(text):
        return _capitalised(raw, rival["name"]) or "competitors"
    return _capitalised(raw, there["name"]) if there is not None else None


def own_site(raw: str, text: str) -> str | None:
    """The site that the clause says to be the shop's own, or one that it uses."""
    match = _SITE.search(plain(raw))
    return match["site"] if match is not None and _OWN_SITE.search(text) else None


def _capitalised(raw: str, name: str | None) -> str | None:
    """The first word of the name, where the user wrote it with a capital."""
    start = plain(raw).find(name) if name else -1
    return raw[start:].split(" ")[0].rstrip(",.'’") if start >= 0 and raw[start].isupper() else None


def goes_on(text: str, *, listed: bool = False) -> bool:
    """Whether a clause behind one about another company is still about it: "ils…", "leurs retours…".

    One that is `listed` behind its name is, unless it speaks of us.
    """
    return (listed or _THEY.match(text) is not None) and _BACK_HOME.search(text) is None


def tells(text: str) -> bool:
    """Whether the clause tells something of the site, rather than that somebody looked at it or should."""
    match = _SITE.search(text)
    rest = text if match is None else text[: match.start()] + " " + text[match.end() :]
    return len([word for word in re.findall(r"[a-z']+", _LOOKED.sub(" ", rest)) if len(word) > 2]) >= 3


def key_of(site: str, subject: str) -> str:
    """`watch.<site>.<subject>`, every other character of the site as "_"."""
    return f"watch.{re.sub(r'[^a-z0-9]', '_', plain(site))}.{subject}"


class Marks(NamedTuple):
    """What shows a fact to be about another company."""

    key: str
    tags: tuple[str, ...]


def is_marked(key: str, tags: Iterable[str]) -> bool:
    """Whether a key or its tags say that the fact is about another company."""
    return key.startswith(WATCH_PREFIX) or WATCH_TAG in tags


def marked(marks: Marks, site: str | None, own: str | None) -> Marks:
    """The marks of what is told of `site`, both of them; none for what is told of `own`, a site of ours."""
    key, tags = marks
    mine = key_of(own, "") if own else None
    if site is None and mine is not None and key.startswith(mine) and key != mine:
        return Marks(key.removeprefix(mine), tuple(tag for tag in tags if tag != WATCH_TAG))
    if site is None and not is_marked(key, tags):
        return marks
    bare = key.removeprefix(WATCH_PREFIX)
    if site is not None and (not key.startswith(WATCH_PREFIX) or "." not in bare):
        named = key_of(site, "")
        bare = bare if bare.startswith(named.removeprefix(WATCH_PREFIX)) else named.removeprefix(WATCH_PREFIX) + bare
    return Marks(WATCH_PREFIX + bare, tags if WATCH_TAG in tags else (*tags, WATCH_TAG))
