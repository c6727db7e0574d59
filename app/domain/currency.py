"""What is current comes before what it took the place of: likeness alone cannot tell the new from the stale."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from app.domain.asking import Asked
from app.domain.ground import Said, Word
from app.domain.marks import Mark

LOOKED_AT: Final = 6
"""The best answers among which an older and a newer statement of one thing are looked for."""
_SHARED: Final = 2
"""Words of the question that both must hold, at least, and half as many as the best answer holds."""
_STATES: Final = Mark.COUNTED.value
_UPDATES: Final = Mark.UPDATES.value


def current_first(
    question: Asked, words: Sequence[Word], ranked: Sequence[UUID], strips: Sequence[Sequence[Said]]
) -> list[UUID]:
    """The ranking, in which what says that things have changed stands above what was said of the same before.

    Only where the question asks how something stands now. Of the same is what has a number, a word of the
    question, and its other words in it or right beside it.
    """
    order = list(ranked)
    if not question.current:
        return order
    said = {each.id: each for strip in strips for each in strip}
    beside = _beside(strips)
    near = [each for each in order[:LOOKED_AT] if not said[each].reply]
    held = {each: sum(not word.places.keys().isdisjoint(beside[each]) for word in words) for each in near}
    least = max(_SHARED, max(held.values(), default=0) / 2)
    own = {each for each in near if any(each in word.places for word in words)}
    stating = [each for each in near if each in own and held[each] >= least and said[each].marks & _STATES]
    for newer in sorted((each for each in stating if said[each].marks & _UPDATES), key=lambda one: _when(said[one])):
        above = order[: order.index(newer)]
        older = [each for each in above if each in stating and _when(said[each]) < _when(said[newer])]
        if older:
            order.remove(newer)
            order.insert(order.index(older[0]), newer)
    return order


def _beside(strips: Sequence[Sequence[Said]]) -> dict[UUID, list[UUID]]:
    """Each message with the one before it and the one behind it."""
    return {
        each.id: [one.id for one in strip[max(0, place - 1) : place + 2]]
        for strip in strips
        for place, each in enumerate(strip)
    }


def _when(said: Said) -> tuple[float, UUID]:
    return said.at.timestamp(), said.id
