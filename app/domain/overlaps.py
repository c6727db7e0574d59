"""What two statements have in common."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from app.domain.concepts import alike
from app.domain.statements import Statement

_OPPOSITES: Final = (
    ("public", "private"),
    ("big", "small"),
    ("hot", "cold"),
    ("sweet", "savoury"),
    ("new", "used"),
    ("fresh", "frozen"),
    ("short", "long"),
    ("light", "heavy"),
    ("handmade", "machine_made"),
    ("open_air", "indoors"),
)
"""Words of which one denies the other where a statement ends in them; elsewhere they tell which thing is meant."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What two statements have in common of some words, and what each has alone."""

    both: frozenset[str]
    first: frozenset[str]
    second: frozenset[str]

    @classmethod
    def of(cls, first: Collection[str], second: Collection[str]) -> "Shared":
        both = {one for one in first if _found(one, second)}
        return cls(frozenset(both), frozenset(first) - both, frozenset(two for two in second if not _found(two, first)))

    @property
    def contrasted(self) -> bool:
        """Whether each has some that the other lacks."""
        return bool(self.first and self.second)

    @property
    def equal(self) -> bool:
        return not (self.first or self.second)


def shared_values(a: Statement, b: Statement) -> Shared:
    """The values of closed kinds of both; one counts as shared where the other has it for a term."""
    first, second = _values(a), _values(b)
    return Shared(first & second, first - second - b.terms, second - first - a.terms)


def _values(statement: Statement) -> frozenset[str]:
    return frozenset(value for values in statement.groups.values() for value in values)


def shared_terms(a: Statement, b: Statement) -> Shared:
    """The terms of both; one counts as shared where the other has it for a name, at its beginning."""
    shared = Shared.of(a.terms, b.terms)
    first = frozenset(one for one in shared.first if not _found(one, b.names | _values(b)))
    second = frozenset(one for one in shared.second if not _found(one, a.names | _values(a)))
    return Shared(a.terms - first, first, second)


def shared_names(a: Statement, b: Statement) -> Shared:
    """The names of both; one counts as shared where the other says it as a common word."""
    first = {name for name in a.names if name not in b.names and not _found(name, b.terms)}
    second = {name for name in b.names if name not in a.names and not _found(name, a.terms)}
    return Shared(a.names - first, frozenset(first), frozenset(second))


def _found(word: str, among: Iterable[str]) -> bool:
    return word in among or any(alike(word, other) for other in among)


def contrasts(one: str, other: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    """The two as what each statement has alone, where they are opposites."""
    return [(frozenset({one}), frozenset({other}))] if (one, other) in _OPPOSITES or (other, one) in _OPPOSITES else []
