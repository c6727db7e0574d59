"""How well past messages answer a question: words and meaning fused, with what stands around them, who spoke, and when.

Each clue is a number for each message, most of them brought to [0, 1] over the messages in question; the score is
their weighted sum. The weights were fitted on conversations, leaving one out at a time; see `scripts/bench recall`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import log1p
from typing import Final, TypeAlias
from uuid import UUID

from app.domain.asking import Asked
from app.domain.bm25 import idf
from app.domain.ground import Ground, Said, Word
from app.domain.marks import Mark
from app.domain.terms import HEAD

REACH: Final = 2
"""Messages before and behind one that lend it their words."""
_K1: Final = 1.2
_B: Final = 0.4
_LENT: Final = (1.0, 0.8, 0.64)
"""What a word is worth so many messages away."""
_CLOSE: Final = 4
"""Terms between two words of the question that stand together."""
MOST_PERIODS: Final = 4
MOST_WISHES: Final = 3
_CHAT: Final = 30.0
_LETTERS: Final = 60.0
"""Mean terms of a message, from chat, where neighbours tell much, to letters, where they tell nothing."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each clue counts; those of the second half as far as people chat."""

    meaning: float = 1.33
    words: float = 0.3
    together: float = 0.1
    author: float = 0.65
    user: float = 0.55
    next_words: float = 0.1
    next_meaning: float = 0.25
    period: float = 1.06
    told_by_assistant: float = 0.4
    wish: float = 0.6
    preference: float = 0.3
    denial: float = 0.1
    around: float = 0.55
    around_meaning: float = 0.6
    answering: float = 0.4
    conversation: float = 0.375
    previous_meaning: float = 0.1
    timed: float = 0.53
    counted: float = 0.3
    titled: float = 0.5
    asks: float = -0.2
    length: float = 0.4


WEIGHTS: Final = Weights()

_ORDERS: Final = Mark.ORDERS.value
_PREFERS: Final = Mark.PREFERS.value
_DENIES: Final = Mark.DENIES.value
_Row: TypeAlias = list[float]
_Column: TypeAlias = dict[int, float]
"""The values that are not 0, by index."""


def rank(
    question: Asked, words: Sequence[Word], strips: Sequence[Sequence[Said]], ground: Ground, weights: Weights = WEIGHTS
) -> dict[UUID, float]:
    """The score of each message of the strips; a strip is what was said one after the other in a conversation."""
    if not ground.size:
        return {}
    said = [each for strip in strips for each in strip]
    place = _places(strips)
    where = {each.id: index for index, each in enumerate(said)}
    columns = [_column(word, said, where, ground) for word in words]
    clues = [
        *_by_words(words, columns, said, place, weights, ground),
        *_by_meaning(said, place, weights, ground),
        *_by_marks(question, said, weights, ground),
    ]
    scores = [sum(each, 0.0) for each in zip(*clues, strict=True)]
    if question.for_help:
        scores = _wished(said, scores, weights)
    return dict(zip(where, scores, strict=True))


def _by_words(
    words: Sequence[Word],
    columns: Sequence[_Column],
    said: Sequence[Said],
    place: "_Places",
    w: Weights,
    ground: Ground,
) -> Iterator[_Row]:
    chat, conversation = _chat(ground), _conversations(words, ground)
    own, around = [0.0] * len(said), [0.0] * len(said)
    for column in columns:
        for index, value in column.items():
            own[index] += value
        for index, value in place.lent(column).items():
            around[index] += value
    answered = [value if each.marks & Mark.ASKS.value else 0.0 for value, each in zip(own, said, strict=True)]
    yield _times(w.words, _spread(own))
    yield _times(w.together, _spread(_together(words, said)))
    yield _times(w.next_words, _spread(place.behind(own)))
    yield _times(w.around * chat, _spread(around))
    yield _times(w.answering * chat, _spread(place.before(answered)))
    yield _times(w.conversation * chat, _spread([conversation.get(each.conversation, 0.0) for each in said]))


def _by_meaning(said: Sequence[Said], place: "_Places", w: Weights, ground: Ground) -> Iterator[_Row]:
    if ground.most <= ground.least:
        return
    low, height = ground.least, ground.most - ground.least
    near = [(ground.cosines.get(each.id, low) - low) / height for each in said]
    yield _times(w.meaning, near)
    yield _times(w.next_meaning, place.behind(near))
    yield _times(w.previous_meaning * _chat(ground), place.before(near))
    yield _times(w.around_meaning * _chat(ground), place.greatest(near))


