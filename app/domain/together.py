"""Folding keys together that know of each other: whose rows were merged across, overtook or oppose one another."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

from app.domain.crossing import CROSSING, other_of
from app.domain.facts import Fact
from app.domain.fold import folded
from app.domain.folding import Folded
from app.domain.sources import Decision, Entry, Source, Verdict
from app.domain.subjects import KeyRef
from app.domain.tiers import TIERS, Tiers

_ROUNDS = 8
"""However many keys stand in a row: each counts for the next one, and mergers do not chain."""


def named(ref: KeyRef, entries: Iterable[Entry]) -> set[KeyRef]:
    """The other keys that the decisions among these entries name."""
    telling = (*CROSSING, Verdict.MERGE)
    told = [one for one in entries if isinstance(one, Decision) and one.verdict in telling]
    return {KeyRef(ref.subject, ref.agent_id, one.changes["key"]) for one in told} - {ref}


def fold_together(
    entries: Mapping[KeyRef, Sequence[Entry]], tiers: Tiers, elsewhere: Collection[Fact] = ()
) -> dict[KeyRef, Folded]:
    """The rows of these keys, each with what the rows of the others, and those `elsewhere`, are to it."""
    found = {ref: folded(ref, said, (), _tiers(said, tiers)) for ref, said in entries.items()}
    for _ in range(_ROUNDS):
        rows = {row.id: row for row in elsewhere} | {row.id: row for one in found.values() for row in one.rows}
        merged: dict[UUID, list[Fact]] = {}
        for row in rows.values():
            if row.merged_into is not None:
                merged.setdefault(row.merged_into, []).append(row)
        again = dict(found)
        for ref, said in entries.items():
            counting = [away for row in found[ref].rows for away in merged.get(row.id, ()) if away.ref != ref]
            others = [rows[other] for other in _opposing(said) if other in rows]
            if counting or others:
                again[ref] = folded(ref, said, counting, _tiers(said, tiers), others)
        if again == found:
            break
        found = again
    return found


def _opposing(entries: Iterable[Entry]) -> set[UUID]:
    return {other_of(one) for one in entries if isinstance(one, Decision) and one.verdict is Verdict.OPPOSE}


def _tiers(entries: Iterable[Entry], tiers: Tiers) -> Tiers:
    """What sessions show fades by its policy, whatever tiers say."""
    return TIERS if any(isinstance(one, Source) and one.observed for one in entries) else tiers
