"""Amounts, clock times, durations, days and measures in French and English text, each in one canonical form."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from app.domain.calendar_words import MONTHS, NUMBER_WORDS, SHORT_WEEKDAYS, WEEKDAYS
from app.domain.wording import plain


@dataclass(frozen=True, slots=True)
class Quantity:
    """One typed amount: `text[start:end]` means `canonical`, which is equal for every spelling of the same amount.

    Kinds: money, percent, time, duration, date, day, weight, length, volume, temperature, count.
    """

    start: int
    end: int
    kind: str
    canonical: str


def _either(words: Iterable[str]) -> str:
    """An alternation of literal words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


# Possessive and never begun inside a number: a run of digits is read once.
_NUMBER = r"(?<!\d)(?:\d{1,3}(?:[ ,.']\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d++(?:[.,]\d++)?)"
_AMOUNT = rf"(?:{_NUMBER}|\b(?:{_either(NUMBER_WORDS)})\b)"
_CURRENCY = {
    word: code
    for code, words in {
        "eur": "€ euros euro eur balles",
        "usd": "$ dollars dollar usd bucks",
        "gbp": "£ pounds pound gbp quid",
        "chf": "chf",
        "cad": "cad",
        "cent": "cents cent centimes centime",
    }.items()
    for word in words.split()
}
# unit: (kind, how many of the kind's smallest unit, spellings); durations keep their unit: 48 hours are not two days.
_UNITS: dict[str, tuple[str, str, str]] = {
    "minute": ("duration", "1", "minutes minute mins min mn"),
    "hour": ("duration", "1", "heures heure hours hour hrs hr h"),
    "day": ("duration", "1", "jours jour days day j"),
    "week": ("duration", "1", "semaines semaine weeks week"),
    "month": ("duration", "1", "months month mois"),
    "year": ("duration", "1", "annees annee ans an years year yrs"),
    "g": ("weight", "1", "grammes gramme grams gram gr g"),
    "kg": ("weight", "1000", "kilogrammes kilogrammes kilograms kilos kilo kg"),
    "oz": ("weight", "28.35", "ounces ounce onces once oz"),
    "lb": ("weight", "453.6", "lbs lb"),
    "mm": ("length", "1", "millimetres mm"),
    "cm": ("length", "10", "centimetres centimeters cm"),
    "m": ("length", "1000", "metres meters metre meter m"),
    "km": ("length", "1000000", "kilometres kilometers km"),
    "inch": ("length", "25.4", "inches inch pouces"),
    "ml": ("volume", "1", "millilitres milliliters ml"),
    "cl": ("volume", "10", "centilitres cl"),
    "l": ("volume", "1000", "litres liters litre liter l"),
    "degree": ("temperature", "1", "degres degre degrees degree °c °"),
}
_UNIT_OF = {word: unit for unit, (_, _, words) in _UNITS.items() for word in words.split()}
_SMALLEST = {"weight": "g", "length": "mm", "volume": "ml"}
_CODES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_CODE_OF = {name: _CODES[number] for name, number in (WEEKDAYS | SHORT_WEEKDAYS).items()}

