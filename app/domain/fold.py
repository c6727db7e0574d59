"""A key's rows as the pure fold over its sources and decisions, in time order (design: turns → drafts → facts)."""

from collections.abc import Iterable, Sequence

from app.domain.facts import Fact
from app.domain.folding import Folded, Folding
from app.domain.sources import Entry, in_force
from app.domain.subjects import KeyRef
from app.domain.tiers import TIERS, Tiers


def fold(
    ref: KeyRef,
    entries: Iterable[Entry],
    merged: Sequence[Fact] = (),
    tiers: Tiers = TIERS,
    others: Sequence[Fact] = (),
) -> list[Fact]:
    """The rows of `folded`."""
    return folded(ref, entries, merged, tiers, others).rows


def folded(
    ref: KeyRef,
    entries: Iterable[Entry],
    merged: Sequence[Fact] = (),
    tiers: Tiers = TIERS,
    others: Sequence[Fact] = (),
) -> Folded:
    """The rows of one key; the same entries give the same rows in whatever order they arrive.

    A row's id is that of its first recorded source, so that a late source does not rename it. `merged` are the rows of
    other keys that were merged into one of this key's, `others` those that oppose one, as they stand. All fade as if
    `tiers` had always held.
    """
    return Folding.of(ref, in_force(entries), tiers, others=others).finish(merged)
