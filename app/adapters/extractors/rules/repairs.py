"""Words taken back in the same breath, and old values told next to new ones: only what holds stays."""

import re
from itertools import pairwise

from app.domain.calendar_words import NUMBER_WORDS
from app.domain.quantities import find_quantities
from app.domain.word_patterns import either
from app.domain.wording import plain

_TAKEN_BACK = re.compile(
    r"[\s,.(…–—-]*\b"
    + either(
        r"""
        no,? wait|wait,? no|wait|scratch that|strike that|sorry,? (?:i mean|no|make that)|i mean|make that|correction
        oops|whoops|oups|non,? pardon|pardon|enfin,? non|enfin|euh,? non|ah,? non|non,? attends|attends
        non,? je me trompe|je me trompe|je veux dire|je voulais dire|rectification|plutot|or rather|rather|erratum|non
        no|misread (?:it|that)|my bad|my mistake|typo|mea culpa|sorry|desolee?|actually|en fait
        """
    )
    + r"\b[\s,.:;!…–—-]*"
)
_LEADS_TO_VALUE = re.compile(r"[\s,:]*(?:(?:it's|its|c'est|a|at|to|de|des|from|the|le|la|on|sous|within|in)\s*)*")
_INSTEAD = re.compile(
    r",?\s*\(?\b(?:instead of|rather than|in place of|au lieu (?:de|d'|du)|plutot que(?: de)?|a la place (?:de|d'|du)"
    r"|et (?:non|pas|plus)|and not|(?<!or )(?<!is )(?<!are )(?<!was )(?<!'s )(?<!'re )(?<!'m )not)"
    r"(?:\s|(?<='))(?:the |les? |la |un |une |a |an"
    r" )?(?P<old>[^,.;:!?)]+?)\)?(?=[.,;:!?)]|$)"
)
_FROM_TO = re.compile(r"\s(?:from|de|d')\s?(?P<old>[\w'€$£%.&-]+(?: [\w'€$£%.&-]+){0,2}?)(?=\s(?:to|a|vers|chez)\s)")


def without_taken_back(text: str) -> str:
    """ "1pm, no wait, misread it, 2pm" as "2pm": an amount that is taken back gives way to the next of its kind."""
    while True:
        amounts = find_quantities(text)
        for old, new in pairwise(amounts):
            if old.kind == new.kind and _takes_back(plain(text[old.end : new.start])):
                text = text[: old.start] + text[new.start :]
                break
        else:
            return text


_FORMERLY = re.compile(
    r"(?P<former> (?:used to be|was|were|etait|etaient)(?: de| a| at)? (?P<old>[^,;]{1,30}?)[,;] (?:and |but "
    r"|et |mais )?)"
    r"(?=(?:now |maintenant |desormais )?(?:it's|it is|they're|c'est|on est|elle est|il est) )"
)


def without_former(text: str) -> str:
    """ "The minimum used to be €450; it's €600" as "The minimum: it's €600"."""
    match = _FORMERLY.search(plain(text))
    if match is None or not find_quantities(match["old"]):
        return text
    return f"{text[: match.start()]}: {text[match.end() :]}"


def _takes_back(between: str) -> bool:
    rest = between
    while match := _TAKEN_BACK.match(rest):
        rest = rest[match.end() :]
    return rest != between and _LEADS_TO_VALUE.fullmatch(rest) is not None


def without_old_value(text: str, *, changed: bool) -> str:
    """The statement without "instead of 19h" or, in a change, without "from Klaviyo" before "to Mailchimp"."""
    flat = plain(text)
    spans = [match.span() for match in _INSTEAD.finditer(flat) if _is_value(text, match)]
    if changed:
        spans += [match.span() for match in _FROM_TO.finditer(flat) if _is_value(text, match)]
        spans += _no_longer(text, flat)
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


_NO_LONGER = re.compile(
    r"(?P<a>\bno longer )[^,.;]*?(?P<b>(?:(?:on|at|in) )?(?P<old>\S+(?: \S+)?),? but )|(?P<c>\b(?:ne "
    r"|n'))(?:\S+ ){1,3}?"
    r"(?P<d>plus (?:(?:le|la|les|a|en|sous) )?(?P<older>\S+(?: \S+)?),? mais )"
)


def _no_longer(text: str, flat: str) -> list[tuple[int, int]]:
    """ "Ne partent plus le jeudi mais le mardi": what to leave out so that "partent le mardi" stays."""
    match = _NO_LONGER.search(flat)
    old = (match["old"] or match["older"]) if match else ""
    if match is None or not find_quantities(old):
        return []
    return [match.span(name) for name in ("a", "b", "c", "d") if match[name]]


def _is_value(text: str, match: re.Match[str]) -> bool:
    """Whether what is left behind is an amount or a name."""
    old = text[match.start("old") : match.end("old")]
    amounts = [amount for amount in find_quantities(old) if amount.kind != "count" or old.strip().isdigit()]
    return bool(amounts) or old[:1].isupper() or plain(old) in NUMBER_WORDS
