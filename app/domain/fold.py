"""A key's rows as the pure fold over its sources and decisions, in time order (design: turns → drafts → facts)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from app.domain.behaviour import Behaviour
from app.domain.facts import Fact, Provenance
from app.domain.sources import (
    Decision,
    Entry,
    Reason,
    Relation,
    Source,
    Trust,
    Verdict,
    amended,
    in_time_order,
)
from app.domain.subjects import KeyRef

CONFIRMATION_STEP = 0.1
CONFIRMATIONS_TO_SUPERSEDE = 3
_TRUST_ORDER = (Trust.CONTACT, Trust.MEMBER, Trust.ADMIN)


def fold(ref: KeyRef, entries: Iterable[Entry]) -> list[Fact]:
    """The rows of one key, oldest first; the same entries give the same rows in whatever order they arrive.

    A row's id is that of its first recorded source, so that a late source does not rename it.
    """
    ordered = in_time_order(list(entries))
    state = _Fold(ref, any(map(_says_many, ordered)), [])
    for entry in ordered:
        if isinstance(entry, Source):
            state.hear(entry)
        else:
            state.decide(entry)
    return state.finish()


@dataclass(slots=True)
class _Row:
    """A row in the making, with the sources it rests on."""

    fact: Fact
    sources: list[Source]

    @property
    def id(self) -> UUID:
        return min(self.sources, key=lambda source: (source.recorded_at, source.id)).id

    def rests_on(self, source_id: UUID | None) -> bool:
        """Whether that source is one of this row's: rows are named by one of theirs."""
        return any(source.id == source_id for source in self.sources)


@dataclass(slots=True)
class _Fold:
    """The rows so far, in the order in which they were opened, and what sessions have shown of the key."""

    ref: KeyRef
    many: bool
    rows: list[_Row]
    behaviour: Behaviour | None = None

    def hear(self, source: Source) -> None:
        """Take one more source: a confirmation of the row that still stands, else a new row."""
        if source.observed is not None:
            known = self.behaviour
            self.behaviour = known.reinforced(source.observed) if known else Behaviour(source.observed.policy)
        row = self._standing(source)
        if row is None:
            row = self._open(source)
        else:
            _confirm(row, source)
        row.fact = replace(row.fact, behaviour=self.behaviour)
        if row.fact.live:
            self._settle_rivals(row, source)

    def decide(self, decision: Decision) -> None:
        """Apply a person's decision to the row that now holds the named row's value; one about a row that is gone says
        nothing. A late source may have split that row since: the decision holds for the value all the same.
        """
        named = next((row for row in self.rows if row.rests_on(decision.fact_id)), None)
        if named is not None:
            holder = next(row for row in reversed(self.rows) if row.fact.normal == named.fact.normal)
            holder.fact = _decided(holder.fact, decision)

    def finish(self) -> list[Fact]:
        """The rows under their final names, with their rivals counted."""
        ids = [row.id for row in self.rows]
        names = {source.id: row_id for row, row_id in zip(self.rows, ids, strict=True) for source in row.sources}
        facts = [
            replace(
                row.fact,
                id=names[row.fact.id],
                traits=replace(row.fact.traits, many=self.many),
                superseded_by=names[row.fact.superseded_by] if row.fact.superseded_by else None,
            )
            for row in self.rows
        ]
        live = [] if self.many else [fact for fact in facts if fact.live]
        return [_with_rivals(fact, live) for fact in facts]

    def _standing(self, source: Source) -> _Row | None:
        """The live row that this source confirms: same value, and no rival was heard since it was last said.

        What a person archived is not shown again by more of the same behaviour.
        """
        if source.reason is Reason.EDITED or not self.rows:
            return None
        candidates = [row for row in (self.rows if self.many else self.rows[-1:]) if row.fact.normal == source.normal]
        shelved = source.observed is not None
        return next(
            (row for row in reversed(candidates) if row.fact.live or (shelved and row.fact.superseded_by is None)), None
        )

    def _open(self, source: Source) -> _Row:
        """A new row; it takes over the confirmations of the same value said before."""
        row = _Row(_fresh(self.ref, source), [source])
        before = next((old for old in reversed(self.rows) if old.fact.normal == source.normal), None)
        if before is not None and source.reason is not Reason.EDITED:
            row.fact = _inherit(row.fact, before.fact)
        self.rows.append(row)
        return row

    def _settle_rivals(self, row: _Row, source: Source) -> None:
        """Supersede the live rows of the same value, and those that the source or a third confirmation puts out."""
        outnumbering = row.fact.confirmation_count >= CONFIRMATIONS_TO_SUPERSEDE
        replacing = source.relation is not Relation.STATEMENT or outnumbering
        for rival in self.rows:
            named = source.replaces is not None and rival.rests_on(source.replaces)
            same = rival.fact.normal == row.fact.normal
            if rival is row or not rival.fact.live or (self.many and not (named or same)):
                continue
            if same or source.by_hand or (replacing and not rival.fact.by_hand):
                pinned = rival.fact.pinned and source.reason is Reason.EDITED
                row.fact = replace(row.fact, pinned=row.fact.pinned or pinned)
                rival.fact = _superseded(rival.fact, row.fact, source.at)


