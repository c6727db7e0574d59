"""What stands between rows of two keys: that one has overtaken the other, or that they cannot both hold.

Each is a decision in the fold of every key that it concerns, and names the row of the other key by id: `other`, `key`.
An overtaken row is over from the other's beginning. Of two that cannot both hold (`oppose`) each fold has a decision,
of which `newer` says whether the other one was said later; it is in force while both are believed and nobody lets both
hold.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from app.domain.contradictions import Contradiction, contradiction_id
from app.domain.facts import Fact
from app.domain.identifiers import uuid7
from app.domain.sources import Decision, Entry, Verdict
from app.domain.subjects import KeyRef
from app.domain.tenancy import Actor

CROSSING = frozenset({Verdict.OVERTAKE, Verdict.OPPOSE})
"""The verdicts that name a row of another key."""


@dataclass(frozen=True, slots=True)
class Opposition:
    """That a row cannot hold with one of another key; `agreed_at` is when a person let both hold."""

    decision: Decision
    agreed_at: datetime | None = None

    @property
    def other(self) -> UUID:
        """The row of another key."""
        return other_of(self.decision)

    @property
    def newer(self) -> bool:
        """Whether that one was said later."""
        return bool(self.decision.changes["newer"])


def overtaking(older: Fact, newer: Fact, author: Actor, now: datetime) -> Decision:
    """For the older one's key: it is over since the newer one, of another key, began."""
    changes = {"other": str(newer.id), "key": newer.ref.key, "valid_from": newer.valid_from.isoformat()}
    at = max(older.last_reinforced_at, newer.last_reinforced_at)
    return Decision(uuid7(), at, now, Verdict.OVERTAKE, older.id, author, changes)


def opposing(one: Fact, other: Fact, author: Actor, now: datetime) -> Decision:
    """For the key of `one`: it cannot hold with the other, of another key."""
    changes = {"other": str(other.id), "key": other.ref.key, "newer": _place(one) < _place(other)}
    at = max(one.last_reinforced_at, other.last_reinforced_at)
    return Decision(uuid7(), at, now, Verdict.OPPOSE, one.id, author, changes)


def other_of(decision: Decision) -> UUID:
    """The row of another key that the decision names."""
    return UUID(decision.changes["other"])


def crossed(ref: KeyRef, entries: Iterable[Entry]) -> set[KeyRef]:
    """The other keys whose rows are told to oppose one of this key's."""
    told = [one for one in entries if isinstance(one, Decision) and one.verdict is Verdict.OPPOSE]
    return {KeyRef(ref.subject, ref.agent_id, one.changes["key"]) for one in told}


def overtaken(fact: Fact, decision: Decision) -> Fact:
    """The row, closed by one of another key. One that is not believed any more stays as it is."""
    if not fact.live:
        return fact
    until = datetime.fromisoformat(decision.changes["valid_from"])
    return replace(fact, archived_at=decision.at, superseded_by=other_of(decision), valid_to=until)


def opposed(fact: Fact, against: Sequence[Opposition], others: Mapping[UUID, Fact]) -> Fact:
    """The row with its rivals of other keys."""
    names = tuple(dict.fromkeys(one.other for one in _open(against, others)))
    if not fact.live or not names:
        return fact
    newer = newer_elsewhere(against, others)
    return replace(fact, newer_rivals=fact.newer_rivals + newer, contradicted=True, opposed=names)


def newer_elsewhere(against: Sequence[Opposition], others: Mapping[UUID, Fact]) -> int:
    """How many believed rows of other keys, said later, oppose it."""
    return len({one.other for one in _open(against, others) if one.newer})


def _open(against: Sequence[Opposition], others: Mapping[UUID, Fact]) -> list[Opposition]:
    return [one for one in against if one.agreed_at is None and one.other in others and others[one.other].live]


def disputes(fact: Fact, against: Sequence[Opposition], others: Mapping[UUID, Fact]) -> list[Contradiction]:
    """The contradictions with rows of other keys, which are those of the older row's key."""
    found: dict[UUID, Contradiction] = {}
    for one in against:
        other = others.get(one.other)
        if other is not None and one.newer:
            ends = [end for end in (one.agreed_at, fact.archived_at, other.archived_at) if end is not None]
            opened_at = one.decision.at
            settled_at = max(opened_at, min(ends)) if ends else None
            name = contradiction_id(fact.id, other.id)
            found.setdefault(name, Contradiction(name, fact.ref, fact.id, other.id, opened_at, settled_at))
    return list(found.values())


def _place(fact: Fact) -> tuple[datetime, UUID]:
    return fact.last_reinforced_at, fact.id
