"""The archival tier: what lies near the user's turn, and which past words may be quoted: no old value comes back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeAlias

from app.domain.facts import Fact
from app.domain.messages import Message
from app.domain.quantities import find_quantities
from app.domain.quoting import one_line
from app.domain.subjects import KeyRef
from app.domain.terms import fold, words
from app.domain.wording import topic_words

MOST_FACTS: Final = 5
MOST_MESSAGES: Final = 5
LONGEST_QUOTE: Final = 280
"""Characters of a message that are quoted; of a longer one its first words."""
SHORTEST_PHRASE: Final = 4
"""Characters of a value that tells what it is about by itself; shorter ones, and amounts, stand in many a sentence."""

Stated: TypeAlias = tuple[KeyRef, str]
"""A key and the comparison form of the value that a message states for it."""


@dataclass(frozen=True, slots=True)
class PastMessage:
    """A message near the user's turn: how near, on which day it was said where it was said, and what it states.

    `author` is who said it where that is not the reader.
    """

    message: Message
    score: float
    day: date
    states: tuple[Stated, ...] = ()
    author: str | None = None

    @property
    def excerpt(self) -> str:
        """What is quoted of it, on one line."""
        text = one_line(self.message.content)
        if len(text) <= LONGEST_QUOTE:
            return text
        cut = text[: LONGEST_QUOTE - 1]
        return f"{cut.rpartition(' ')[0] or cut}…"


@dataclass(frozen=True, slots=True)
class Archive:
    """What was found: facts and messages, nearest first, and all `rows`, believed or not, of the keys concerned."""

    facts: tuple[Fact, ...] = ()
    messages: tuple[PastMessage, ...] = ()
    rows: tuple[Fact, ...] = ()


def near_facts(archive: Archive, standing: Sequence[Fact], served: Sequence[Fact]) -> list[Fact]:
    """Those found, or what they were merged into, that stand for their keys (`standing`), and are not served yet."""
    places = {fact.id: fact for fact in standing}
    free = places.keys() - {fact.id for fact in served}
    near = dict.fromkeys(fact.merged_into or fact.id for fact in archive.facts)
    return [places[fact_id] for fact_id in near if fact_id in free][:MOST_FACTS]


def quotable(archive: Archive, standing: Iterable[Fact], served: Iterable[Fact]) -> list[PastMessage]:
    """The messages that hold nothing but what stands, and say more than what is served already.

    One that states a value which does not stand for its key, nor by what it was merged into, is out, as is one in whose
    quoted words such a value of the keys concerned can be read.
    """
    standing = list(standing)
    ids = {fact.id for fact in standing}
    current = {(row.ref.key, row.normal) for row in (*standing, *archive.rows) if {row.id, row.merged_into} & ids}
    told = {(fact.ref.key, fact.normal) for fact in served}
    lapsed = [_Trace.of_fact(row) for row in archive.rows if (row.ref.key, row.normal) not in current]
    return [
        past
        for past in archive.messages
        if all((ref.key, normal) in current for ref, normal in past.states)
        and not (past.states and all((ref.key, normal) in told for ref, normal in past.states))
        and not _holds_any(past.excerpt, lapsed)
    ][:MOST_MESSAGES]


@dataclass(frozen=True, slots=True)
class _Trace:
    """What gives a value away in a sentence: its amounts or its wording, and what it is about."""

    amounts: frozenset[str]
    phrase: str
    topics: frozenset[str]

    @classmethod
    def of_fact(cls, fact: Fact) -> "_Trace":
        value = "" if isinstance(fact.value, bool | list | dict | None) else str(fact.value)
        topics = topic_words(f"{fact.content} {fact.ref.key.replace('_', ' ')}")
        return cls(_amounts(value), _phrase(value), frozenset(topics) - {*topic_words(value)})

    @classmethod
    def of_text(cls, text: str) -> "_Trace":
        return cls(_amounts(text), _phrase(text), frozenset(topic_words(text)))

    def stands_in(self, text: "_Trace") -> bool:
        """Whether the text says the value of the same thing; one that names nothing may mean this."""
        if not self.phrase.strip():
            return False
        said = self.amounts <= text.amounts if self.amounts else self.phrase in text.phrase
        tells = not self.amounts and len(self.phrase.strip()) >= SHORTEST_PHRASE
        return said and (tells or not text.topics or not self.topics.isdisjoint(text.topics))


def _holds_any(text: str, lapsed: Sequence[_Trace]) -> bool:
    said = _Trace.of_text(text)
    return any(trace.stands_in(said) for trace in lapsed)


def _amounts(text: str) -> frozenset[str]:
    """The numbers, hours and days of a text, without their units, which are often left out."""
    return frozenset(quantity.canonical.split()[0] for quantity in find_quantities(text))


def _phrase(text: str) -> str:
    return f" {' '.join(map(fold, words(text)))} "
