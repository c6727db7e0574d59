"""BM25, exactly: how well documents answer a question, from the postings of its words.

Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with the idf that is never negative.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

K1: Final = 1.2
B: Final = 0.75


@dataclass(frozen=True, slots=True)
class Posting:
    """That a document of `length` terms holds a term `count` times, first at these `places`.

    `conversation` is where it was said, '' for what was not.
    """

    document: UUID
    count: int
    length: int
    places: Sequence[int] = ()
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """`size` documents of `length` terms in all, with the postings of the terms that were asked for.

    `heads` counts the terms of the documents' beginnings alone, `conversations` those in which they were said.
    """

    size: int = 0
    length: int = 0
    heads: int = 0
    conversations: int = 0
    postings: Mapping[str, Sequence[Posting]] = field(default_factory=dict)


def joined(collections: Iterable[Collection]) -> Collection:
    """Several collections, no document in two of them, as one. They are of the same conversations."""
    size, length, heads, conversations = 0, 0, 0, 0
    postings: dict[str, list[Posting]] = {}
    for each in collections:
        size += each.size
        length += each.length
        heads += each.heads
        conversations = max(conversations, each.conversations)
        for term, found in each.postings.items():
            postings.setdefault(term, []).extend(found)
    return Collection(size, length, heads, conversations, postings)


def idf(size: int, holding: int) -> float:
    """What a word is worth that `holding` of `size` documents hold: `ln(1 + (N − df + ½) / (df + ½))`."""
    return math.log(1 + (size - holding + 0.5) / (holding + 0.5))


def scores(asked: Sequence[frozenset[str]], collection: Collection) -> dict[UUID, float]:
    """The BM25 score of every document that holds a word of the question; each word is a set of equal terms."""
    return _scores([_hits(word, collection) for word in asked], collection)


def shares(asked: Sequence[frozenset[str]], collection: Collection) -> dict[UUID, float]:
    """The scores as shares of what no document can reach, every word without end: in [0, 1), in the same order."""
    hits = [_hits(word, collection) for word in asked]
    ceiling = sum(idf(collection.size, len(held)) for held in hits) * (K1 + 1)
    return {document: score / ceiling for document, score in _scores(hits, collection).items()}


def matches(asked: Sequence[frozenset[str]], collection: Collection) -> Counter[UUID]:
    """How many words of the question each document holds, of those that it holds any of."""
    return Counter(document for word in asked for document in _hits(word, collection))


_Hits = dict[UUID, tuple[int, int]]
"""How often each document holds a word, and how long it is."""


def _hits(word: frozenset[str], collection: Collection) -> _Hits:
    held: _Hits = {}
    for term in word:
        for posting in collection.postings.get(term, ()):
            before = held.get(posting.document)
            held[posting.document] = (posting.count + (before[0] if before else 0), posting.length)
    return held


def _scores(hits: Sequence[_Hits], collection: Collection) -> dict[UUID, float]:
    found: dict[UUID, float] = {}
    stretch = K1 * B * collection.size / collection.length if collection.length else 0.0
    for held in hits:
        worth = idf(collection.size, len(held)) * (K1 + 1)
        for document, (count, length) in held.items():
            gained = worth * count / (count + K1 * (1 - B) + stretch * length)
            found[document] = found.get(document, 0.0) + gained
    return found
