"""The ground on which a question is answered: the messages within reach, their words, and what is near the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from app.domain.bm25 import Collection
from app.domain.terms import HEAD


@dataclass(frozen=True, slots=True)
class Said:
    """A message near the answer, or beside one: of `terms` terms. `reply`: the assistant said it.

    `disowned`: what it says was deleted.
    """

    id: UUID
    conversation: str
    author: str | None
    reply: bool
    at: datetime
    marks: int
    terms: int
    disowned: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question: its `places` among the terms of the messages that hold it in their heads.

    `conversations` tells how often each conversation holds it.
    """

    places: Mapping[UUID, Sequence[int]]
    conversations: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ground:
    """All messages within reach: how many, their terms, those of their heads, and the conversations they are of.

    `cosines` tells how near each is in meaning, as far as that is known, `least` and `most` the bounds of all.
    """

    size: int
    terms: int
    heads: int
    conversations: int
    cosines: Mapping[UUID, float] = field(default_factory=dict)
    least: float = 0.0
    most: float = 0.0


def ground_of(collection: Collection) -> Ground:
    """The ground that a collection of messages is, as far as words go."""
    return Ground(collection.size, collection.length, collection.heads, collection.conversations)


def words_in(asked: Sequence[frozenset[str]], collection: Collection) -> list[Word]:
    """Where the words of a question stand in the heads of the messages; each word is a set of equal terms."""
    return [_word(terms, collection) for terms in asked]


def _word(terms: frozenset[str], collection: Collection) -> Word:
    places: dict[UUID, list[int]] = {}
    conversations: dict[str, int] = {}
    for term in terms:
        for posting in collection.postings.get(term, ()):
            if held := [place for place in posting.places if place < HEAD]:
                places.setdefault(posting.document, []).extend(held)
                conversations[posting.conversation] = conversations.get(posting.conversation, 0) + len(held)
    return Word(places, conversations)
