"""Words taken back in the same breath, and old values told next to new ones: only what holds stays."""

import re

from app.adapters.extractors.rules.patterns import either
from app.domain.quantities import find_quantities
from app.domain.wording import plain

_TAKEN_BACK = re.compile(
    r"[\s,.(…–—-]*\b"
    + either(
        r"""
        no,? wait|wait,? no|wait|scratch that|strike that|sorry,? (?:i mean|no|make that)|i mean|make that|correction|oops|whoops
        oups|non,? pardon|pardon|enfin,? non|enfin|euh,? non|ah,? non|non,? attends|attends|non,? je me trompe|je me trompe
        je veux dire|je voulais dire|rectification|plutot|or rather|rather|erratum|non|no|misread (?:it|that)|my bad
        my mistake|typo|mea culpa|sorry|desolee?|actually|en fait
        """
    )
    + r"\b[\s,.:;!…–—-]*"
)
_LEADS_TO_VALUE = re.compile(
    r"[\s,:]*(?:(?:it's|its|c'est|a|at|to|de|des|from|the|le|la|on|sous|within|in)\s*)*"
)
_INSTEAD = re.compile(
    r",?\s*\(?\b(?:instead of|rather than|in place of|au lieu (?:de|d'|du)|plutot que(?: de)?|a la place (?:de|d'|du)"
    r"|et (?:non|pas|plus)|and not|(?<!or )not)(?:\s|(?<='))(?:the |les? |la |un |une |a |an )?(?P<old>[^,.;:!?)]+?)\)?(?=[.,;:!?)]|$)"
)
_FROM_TO = re.compile(
    r"\s(?:from|de|d')\s?(?P<old>[\w'€$£%.&-]+(?: [\w'€$£%.&-]+){0,2}?)(?=\s(?:to|a|vers|chez)\s)"
)


def without_taken_back(text: str) -> str:
    """"1pm, no wait, misread it, 2pm" as "2pm": an amount that is taken back gives way to the next of its kind."""
    while True:
        amounts = find_quantities(text)
        for old, new in zip(amounts, amounts[1:], strict=False):
            if old.kind == new.kind and _takes_back(plain(text[old.end : new.start])):
                text = text[: old.start] + text[new.start :]
                break
        else:
            return text


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
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def _is_value(text: str, match: re.Match[str]) -> bool:
    """Whether what is left behind is an amount or a name."""
    old = text[match.start("old") : match.end("old")]
    amounts = [amount for amount in find_quantities(old) if amount.kind != "count" or old.strip().isdigit()]
    return bool(amounts) or old[:1].isupper()
