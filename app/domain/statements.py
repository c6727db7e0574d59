"""What a short statement says, taken apart: what it is about, its values, and which way round it says them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from app.domain.calendar_words import MONTHS
from app.domain.concepts import Meaning, is_small, meaning_of
from app.domain.markup import NEGATIONS, clauses, marked, spelled
from app.domain.phrases import PHRASES
from app.domain.places import PLACES
from app.domain.quantities import Quantity, find_quantities
from app.domain.values import normalise
from app.domain.wording import plain

DIRECTIONS: Final = frozenset({"before", "above", "included", "raise"})
"""Axes that say which way round an amount is meant, and nothing of what a statement is about."""
QUANTIFIERS: Final = frozenset({"all", "some", "most", "only"})
_WEEK: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_GROUPS: Final = {"weekday": _WEEK[:5], "weekend": _WEEK[5:]}
_BETWEEN_DAYS: Final = re.compile(r"\s*(?:-|to|au|a|through|until|jusqu'au)\s*")
_TOKEN: Final = re.compile(r"_(?P<mark>[a-z_=]+[~+-]?)_|¤(?P<kind>[a-z]+)(?P<place>\d+)|(?P<word>[^\W_]+(?:-[^\W_]+)*)")
_OUR: Final = r"(?:notre|nos|mon|ma|our|my|the|le|la|les|l')"
_NAME: Final = r"(?:(?:monsieur|madame|mme|mr|mrs|ms|maitre|the|la|le|l') ?)?[A-Z]"
_SLOT: Final = re.compile(
    rf"\b{_OUR} ?[a-z][\w' -]{{1,50}}? (?:est|is|c'est|reste|s'appelle|is called|will be|sera) (?:_\w+_ +)?"
    rf"(?:chez |at |with |by |a |in |en |au |called )?(?:_\w+_ +)?{_NAME}"
    rf"|{_NAME}[\w-]*(?: [A-Z][\w-]*)* (?:_\w+_ +)?(?:est|is|reste) (?:_\w+_ +)?{_OUR}\b|\bc'est (?:_\w+_ +)?{_NAME}"
    rf"|_only_ +{_NAME}|_handle_|_located_|_make_|\b(?:host|heberg)\w*|\b(?:go|goes|passent|passe) (?:through|par)\b"
    r"|\b(?:on|nous|we) (?:use|utilis)\w*"
    rf"|\b\w+(?:ed|en|ees?|es?|is|ises) (?:by|par) {_NAME}"
    r"|\b(?:provided|supplied|printed|designed|fourni\w*|imprime\w*|realise\w*|done|made|fait\w*) (?:by|par)\b"
)
_OF_THINGS: Final = frozenset({"colour", "material"})
_PREDICATE: Final = re.compile(
    r"(?:\b(?:is|are|was|est|sont|en|in|of|from|de|with|avec|now|to|become\w*|devien\w*|and|et|contains?|contien\w*|no|sans|without|not|pas|aucune?)|[:,'_])"
    r" *(?:(?:a|un|une|entirely|very|all|100|pure?|recycled|real|vrai) +)?(?:\w+ (?:and|et) )?$"
)
_PASSIVE: Final = re.compile(rf"\b(?:by|par) {_NAME}")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement taken apart. `said` is its comparison form, `words` how many it has.

    `terms` are the concepts and unknown words that tell what it is about, `known` the former, `common` what nearly all
    speak of; `axes` the poles of opposites that it names; `groups` its values of closed kinds (colours, materials);
    `amounts` its quantities by kind, `days` its days of the week. `ended` says that what was no longer is, `changed`
    that something is not as before, `replaced` that it names what was; `parts` are then its clauses; `final` is what
    its last word means. `slot` tells that its names are the one value of something, `in_order` has them as they are
    said, `passive` tells of a "by".
    """

    said: str
    language: str | None = None
    words: int = 0
    terms: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    axes: Mapping[str, frozenset[bool]] = field(default_factory=dict)
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    amounts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    days: frozenset[str] = frozenset()
    quantifiers: frozenset[str] = frozenset()
    negated: bool = False
    ended: bool = False
    changed: bool = False
    replaced: bool = False
    also: bool = False
    slot: bool = False
    in_order: tuple[str, ...] = ()
    passive: bool = False
    final: str = ""
    parts: tuple["Statement", ...] = ()


def read(content: str, language: str | None = None) -> Statement:
    """The statement, in whichever of French and English it is made; None tells nothing of the language."""
    content = spelled(content)
    amounts = find_quantities(content)
    text = marked(content, amounts)
    for pattern, instead in PHRASES:
        text = pattern.sub(instead, text)
    reader = _Reader(amounts, plain(content))
    for match in _TOKEN.finditer(text):
        reader.take(match)
    whole = reader.statement(text)
    parts = tuple(read(part, language) for part in clauses(content)) if whole.changed else ()
    return replace(whole, said=normalise(content), language=language, words=len(content.split()), parts=parts)