def _by_marks(question: Asked, said: Sequence[Said], w: Weights, ground: Ground) -> Iterator[_Row]:
    chat = _chat(ground)
    sought = [(question.when, Mark.TIMED, w.timed), (question.how_many, Mark.COUNTED, w.counted)]
    sought.append((question.title, Mark.TITLED, w.titled))
    weight = {mark.value: chat * worth for wanted, mark, worth in sought if wanted}
    weight[Mark.ENDS_ASKING.value] = chat * w.asks
    for mark, worth in weight.items():
        yield [worth if each.marks & mark else 0.0 for each in said]
    if question.named:
        one = len(question.named) == 1
        yield [w.author * (one and not each.reply and each.author in question.named) for each in said]
    elif any(each.reply for each in said):
        yield [w.user * (not each.reply) for each in said]
    yield [chat * w.length * log1p(min(each.terms, HEAD)) / 4 for each in said]
    if question.of_assistant:
        yield [w.told_by_assistant * each.reply for each in said]
    if question.whether:
        yield [w.denial * (not each.reply and bool(each.marks & _DENIES)) for each in said]
    for period in question.periods[:MOST_PERIODS]:
        yield [w.period * period.nearness(each.at.date()) for each in said]


def _wished(said: Sequence[Said], scores: _Row, w: Weights) -> _Row:
    """The scores, in which the best of what was wished for rises: all of it would leave room for nothing else."""
    risen = {
        index: scores[index] + w.wish * bool(each.marks & _ORDERS) + w.preference * bool(each.marks & _PREFERS)
        for index, each in enumerate(said)
        if not each.reply and each.marks & (_ORDERS | _PREFERS)
    }
    best = dict(sorted(risen.items(), key=lambda one: -one[1])[:MOST_WISHES])
    return [best.get(index, score) for index, score in enumerate(scores)]


def _column(word: Word, said: Sequence[Said], where: Mapping[UUID, int], ground: Ground) -> _Column:
    """What the word is worth to each message: BM25 over their heads."""
    worth, mean = idf(ground.size, len(word.places)) * (_K1 + 1), max(ground.heads / ground.size, 1.0)
    column: _Column = {}
    for message in where.keys() & word.places.keys():
        index, count = where[message], len(word.places[message])
        length = min(said[index].terms, HEAD)
        column[index] = worth * count / (count + _K1 * (1 - _B + _B * length / mean))
    return column


def _conversations(words: Sequence[Word], ground: Ground) -> dict[str, float]:
    """BM25 of whole conversations, however long they are."""
    found: dict[str, float] = {}
    for word in words:
        worth = idf(ground.conversations, len(word.conversations)) * (_K1 + 1)
        for conversation, count in word.conversations.items():
            found[conversation] = found.get(conversation, 0.0) + worth * count / (count + _K1)
    return found


def _together(words: Sequence[Word], said: Sequence[Said]) -> _Row:
    """How many pairs of words stand close to each other."""

    def close(one: Sequence[int], other: Sequence[int]) -> bool:
        return any(abs(here - there) <= _CLOSE for here, there in product(one, other))

    held = ([word.places[each.id] for word in words if each.id in word.places] for each in said)
    return [float(sum(close(*pair) for pair in combinations(places, 2))) for places in held]


class _Places:
    """Who stands beside whom."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self._first: list[int] = []
        self._last: list[int] = []
        start = 0
        for length in lengths:
            self._first += [start] * length
            start += length
            self._last += [start] * length

    def lent(self, column: _Column) -> _Column:
        """The values with those that they lend to what stands beside them: of several the greatest."""
        found = dict(column)
        for index, value in column.items():
            for other in range(max(self._first[index], index - REACH), min(self._last[index], index + REACH + 1)):
                found[other] = max(found.get(other, 0.0), _LENT[abs(other - index)] * value)
        return found

    def greatest(self, row: _Row) -> _Row:
        """Of each the greatest value of what stands beside it, and its own."""
        bounds = zip(self._first, self._last, strict=True)
        return [max(row[max(first, i - REACH) : min(last, i + REACH + 1)]) for i, (first, last) in enumerate(bounds)]

    def before(self, row: _Row) -> _Row:
        """Of each the value of the one before it, 0 for the first."""
        return [row[index - 1] if index > first else 0.0 for index, first in enumerate(self._first)]

    def behind(self, row: _Row) -> _Row:
        """Of each the value of the one behind it, 0 for the last."""
        return [row[index + 1] if index + 1 < last else 0.0 for index, last in enumerate(self._last)]


def _places(strips: Sequence[Sequence[Said]]) -> _Places:
    return _Places([len(strip) for strip in strips])


def _chat(ground: Ground) -> float:
    mean = ground.terms / ground.size
    return min(max((_LETTERS - mean) / (_LETTERS - _CHAT), 0.0), 1.0)


def _spread(row: _Row) -> _Row:
    """Brought to [0, 1], all alike to 0; what nothing is known of is 0 before."""
    low, high = min(row, default=0.0), max(row, default=0.0)
    return [(value - low) / (high - low) for value in row] if high > low else [0.0] * len(row)


def _times(weight: float, row: _Row) -> _Row:
    return [weight * value for value in row]