_MONEY = re.compile(
    rf"(?P<before>[€$£]|\b(?:eur|usd|gbp|chf|cad)\b) ?(?P<n1>{_NUMBER})(?P<k1> ?k\b)?"
    rf"|(?P<n2>{_NUMBER})(?P<k2> ?k)? ?(?P<after>[€$£]"
    rf"|(?:{_either(w for w in _CURRENCY if w.isalpha())})\b)(?P<cents>\d\d\b)?"
)
_PERCENT = re.compile(rf"(?P<n>{_NUMBER}) ?(?:%|percent\b|per cent\b|pour ?cents?\b|pourcents?\b)")
_HALF = r"(?P<half>[ap]\.m\.?(?![a-z])|[ap]m\b)"
_TIME = re.compile(
    rf"(?<![\d:.,])(?:(?P<h1>[01]?\d|2[0-3])(?: ?h ?|:)(?P<m1>[0-5]\d)(?![\d:])(?: ?{_HALF.replace('half', 'half1')})?"
    rf"|(?P<h2>1[0-2]|0?[1-9])(?:[.](?P<m2>[0-5]\d))? ?{_HALF.replace('half', 'half2')}"
    r"|(?P<h3>[01]?\d|2[0-3]) ?h(?![a-z0-9])"
    r"|(?P<lead>\b(?:a|de|des|vers|avant|apres|jusqu'a) )(?P<h4>[01]?\d|2[0-3]) heures?\b(?! de\b)"
    r"(?: (?P<m4>[0-5]\d)\b)?"
    r"|(?P<word>\b(?:noon|midnight|minuit)\b|(?<=\ba )midi\b|(?<=avant )midi\b))"
)
_DELAY = re.compile(r"\b(?:sous|within|in|dans|en|moins de|under|than|delai de|(?:per|every|toutes les)) $")
_AT_MOST = re.compile(r"\b(?:moins|plus|delai|pres|moyenne|minimum|maximum) $")
_DURATION_UNITS = _either(word for word, unit in _UNIT_OF.items() if _UNITS[unit][0] == "duration")
_WORKING = r"(?: ?-?(?:ouvres?|ouvrables?|business|working|work))"
_DURATION = re.compile(
    rf"(?P<n>{_AMOUNT})(?P<w1>{_WORKING})?[ -]?(?P<unit>{_DURATION_UNITS})(?![a-z0-9])(?P<w2>{_WORKING}\b)?"
)
_MEASURE_UNITS = _either(word for word, unit in _UNIT_OF.items() if _UNITS[unit][0] != "duration")
_MEASURE = re.compile(rf"(?P<n>{_NUMBER})[ -]?(?P<unit>{_MEASURE_UNITS})(?![a-z0-9])")
_MONTH = _either(MONTHS)
_DATE = re.compile(
    rf"\b(?P<iso>\d{{4}}-\d\d-\d\d)\b|\b(?P<slash>\d\d?/\d\d?/\d{{4}})\b"
    rf"|\b(?P<d1>[0-3]?\d)(?:er|st|nd|rd|th)?(?: of)? (?P<m1>{_MONTH})(?: (?P<y1>\d{{4}}))?\b"
    rf"|\b(?P<m2>{_MONTH}) (?P<d2>[0-3]?\d)(?:st|nd|rd|th)?\b(?:,? (?P<y2>\d{{4}}))?(?! ?(?:%|€))"
)
_ANY_DAY = _either(_CODE_OF)
_DAY = re.compile(
    rf"\b(?P<full>{_either(WEEKDAYS)})s?\b|\b(?P<group>weekdays?|en semaine|jours? de semaine|week-?ends?)\b"
    rf"|\b(?P<short>{_either(SHORT_WEEKDAYS)})\b\.?(?=(?:-| ?[,/&] ?| (?:to|au|and|et|n|a) )(?:{_ANY_DAY})\b)"
    rf"|(?<=[a-z](?:-|,|/|&))(?P<short2>{_either(SHORT_WEEKDAYS)})\b"
    rf"|(?:(?<=to )|(?<=au )|(?<=and )|(?<=et )|(?<= n ))(?P<short3>{_either(SHORT_WEEKDAYS)})\b(?=$|[ ,.;!]*$|"
    rf" (?:from|only|de)\b)"
)
# "Neuf" and "cent" are also new and hundred, "second" a place: only the plain ones count without a unit.
_PLAIN_NUMBERS = _either(word for word, value in NUMBER_WORDS.items() if value <= 12 and word != "neuf")
_COUNT = re.compile(rf"(?<![\w.@/#'-])(?P<n>{_NUMBER}|(?:{_PLAIN_NUMBERS})(?= |$))(?![\w@-])")