def _says_many(entry: Entry) -> bool:
    """Whether the entry says that the key holds several values at once; once one does, it holds."""
    return entry.traits.many if isinstance(entry, Source) else bool(entry.changes.get("many"))


def _fresh(ref: KeyRef, source: Source) -> Fact:
    return Fact(
        id=source.id,
        ref=ref,
        value=source.value,
        normal=source.normal,
        content=source.content,
        language=source.language,
        traits=source.traits,
        trust=source.trust,
        by_hand=source.by_hand,
        confirmation_count=1,
        source=Provenance(source.author, source.relation, source.reason, source.message),
        created_at=source.recorded_at,
        last_reinforced_at=source.at,
        valid_from=source.valid_from,
    )


def _confirm(row: _Row, source: Source) -> None:
    """One more message says the same: counted, trusted a little more, fresh as of the source's time."""
    row.sources.append(source)
    fact = row.fact
    stronger = min(1.0, fact.traits.confidence + CONFIRMATION_STEP)
    if source.relation is Relation.CORRECTION or source.by_hand:
        stronger = max(stronger, source.traits.confidence)
    if source.observed is not None and not fact.by_hand:
        fact = replace(fact, value=source.value, content=source.content, language=source.language)
    row.fact = replace(
        fact,
        traits=replace(fact.traits, confidence=stronger),
        trust=max(fact.trust, source.trust, key=_TRUST_ORDER.index),
        by_hand=fact.by_hand or source.by_hand,
        confirmation_count=fact.confirmation_count + 1,
        created_at=min(fact.created_at, source.recorded_at),
        last_reinforced_at=source.at,
    )


def _inherit(fact: Fact, before: Fact) -> Fact:
    """A value said again after a rival keeps its confirmations; while still believed, also what people made of it."""
    kept = before if before.live else fact
    confidence = min(1.0, max(fact.traits.confidence, before.traits.confidence + CONFIRMATION_STEP))
    return replace(
        fact,
        traits=replace(kept.traits, confidence=confidence),
        trust=max(fact.trust, kept.trust, key=_TRUST_ORDER.index),
        by_hand=fact.by_hand or kept.by_hand,
        confirmation_count=before.confirmation_count + 1,
        pinned=kept.pinned,
    )


def _superseded(old: Fact, newer: Fact, at: datetime) -> Fact:
    """Closed by a newer row: valid until the newer is. An interval that is empty then was never valid."""
    return replace(old, archived_at=at, superseded_by=newer.id, valid_to=newer.valid_from)


def _decided(fact: Fact, decision: Decision) -> Fact:
    match decision.verdict:
        case Verdict.PIN:
            return replace(_restored(fact), pinned=True)
        case Verdict.UNPIN:
            return replace(fact, pinned=False)
        case Verdict.ARCHIVE:
            return replace(fact, archived_at=fact.archived_at or decision.at)
        case Verdict.RESTORE:
            return _restored(fact)
        case Verdict.AMEND:
            return replace(fact, traits=amended(fact.traits, decision.changes))
        case Verdict.END:
            return replace(fact, archived_at=fact.archived_at or decision.at, valid_to=fact.valid_to or decision.at)


def _restored(fact: Fact) -> Fact:
    return replace(fact, archived_at=None, superseded_by=None, valid_to=None)


def _with_rivals(fact: Fact, live: list[Fact]) -> Fact:
    """`live` are the key's believed rows, oldest first; a row that is not among them has no rivals."""
    places = [place for place, row in enumerate(live) if row.id == fact.id]
    if not places:
        return fact
    newer = [row for row in live[places[0] + 1 :] if row.normal != fact.normal]
    rivals = [row for row in live if row.normal != fact.normal]
    return replace(fact, newer_rivals=len(newer), contradicted=bool(rivals))
