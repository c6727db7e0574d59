"""Which of the rows at hand a block is chosen from; where they are many, the store answers the same by index."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from app.domain.facts import Fact
from app.domain.observations import FactCategory

_NEVER = datetime.max.replace(tzinfo=UTC)


def stated(rows: Iterable[Fact], agents: Sequence[str], limit: int) -> list[Fact]:
    """The live stated rows of one subject in these pockets: the pinned, of each pocket and tier the `limit` first by
    rank, and of those with a half-life of their own, whose ranks do not compare, those that take longest to fade.
    """
    live = [fact for fact in rows if fact.live and fact.behaviour is None and fact.ref.agent_id in agents]
    own = [fact for fact in live if fact.traits.half_life_days is not None]
    longest = sorted(own, key=lambda fact: fact.fades_at or _NEVER, reverse=True)[:limit]
    shelves: defaultdict[object, list[Fact]] = defaultdict(list)
    for fact in live:
        if fact.traits.half_life_days is None:
            shelves[fact.ref.agent_id, fact.traits.tier].append(fact)
    return _each_once([*(fact for fact in live if fact.pinned), *_strongest(shelves.values(), limit), *longest])


def shown(
    rows: Iterable[Fact], agents: Sequence[str], limit: int, categories: Sequence[FactCategory] = tuple(FactCategory)
) -> list[Fact]:
    """What sessions show of one person in these pockets and is live: the pinned, and of each pocket and category the
    `limit` first by rank.
    """
    live = [fact for fact in rows if fact.live and fact.behaviour is not None and fact.ref.agent_id in agents]
    live = [fact for fact in live if fact.traits.category in categories]
    shelves: defaultdict[object, list[Fact]] = defaultdict(list)
    for fact in live:
        shelves[fact.ref.agent_id, fact.traits.category].append(fact)
    return _each_once([*(fact for fact in live if fact.pinned), *_strongest(shelves.values(), limit)])


def _strongest(shelves: Iterable[Sequence[Fact]], limit: int) -> list[Fact]:
    return [fact for shelf in shelves for fact in sorted(shelf, key=lambda fact: fact.rank, reverse=True)[:limit]]


def _each_once(facts: Iterable[Fact]) -> list[Fact]:
    return list({fact.id: fact for fact in facts}.values())
