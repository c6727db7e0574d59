"""The subjects that shops speak of most: one key each, in whichever words and language."""

import re
from dataclasses import dataclass

from app.adapters.extractors.rules import keys
from app.adapters.extractors.rules.denials import denies, is_difference, is_ended, puts_instead
from app.adapters.extractors.rules.topic_table import SHARES_DAYS, TOPICS, WITH_WORDS_ONLY, Topic
from app.domain.quantities import Quantity, find_quantities
from app.domain.values import JsonValue
from app.domain.wording import plain, stem


@dataclass(frozen=True, slots=True)
class Reading:
    """What a topic makes of a clause."""

    topic: Topic
    key: str
    value: JsonValue


def read(raw: str, text: str) -> Reading | None:
    """The first topic that fits the clause (`raw`, and its plain `text`), with its key and value."""
    amounts = find_quantities(raw)
    for topic in TOPICS:
        fitting = [one for one in amounts if one.kind in topic.kinds]
        match = topic.pattern.search(text)
        before = plain(raw[: fitting[0].start]) if fitting else ""
        if match is None or (topic.kinds and not fitting) or is_difference(before):
            continue
        value = topic.value
        if fitting:
            holding = _holding(topic, raw, fitting)
            value = raw[holding[0].start : (holding[-1] if topic.span else holding[0]).end] if holding else False
        extra = keys.meaning(text, topic.own)
        if topic.key in SHARES_DAYS:
            extra += [one.canonical for one in find_quantities(text) if one.kind == "day"]
        if topic.key == "hours":
            return _hours(topic, raw, text, extra)
        if topic.key not in WITH_WORDS_ONLY or extra:
            return Reading(topic, keys.joined(topic.key, keys.slug(extra, 4)), value)
    return None


_SHUT = re.compile(r"\b(?:ferme\w*|closed|shut)\b")
"""What is denied of a day on which one is closed; "we don't open" tells of such a day itself."""


def _holding(topic: Topic, raw: str, amounts: list[Quantity]) -> list[Quantity]:
    """The amounts that are not denied: of "n'est pas 60 € mais 80 €" the latter."""
    first, before = amounts[0], plain(raw[: amounts[0].start])
    if not denies(before) or (topic.key == "hours.closed" and _SHUT.search(before) is None):
        return amounts
    return [one for one in amounts[1:] if puts_instead(plain(raw[first.end : one.start]))]


def _hours(topic: Topic, raw: str, text: str, extra: list[str]) -> Reading:
    """Opening hours by their shape: days with hours, one hour, several days, or one day more."""
    amounts = [one for one in find_quantities(raw) if one.kind in {"time", "day"}]
    times, days = ([one for one in amounts if one.kind == kind] for kind in ("time", "day"))
    parts = [raw[part[0].start : part[-1].end] for part in (days, times) if part]
    value: JsonValue = False if denies(plain(raw[: amounts[0].start])) else ", ".join(parts)
    shape = "opening" if len(times) > 1 else "opens_at" if times else "days"
    if not times and len(days) == 1 and days[0].canonical not in {"weekday", "weekend"}:
        shape, value = "open", not (re.search(r"\b(?:pas|not|never|jamais|n't)\b", text) or is_ended(text))
        extra = [*extra, days[0].canonical]
    return Reading(topic, keys.joined("hours", shape, keys.slug(extra, 4)), value)


_SENDS = r"(?:livr\w+|expedi\w+|envoy\w+|envoi\w+|ship\w*|deliver\w*|dispatch\w*|send|post)"
_ZONE = re.compile(
    rf"\b{_SENDS}\b(?P<between>(?: \w+){{0,3}}?) (?:qu')?(?:en|au|aux|a|vers|dans|jusqu'en|to|in|within|across"
    r"|throughout)"
    r"(?: (?:l'|la |le |les |the |all |toute |tout ))?(?P<places>.+)"
)
_PLACES = frozenset({"corsica", "eu", "franc", "switzerland", "belgium", "germany", "spain", "italy", "uk", "us"})
_EVERYWHERE = re.compile(
    r"\b(?:worldwide|internationally|abroad|a l'etranger|partout dans le monde|a l'international|overseas)\b"
)


def zone(raw: str, text: str, *, negated: bool) -> tuple[str, JsonValue] | None:
    """Key and value of "we ship to Canada": the places name the key, whether we do is the value."""
    everywhere = _EVERYWHERE.search(text) if re.search(rf"\b{_SENDS}\b", text) else None
    if everywhere is not None:
        return "shipping.zone.worldwide", not negated
    match = _ZONE.search(text)
    if match is None or find_quantities(raw):
        return None
    words = re.findall(r"[^\W\d_]+", raw[-len(match["places"]) :])
    named = {keys.shared_name(stem(plain(word))): word[0].isupper() for word in words}
    places = sorted(place for place, capital in named.items() if capital or place in _PLACES)
    return (keys.joined("shipping.zone", keys.slug(places, 4)), not negated) if places else None
