"""Relative dates in French and English, against a message's own time and zone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from app.domain.calendar_words import MONTHS, NUMBER_WORDS, WEEKDAYS
from app.domain.wording import plain


@dataclass(frozen=True, slots=True)
class Dated:
    """A statement with its relative dates spelled out, and the past day since which it holds (if it names one)."""

    text: str
    valid_from: date | None


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    note: str
    day: date | None = None


def resolve(text: str, sent_at: datetime, language: str) -> Dated:
    """`text` with the days meant by "hier", "next Friday", "la semaine dernière"… in brackets behind the words.

    `sent_at` carries the speaker's offset: its date is the speaker's today. A word that two readers may take for two
    days ("next Friday" said in midweek) gets the day on which it was said instead. Already dated words stay alone.
    """
    today = sent_at.date()
    found = list[_Found]()
    for one in _candidates(plain(text), today, language):
        overlaps = any(one.start < other.end and other.start < one.end for other in found)
        if not overlaps and not re.match(r" ?\(\D{0,12}\d{4}", text[one.end :]):
            found.append(one)
    for one in sorted(found, key=lambda one: -one.start):
        if one.note:
            text = f"{text[: one.end]} ({one.note}){text[one.end :]}"
    past = [one.day for one in found if one.day is not None and one.day <= today]
    return Dated(text, min(past) if past else None)


_COUNTED = rf"(\d{{1,3}}|un|une|one|a|an|{'|'.join(NUMBER_WORDS)})"
_UNIT = r"(jours?|days?|semaines?|weeks?|mois|months?|ans?|annees?|years?)"
_DAY = f"({'|'.join(WEEKDAYS)})"
_MONTH = f"({'|'.join(MONTHS)})"
_FIXED = (
    (r"avant[- ]?hier|the day before yesterday", -2),
    (r"apres[- ]?demain|the day after tomorrow", 2),
    (r"hier(?: (?:matin|soir|midi|apres-midi))?|yesterday|last night", -1),
    (r"demain(?: (?:matin|soir|midi|apres-midi))?|tomorrow", 1),
    (r"aujourd'? ?hui|today|tonight|ce (?:matin|soir|midi)|cet apres-midi|this (?:morning|evening|afternoon)", 0),
)
_SINCE = r"(?:depuis|since|as of|as from|des|a partir|a compter|starting|from)"
# "Delivered in two days" is a delay, not a day.
_DELAYS = re.compile(
    r"\b(?:livr|exped|ship|deliver|dispatch|rembours|refund|arriv|repon|answer|repl|recoi|trait|process)"
)
_PAST = re.compile(
    r"\b(?:a|ai|as|avons|avez|ont|est|sommes|sont) (?:[a-z]+ )?[a-z]+(?:e|es|i|is|it|u|us|ue)\b|\b(?:was|were"
    r"|had|[a-z]{3,}ed|went|left|sent)\b"
)
_FUTURE = re.compile(
    r"\b(?:will|'ll|going to|(?:va|vais|vont|allons) [a-z]+(?:er|ir|re|oir)|[a-z]+(?:rons|ront|rai)"
    r"|(?!(?:opera|camera)\b)[a-z]+(?:era|ira|dra))\b"
    r"|\b(?:we're|i'm) [a-z]+ing\b"
)


def _candidates(flat: str, today: date, language: str) -> Iterator[_Found]:
    """Every reading, the longest phrases first; overlaps are settled by whoever comes first."""
    yield from _since(flat, today)
    yield from _weeks_and_months(flat, today, language)
    yield from _counted(flat, today, language)
    yield from _weekdays(flat, today, language)
    for pattern, days in _FIXED:
        for match in re.finditer(rf"(?<![\w'-])(?:{pattern})(?![\w-])", flat):
            day = today + timedelta(days=days)
            yield _Found(match.start(), match.end(), day.isoformat(), day if days < 0 else None)


def _since(flat: str, today: date) -> Iterator[_Found]:
    """ "Depuis le 1er octobre", "since 3 May", "as of January": the latest such day that is not to come, or the next
    one where the verb says so.
    """
    day_month = rf"(\d{{1,2}})(?:er|st|nd|rd|th)?(?: of)? {_MONTH}"
    pattern = (
        rf"\b{_SINCE} (?:le |du |de |the )?(?:{day_month}|{_MONTH}(?: (\d{{1,2}})(?:st|nd|rd|th)?)?)\b(?!"
        rf" \d{{4}})(?! \d)"
    )
    for match in re.finditer(pattern, flat):
        month = MONTHS[match[2] or match[3]]
        upcoming = not re.match("depuis|since", match[0])
        to_come = upcoming and _FUTURE.search(flat) is not None
        number = int(match[1] or match[4] or 1)
        day = _next(month, number, today) if to_come else _latest(month, number, today, upcoming=upcoming)
        if day is not None:
            yield _Found(match.start(), match.end(), day.isoformat(), day)
    for match in re.finditer(r"\b(?:depuis|since) (?:le )?(20\d\d)\b(?!-)", flat):
        yield _Found(match.start(), match.start(), "", date(int(match[1]), 1, 1))


def _latest(month: int, number: int, today: date, *, upcoming: bool) -> date | None:
    """This year's day, or last year's where it is still to come; within three months ahead if `upcoming` allows."""
    try:
        day = date(today.year, month, number)
        near = upcoming and day - today <= timedelta(days=92)
        if upcoming and today - day > timedelta(days=270):
            return date(today.year + 1, month, number)
        return day if day <= today or near else date(today.year - 1, month, number)
    except ValueError:
        return None


def _next(month: int, number: int, today: date) -> date | None:
    try:
        day = date(today.year, month, number)
        return day if day >= today else date(today.year + 1, month, number)
    except ValueError:
        return None


def _weeks_and_months(flat: str, today: date, language: str) -> Iterator[_Found]:
    """Last, this and next week, month and year: the days of the week, the month, the year."""
    french = r"(?:la |le |l')(semaine|mois|annee|an) (derniere?|passee?|prochaine?)"
    for match in re.finditer(rf"(?<!\w){french}(?!\w)|(?<!\w)(last|next) (week|month|year)(?!\w)", flat):
        word = match[2] or match[3]
        shift = 1 if word.startswith(("proch", "next")) else -1
        yield _Found(match.start(), match.end(), _period(match[1] or match[4], shift, today, language))


def _period(unit: str, shift: int, today: date, language: str) -> str:
    if unit in {"semaine", "semaines", "week", "weeks"}:
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=shift)
        sunday = monday + timedelta(days=6)
        return f"du {monday} au {sunday}" if language == "fr" else f"{monday} to {sunday}"
    if unit in {"mois", "month", "months"}:
        months = today.year * 12 + today.month - 1 + shift
        return f"{months // 12}-{months % 12 + 1:02d}"
    return str(today.year + shift)


def _counted(flat: str, today: date, language: str) -> Iterator[_Found]:
    """ "Il y a trois jours", "two weeks ago", "dans un mois": a day, or the week, month or year that is meant."""
    past = rf"\bil y a {_COUNTED} {_UNIT}(?!\w)(?! d[e'])|\b{_COUNTED} {_UNIT} ago\b"
    coming = rf"\bdans {_COUNTED} {_UNIT}(?!\w)|\bin {_COUNTED} {_UNIT}(?: time)?\b"
    for pattern, way in ((past, -1), (coming, 1)):
        if way > 0 and _DELAYS.search(flat):
            continue
        for match in re.finditer(pattern, flat):
            count, unit = match[1] or match[3], match[2] or match[4]
            number = int(count) if count.isdigit() else NUMBER_WORDS.get(count, 1)
            if unit.startswith(("jour", "day")):
                day = today + timedelta(days=way * number)
                yield _Found(match.start(), match.end(), day.isoformat(), day if way < 0 else None)
            else:
                yield _Found(match.start(), match.end(), _period(unit, way * number, today, language))


def _weekdays(flat: str, today: date, language: str) -> Iterator[_Found]:
    """ "Lundi dernier", "next Friday", "ce vendredi", and a bare weekday where the verb shows the way."""
    said = f"dit le {today}" if language == "fr" else f"said on {today}"
    for match in re.finditer(rf"\b{_DAY} (dernier|passe|prochain)\b|\b(last|next|this|ce) {_DAY}(?!\w)", flat):
        weekday, word = WEEKDAYS[match[1] or match[4]], match[2] or match[3]
        ahead = (weekday - today.weekday()) % 7
        if word in {"prochain", "next"}:
            # Later this week, or a week after that? Two readers differ; on or before today's weekday they do not.
            day = None if ahead > 0 and weekday > today.weekday() else today + timedelta(days=ahead or 7)
        elif word in {"dernier", "passe", "last"} or _PAST.search(flat):
            day = today - timedelta(days=(7 - ahead) % 7 or 7)
        else:
            day = today + timedelta(days=ahead)
        yield _Found(match.start(), match.end(), day.isoformat() if day else said, day)
    bare = (
        rf"(?:^|(?<=[,;:] )|(?<=\bon )|(?<=\bd'ici )|(?<=\bavant )|(?<=\bby ))(?<!le )(?<!les"
        rf" ){_DAY}(?![\w-])(?! (?:au|to|dernier|prochain))"
    )
    for match in re.finditer(bare, flat):
        ahead = (WEEKDAYS[match[1]] - today.weekday()) % 7
        if _FUTURE.search(flat):
            yield _Found(match.start(), match.end(), (today + timedelta(days=ahead or 7)).isoformat())
        elif _PAST.search(flat):
            day = today - timedelta(days=(7 - ahead) % 7 or 7)
            yield _Found(match.start(), match.end(), day.isoformat(), day)