class _Reader:
    """Gathers what the tokens of one text say."""

    def __init__(self, amounts: list[Quantity], flat: str) -> None:
        self._amounts, self._flat = amounts, flat
        self._kept: list[Quantity] = []
        self._meanings: list[Meaning] = []
        self._words: set[str] = set()
        self._names: dict[str, None] = {}
        self._marks: set[str] = set()
        self._negations = 0
        self._last = ""

    def take(self, match: re.Match[str]) -> None:
        """One more token."""
        if mark := match["mark"]:
            self._mark(mark)
        elif match["kind"]:
            self._kept.append(self._amounts[int(match["place"])])
        else:
            self._word(match["word"], match.string[: match.start()])

    def _stated(self, meaning: Meaning, before: str) -> None:
        """One of several values of which a thing has one; where it only tells which thing is meant, it is a term."""
        if meaning.group in _OF_THINGS and _PREDICATE.search(before) is None:
            self._words.add(meaning.name)
        else:
            self._meanings.append(meaning)

    def _mark(self, mark: str) -> None:
        if mark == "not":
            self._negations += 1
        elif mark in QUANTIFIERS or mark in {"changed", "replaced", "also"}:
            self._marks.add(mark)
        else:
            self._meanings.append(Meaning.of(mark))

    def _word(self, word: str, before: str) -> None:
        folded = word.lower()
        if folded in NEGATIONS:
            self._negations += 1
        elif folded in MONTHS:
            self._meanings.append(Meaning(f"month {MONTHS[folded]}", group="month"))
        elif folded in PLACES and (word[0].isupper() or folded != "us"):
            self._names[PLACES[folded]] = None
        elif word[0].isupper():
            self._names[folded] = None
        elif not is_small(folded):
            self._parts(folded, before)

    def _parts(self, word: str, before: str) -> None:
        whole = meaning_of(word)
        for part in [word] if whole is not None else word.split("-"):
            self._last = part
            if (meaning := meaning_of(part)) is not None:
                self._stated(meaning, before)
            elif not is_small(part):
                self._words.add(part)

    def statement(self, text: str) -> Statement:
        """What all of them say."""
        axes: dict[str, set[bool]] = {}
        groups: dict[str, set[str]] = {}
        for one in self._meanings:
            if one.pole is not None:
                axes.setdefault(one.name, set()).add(one.pole)
            if one.group is not None:
                groups.setdefault(one.group, set()).add(one.name)
        about = [one for one in self._meanings if one.group is None and one.name not in DIRECTIONS]
        known = {one.name for one in about if not one.common}
        if self._times and len(axes.get("open", ())) == 1:
            (pole,) = axes.pop("open")
            known = (known - {"open"}) | {"closes" if not pole else "opens" if self._times == 1 else "hours"}
        ended = "_changed_ _not_" in text
        return Statement(
            "",
            terms=frozenset(known | self._words),
            known=frozenset(known),
            common=frozenset(one.name for one in about if one.common),
            names=frozenset(self._names),
            axes={name: frozenset(poles) for name, poles in axes.items()},
            groups={name: frozenset(values) for name, values in groups.items()},
            amounts=self._by_kind(),
            days=frozenset(self._days()),
            quantifiers=frozenset(self._marks & QUANTIFIERS),
            negated=ended or self._negations % 2 == 1,
            ended=ended,
            changed=not self._marks.isdisjoint({"changed", "replaced"}),
            replaced="replaced" in self._marks,
            also="also" in self._marks,
            slot=_SLOT.search(text) is not None,
            in_order=tuple(self._names),
            passive=_PASSIVE.search(text) is not None,
            final=self._final(),
        )

    def _final(self) -> str:
        """What the last word of it means."""
        meaning = meaning_of(self._last)
        return meaning.name if meaning else self._last

    @property
    def _times(self) -> int:
        return sum(one.kind == "time" for one in self._kept)

    def _by_kind(self) -> dict[str, frozenset[str]]:
        kinds = dict.fromkeys(one.kind for one in self._kept if one.kind != "day")
        return {kind: frozenset(one.canonical for one in self._kept if one.kind == kind) for kind in kinds}

    def _days(self) -> Iterator[str]:
        last: Quantity | None = None
        for one in (one for one in self._kept if one.kind == "day"):
            ranged = last is not None and {last.canonical, one.canonical} <= set(_WEEK)
            if last is not None and ranged and _BETWEEN_DAYS.fullmatch(self._flat[last.end : one.start]):
                yield from _WEEK[_WEEK.index(last.canonical) : _WEEK.index(one.canonical) + 1]
            yield from _GROUPS.get(one.canonical, (one.canonical,))
            last = one
