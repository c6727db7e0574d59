"""A fold under way: one entry after the other, in time order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from app.domain.behaviour import Behaviour
from app.domain.contradictions import Contradiction, contradiction_id
from app.domain.crossing import Opposition, disputes, newer_elsewhere, opposed, overtaken
from app.domain.facts import Fact
from app.domain.rows import Row, counted, fresh, inherited, restored, shielded, superseded, tuned
from app.domain.sources import Decision, Entry, Reason, Relation, Source, Verdict, in_time_order, says_many
from app.domain.subjects import KeyRef
from app.domain.tiers import Tiers

CONFIRMATIONS_TO_SUPERSEDE = 3


@dataclass(frozen=True, slots=True)
class Folded:
    """What a key's entries say: its rows, oldest first, and every contradiction there was between two that remain."""

    rows: list[Fact]
    contradictions: list[Contradiction]


@dataclass(slots=True)
class Folding:
    """A fold under way: the rows so far, in the order in which they were opened or settled on, and what sessions have
    shown of the key.

    `agreed` are pairs of values that may both hold; `pairs` are the contradictions, with when each opened and closed;
    `crossing` the oppositions to rows of other keys, of which `others` are those that stand.
    """

    ref: KeyRef
    many: bool
    tiers: Tiers
    rows: list[Row] = field(default_factory=list)
    behaviour: Behaviour | None = None
    agreed: set[frozenset[str]] = field(default_factory=set)
    pairs: dict[tuple[Row, Row], tuple[datetime, datetime | None]] = field(default_factory=dict)
    crossing: dict[UUID, Opposition] = field(default_factory=dict)
    others: Mapping[UUID, Fact] = field(default_factory=dict)

    @classmethod
    def of(
        cls, ref: KeyRef, entries: list[Entry], tiers: Tiers, *, many: bool = False, others: Sequence[Fact] = ()
    ) -> "Folding":
        """The fold of these entries, which are in force; `many` where the key is known to hold several values."""
        folding = cls(ref, many or any(map(says_many, entries)), tiers, others={fact.id: fact for fact in others})
        for entry in in_time_order(entries):
            folding.take(entry)
        return folding

    def take(self, entry: Entry) -> None:
        """Take one more entry, and see what stands against what afterwards."""
        if isinstance(entry, Source):
            self._hear(entry)
        else:
            self._decide(entry)
        opposed = {} if self.many else dict.fromkeys(self._opposed())
        for pair, (opened_at, settled_at) in self.pairs.items():
            self.pairs[pair] = opened_at, None if pair in opposed else settled_at or entry.at
        self.pairs |= {pair: (entry.at, None) for pair in opposed if pair not in self.pairs}

    @property
    def names(self) -> dict[UUID, UUID]:
        """The final name of the row that rests on each source."""
        named = [(row, row.id) for row in self.rows]
        return {source.id: name for row, name in named for source in row.sources}

    def finish(self, merged: Sequence[Fact], names: Mapping[UUID, UUID] | None = None) -> Folded:
        """The rows under their final names, with their rivals counted and what was merged into them."""
        names = names or self.names
        against = [self._against(row) for row in self.rows]
        plain = [self._named(row, names) for row in self.rows]
        facts = [opposed(fact, mine, self.others) for fact, mine in zip(plain, against, strict=True)]
        facts = counted(facts, [row for row in (*facts, *merged) if row.merged_into is not None])
        contradictions = [
            Contradiction(contradiction_id(older.id, newer.id), self.ref, older.id, newer.id, *times)
            for (older, newer), times in self.pairs.items()
        ]
        for fact, mine in zip(facts, against, strict=True):
            contradictions += disputes(fact, mine, self.others)
        return Folded(facts, contradictions)

    def _hear(self, source: Source) -> None:
        """Take one more source: a confirmation of the row that still stands, else a new row."""
        if source.observed is not None:
            known = self.behaviour
            self.behaviour = known.reinforced(source.observed) if known else Behaviour(source.observed.policy)
        row = self._standing(source)
        if row is None:
            row = self._open(source)
        else:
            row.confirm(source)
        row.fact = replace(row.fact, behaviour=self.behaviour)
        if row.fact.live or row.fact.merged_into is not None:
            self._settle_rivals(row, source)

    def _decide(self, decision: Decision) -> None:
        """Apply a decision to the row that now holds the named row's value; one about a row that is gone says nothing.

        A late source may have split that row since: the decision holds for the value all the same.
        """
        row = self._holder(decision.fact_id)
        if row is None:
            return
        row.fact = tuned(row.fact, self.tiers)
        match decision.verdict:
            case Verdict.SETTLE:
                self._settle(row, decision)
            case Verdict.MERGE:
                self._merge(row, decision)
            case Verdict.FADE:
                self._fade(row, decision.at)
            case Verdict.OVERTAKE:
                row.fact = overtaken(row.fact, decision)
            case Verdict.OPPOSE:
                self.crossing[decision.id] = Opposition(decision)
            case _:
                row.decide(decision)

    def _holder(self, source_id: UUID) -> Row | None:
        """The row that now holds the value of the row that rests on this source."""
        named = next((row for row in self.rows if row.rests_on(source_id)), None)
        if named is None:
            return None
        return next(row for row in reversed(self.rows) if row.fact.normal == named.fact.normal)

    def _standing(self, source: Source) -> Row | None:
        """The row that this source confirms: same value, and no rival was heard since it was last said."""
        if source.reason is Reason.EDITED or not self.rows:
            return None
        heard = self.rows if self.many else self.rows[-1:]
        return next((row for row in reversed(heard) if row.fact.normal == source.normal and row.takes(source)), None)

    def _open(self, source: Source) -> Row:
        """A new row; it takes over the confirmations of the same value said before."""
        row = fresh(self.ref, source)
        before = next((old for old in reversed(self.rows) if old.fact.normal == source.normal), None)
        if before is not None and source.reason is not Reason.EDITED:
            row.fact = inherited(row.fact, before.fact)
        self.rows.append(row)
        return row

    def _settle_rivals(self, row: Row, source: Source) -> None:
        """Supersede the live rows of the same value, and those that the source or a third confirmation puts out."""
        outnumbering = row.fact.confirmation_count >= CONFIRMATIONS_TO_SUPERSEDE
        for rival in self.rows:
            named = source.replaces is not None and rival.rests_on(source.replaces)
            same = rival.fact.normal == row.fact.normal
            if rival is row or not rival.fact.live or (self.many and not (named or same)):
                continue
            if row.fact.merged_into == rival.fact.id:
                continue
            plain = source.relation is Relation.STATEMENT and self._agree(row, rival) and not named
            replacing = source.relation is not Relation.STATEMENT or outnumbering
            if same or (not plain and (source.by_hand or (replacing and not shielded(rival.fact, source.trust)))):
                pinned = rival.fact.pinned and source.reason is Reason.EDITED
                row.fact = replace(row.fact, pinned=row.fact.pinned or pinned)
                rival.fact = superseded(rival.fact, row.fact, source.at)

    def _settle(self, row: Row, decision: Decision) -> None:
        """A person says which value holds, which shields it from the chat; or that both of two do."""
        if both := decision.changes.get("both"):
            kept = [found for name in both if (found := self._holder(UUID(name))) is not None]
            self.agreed.add(frozenset(one.fact.normal for one in kept))
            for place, one in self.crossing.items():
                if str(one.other) in both:
                    self.crossing[place] = replace(one, agreed_at=one.agreed_at or decision.at)
            return
        row.fact = replace(row.fact if row.fact.live else restored(row.fact), by_hand=True)
        row.faded = False
        if not self.many:
            self.rows.remove(row)  # said last, so that more of the same confirms it
            for rival in self.rows:
                if rival.fact.live:
                    rival.fact = superseded(rival.fact, row.fact, decision.at)
            self.rows.append(row)

    def _merge(self, row: Row, decision: Decision) -> None:
        """The row counts for another one from then on. Within the key, mergers never chain."""
        named = decision.changes.get("into")
        into = UUID(named) if named else None
        if into is not None and decision.changes.get("key") == self.ref.key:
            target = self._holder(into)
            chained = any(other.fact.merged_into == row.fact.id for other in self.rows)
            if target is None or target is row or target.fact.merged_into is not None or chained:
                return
            into = target.fact.id
        if into is not None:
            row.faded = False
            row.fact = replace(row.fact, archived_at=row.fact.archived_at or decision.at, merged_into=into)

    def _fade(self, row: Row, at: datetime) -> None:
        rivals = len(self._newer_rivals(row)) + newer_elsewhere(self._against(row), self.others)
        fades_at = replace(row.fact, newer_rivals=rivals).fades_at
        if row.fact.live and fades_at is not None and fades_at <= at:
            row.fact, row.faded = replace(row.fact, archived_at=at), True

    def _against(self, row: Row) -> list[Opposition]:
        """What opposes the row in other keys."""
        return [one for one in self.crossing.values() if self._holder(one.decision.fact_id) is row]

    def _opposed(self) -> Iterable[tuple[Row, Row]]:
        """Each live row with the nearest older one that it cannot hold with."""
        live = [row for row in self.rows if row.fact.live]
        for place in range(1, len(live)):
            older = (live[earlier] for earlier in reversed(range(place)))
            against = next((row for row in older if not self._agree(row, live[place])), None)
            if against is not None:
                yield against, live[place]

    def _agree(self, one: Row, other: Row) -> bool:
        return frozenset((one.fact.normal, other.fact.normal)) in self.agreed

    def _newer_rivals(self, row: Row) -> list[Row]:
        return self._rivals(row, self.rows[self.rows.index(row) + 1 :])

    def _rivals(self, row: Row, among: Sequence[Row]) -> list[Row]:
        """The believed rows that the row cannot hold with; a key of many values has none."""
        if self.many or not row.fact.live:
            return []
        rivals = [other for other in among if other.fact.live and other.fact.normal != row.fact.normal]
        return [other for other in rivals if not self._agree(row, other)]

    def _named(self, row: Row, names: Mapping[UUID, UUID]) -> Fact:
        fact = tuned(row.fact, self.tiers)
        return replace(
            fact,
            id=names[fact.id],
            traits=replace(fact.traits, many=self.many),
            superseded_by=names.get(fact.superseded_by, fact.superseded_by) if fact.superseded_by else None,
            merged_into=names.get(fact.merged_into, fact.merged_into) if fact.merged_into else None,
            newer_rivals=len(self._newer_rivals(row)),
            contradicted=bool(self._rivals(row, self.rows)),
        )