def number_of(text: str) -> Decimal:
    """The number that was written "1 200", "1,200", "60,00" or "three" (folded text)."""
    if text in NUMBER_WORDS:
        return Decimal(NUMBER_WORDS[text])
    tail = re.search(r"[.,](\d+)$", text)
    grouped = re.fullmatch(r"[1-9]\d{0,2}([ ,'.])\d{3}(?:\1\d{3})*", text)
    if tail is None or (grouped and grouped[1] != "."):
        return Decimal(re.sub(r"\D", "", text))
    return Decimal(re.sub(r"\D", "", text[: tail.start()]) + "." + tail[1])


def written(number: Decimal) -> str:
    """A number without superfluous zeros."""
    return format(number.normalize(), "f") if number else "0"


def _money(match: re.Match[str]) -> str:
    text = match["n1"] or match["n2"]
    number = number_of(text.replace(".", "") if re.fullmatch(r"[1-9]\d{0,2}(\.\d{3})+", text) else text)
    if match["k1"] or match["k2"]:
        number *= 1000
    if match["cents"]:
        number += Decimal(match["cents"]) / 100
    return f"{written(number)} {_CURRENCY[match['before'] or match['after']]}"


def _time(match: re.Match[str]) -> str:
    if match["word"] or not any(match[name] for name in ("h1", "h2", "h3", "h4")):
        return "12:00" if match[0] in {"noon", "midi"} else "00:00"
    hour = int(match["h1"] or match["h2"] or match["h3"] or match["h4"])
    half = match["half1"] or match["half2"] or ""
    if half and hour <= 12:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return f"{hour:02d}:{int(match['m1'] or match['m2'] or match['m4'] or 0):02d}"


def _duration(match: re.Match[str]) -> str:
    working = "working " if match["w1"] or match["w2"] else ""
    return f"{written(number_of(match['n']))} {working}{_UNIT_OF[match['unit']]}"


def _measure(match: re.Match[str]) -> str:
    kind, factor, _ = _UNITS[_UNIT_OF[match["unit"]]]
    return f"{written(number_of(match['n']) * Decimal(factor))} {_SMALLEST.get(kind, 'degree')}"


def _date(match: re.Match[str]) -> str:
    if match["iso"]:
        return match["iso"]
    if match["slash"]:
        day, month, year = match["slash"].split("/")
        return f"{year}-{int(month):02d}-{int(day):02d}"
    month = MONTHS[match["m1"] or match["m2"]]
    return f"{match['y1'] or match['y2'] or '-'}-{month:02d}-{int(match['d1'] or match['d2']):02d}"


def _day(match: re.Match[str]) -> str:
    if match["group"]:
        return "weekend" if match["group"].endswith(("end", "ends")) else "weekday"
    return _CODE_OF[next(name for name in (match["full"], match["short"], match["short2"], match["short3"]) if name)]


_READERS: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    ("money", _MONEY, _money),
    ("percent", _PERCENT, lambda match: f"{written(number_of(match['n']))} %"),
    ("date", _DATE, _date),
    ("time", _TIME, _time),
    ("duration", _DURATION, _duration),
    ("measure", _MEASURE, _measure),
    ("day", _DAY, _day),
    ("count", _COUNT, lambda match: written(number_of(match["n"]))),
)


def _lasts(match: re.Match[str], flat: str) -> bool:
    """Whether hours are how long rather than when: "sous 48 h", "en moins de 4 heures"."""
    before = flat[: match.start()]
    return bool((match["h3"] and _DELAY.search(before)) or (match["h4"] and _AT_MOST.search(before)))


def find_quantities(text: str) -> list[Quantity]:
    """Every quantity of `text`, in its order; offsets are those of `text`. Spans never overlap."""
    flat, found = plain(text), list[Quantity]()
    for kind, pattern, read in _READERS:
        for match in pattern.finditer(flat):
            if kind == "time" and _lasts(match, flat):
                continue
            start = match.start() + len(match["lead"] or "") if kind == "time" else match.start()
            flat = flat[:start] + "\0" * (match.end() - start) + flat[match.end() :]
            named = _UNITS[_UNIT_OF[match["unit"]]][0] if kind == "measure" else kind
            found.append(Quantity(start, match.end(), named, read(match)))
    return sorted(found, key=lambda quantity: quantity.start)
