"""Pairs of statements that somebody made one after the other, and how the second stands to the first.

Written before anything was tried on them. `SEEN` guided the rules, `LATER` mended them, `UNSEEN` were scored once, when
the first rules stood.
"""

from dataclasses import dataclass

from tests.unit.statement_pairs_later import TABLE as LATER_TABLE
from tests.unit.statement_pairs_seen import TABLE as SEEN_TABLE
from tests.unit.statement_pairs_unseen import TABLE as UNSEEN_TABLE


@dataclass(frozen=True)
class Pair:
    """`a` was said first. `label`: same, contradiction, update or apart; `languages` as "fr-en"."""

    label: str
    kind: str
    languages: str
    a: str
    b: str


def _pairs(table: str) -> list[Pair]:
    rows = (line.split(" | ") for line in table.strip().replace("\n    ", " ").splitlines())
    return [Pair(*(cell.strip() for cell in row)) for row in rows]


SEEN = _pairs(SEEN_TABLE)
LATER = _pairs(LATER_TABLE)
UNSEEN = _pairs(UNSEEN_TABLE)
