"""Which of the stored beliefs a reader is served: what they may see, one value for each key, what they asked for."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.domain.facts import Fact
from app.domain.rows import of_a_customer
from app.domain.sources import Audience
from app.domain.subjects import Scope, user_of
from app.domain.tenancy import TenantScope
from app.domain.watch import is_marked

_NARROWEST_FIRST = (Scope.USER, Scope.STORE, Scope.ORG)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a caller asks for: a least score, some scopes (None: all), facts that carry one of some tags (none: all)."""

    min_score: float = 0.0
    scopes: frozenset[Scope] | None = None
    tags: frozenset[str] = frozenset()

    def admits(self, fact: Fact, now: datetime) -> bool:
        """Whether the fact is among what is asked for."""
        in_scope = self.scopes is None or fact.ref.subject.scope in self.scopes
        tagged = not self.tags or not self.tags.isdisjoint(fact.traits.tags)
        return in_scope and tagged and fact.score(now) >= self.min_score


EVERYTHING = Wanted()


def is_watch(fact: Fact) -> bool:
    """Whether the fact is about another company, never about ours."""
    return is_marked(fact.ref.key, fact.traits.tags)


def may_be_served(fact: Fact, reader: TenantScope) -> bool:
    """Whether the reader may be shown the fact.

    What is about a person is theirs alone. The rest is the team's; a contact is shown of it what is marked for
    everyone. The platform is shown nothing.
    """
    if fact.ref.subject.scope is Scope.USER:
        return reader.person is not None and user_of(fact.ref.subject) == reader.person
    return reader.is_operator or (reader.person is not None and fact.traits.audience is Audience.EVERYONE)


def faded(fact: Fact, now: datetime) -> bool:
    """Whether the score has fallen under the archiving line, which no pinned fact and no identity ever does."""
    return fact.fades_at is not None and fact.fades_at <= now


def prevailing(
    candidates: Iterable[Fact], *, reader: TenantScope, agent_id: str, now: datetime, wanted: Wanted = EVERYTHING
) -> list[Fact]:
    """The facts that stand for their keys and are wanted, in no promised order.

    A key is answered from its narrowest place: person before store before organisation, then `agent_id`'s own pocket
    before the shared one. There it has one value, unless it holds many or a person let several hold: the pinned, else
    the hand-written (what is only said in a chat does not outrank it), else what the team says before what a customer
    does, else the higher score, else the newer; and so of two keys of which the facts cannot both hold. Watch facts
    stand apart from ours. What is wanted narrows the answer, never who prevails in it: an outranked value does not come
    back.
    """
    keys: dict[tuple[bool, str], list[Fact]] = {}
    for fact in candidates:
        if fact.live and may_be_served(fact, reader) and not faded(fact, now):
            keys.setdefault((is_watch(fact), fact.ref.key), []).append(fact)
    standing = [fact for rivals in keys.values() for fact in _standing(rivals, agent_id, now)]
    return [fact for fact in _undisputed(standing, now) if wanted.admits(fact, now)]


def _undisputed(standing: list[Fact], now: datetime) -> list[Fact]:
    """Without those that one of another key outranks, of two that cannot both hold."""
    known = {fact.id: fact for fact in standing if fact.opposed}

    def outranked(fact: Fact) -> bool:
        against = (known[other] for other in fact.opposed if other in known)
        return any(_weight(other, now) > _weight(fact, now) for other in against)

    return [fact for fact in standing if not (fact.opposed and outranked(fact))]


def _weight(fact: Fact, now: datetime) -> tuple[bool, bool, bool, float, int, datetime, UUID]:
    of_team = not of_a_customer(fact)
    return fact.pinned, fact.by_hand, of_team, fact.score(now), -fact.newer_rivals, fact.last_reinforced_at, fact.id


def _standing(rivals: list[Fact], agent_id: str, now: datetime) -> list[Fact]:
    """What holds among the facts of one key."""

    def place(fact: Fact) -> tuple[int, bool]:
        return _NARROWEST_FIRST.index(fact.ref.subject.scope), fact.ref.agent_id != agent_id

    narrowest = min(map(place, rivals))
    there = [fact for fact in rivals if place(fact) == narrowest]
    together = any(fact.traits.many for fact in there) or not any(
        fact.contradicted or fact.newer_rivals for fact in there
    )
    return there if together else [max(there, key=lambda fact: _weight(fact, now))]
