"""A row of a key's fold in the making: how sources open and strengthen it, and what decisions do to it alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from app.domain.facts import Fact, Provenance
from app.domain.sources import Decision, Relation, Source, Trust, Verdict, amended
from app.domain.subjects import KeyRef, Scope
from app.domain.tiers import Tiers, own_fading

CONFIRMATION_STEP = 0.1
MOST_TAGS = 8
_TRUST_ORDER = (Trust.CONTACT, Trust.MEMBER, Trust.ADMIN)


@dataclass(slots=True, eq=False)
class Row:
    """A row with the sources it rests on. `faded`: a job archived it for its age alone, so that it can come back."""

    fact: Fact
    sources: list[Source]
    faded: bool = False

    @property
    def id(self) -> UUID:
        """The row's final name: that of its first recorded source."""
        return min(self.sources, key=lambda source: (source.recorded_at, source.id)).id

    def rests_on(self, source_id: UUID | None) -> bool:
        """Whether that source is one of this row's: rows are named by one of theirs."""
        return any(source.id == source_id for source in self.sources)

    def takes(self, source: Source) -> bool:
        """Whether one more source of this value strengthens the row although it is not believed.

        What has only faded comes back; what was merged away stays with the row it was merged into, unless a person
        writes it anew; what a person archived is not shown again by more of the same behaviour.
        """
        if self.fact.live or self.faded:
            return True
        if self.fact.merged_into is not None:
            return not source.by_hand
        return source.observed is not None and self.fact.superseded_by is None

    def confirm(self, source: Source) -> None:
        """One more message says the same: counted, trusted a little more, fresh as of the source's time."""
        self.sources.append(source)
        fact = restored(self.fact) if self.faded else self.fact
        self.faded = False
        stronger = min(1.0, fact.traits.confidence + CONFIRMATION_STEP)
        if source.relation is Relation.CORRECTION or source.by_hand:
            stronger = max(stronger, source.traits.confidence)
        if source.observed is not None and not fact.by_hand:
            fact = replace(fact, value=source.value, content=source.content, language=source.language)
        self.fact = replace(
            fact,
            traits=replace(fact.traits, confidence=stronger),
            trust=_most_trusted(fact, source.trust),
            by_hand=fact.by_hand or source.by_hand,
            confirmation_count=fact.confirmation_count + 1,
            created_at=min(fact.created_at, source.recorded_at),
            last_reinforced_at=source.at,
        )

    def decide(self, decision: Decision) -> None:
        """Apply a decision that concerns this row alone."""
        if decision.verdict not in (Verdict.UNPIN, Verdict.AMEND):
            self.faded = False
        self.fact = _decided(self.fact, decision)


def fresh(ref: KeyRef, source: Source) -> Row:
    """A new row, opened by this source."""
    fact = Fact(
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
    return Row(fact, [source])


def inherited(fact: Fact, before: Fact) -> Fact:
    """A value said again after a rival keeps its confirmations; while still believed, also what people made of it."""
    kept = before if before.live else fact
    confidence = min(1.0, max(fact.traits.confidence, before.traits.confidence + CONFIRMATION_STEP))
    return replace(
        fact,
        traits=replace(kept.traits, confidence=confidence),
        trust=_most_trusted(fact, kept.trust),
        by_hand=fact.by_hand or kept.by_hand,
        confirmation_count=before.confirmation_count + 1,
        pinned=kept.pinned,
    )


def shielded(fact: Fact, trust: Trust) -> bool:
    """Whether nothing puts the fact out that somebody so trusted says in a chat.

    What was written by hand is put out by hand alone; what the team says of what it shares, never by a customer, also
    not where they say what somebody of the team said before them.
    """
    of_team = fact.ref.subject.scope is not Scope.USER and not of_a_customer(fact)
    return fact.by_hand or (trust is Trust.CONTACT and of_team)


def of_a_customer(fact: Fact) -> bool:
    """Whether a shared fact rests on the words of customers alone. Of themselves people know best, whoever they are."""
    return fact.trust is Trust.CONTACT and fact.ref.subject.scope is not Scope.USER


def superseded(old: Fact, newer: Fact, at: datetime) -> Fact:
    """Closed by a newer row: valid until the newer is. An interval that is empty then was never valid."""
    return replace(old, archived_at=at, superseded_by=newer.id, valid_to=newer.valid_from)


def restored(fact: Fact) -> Fact:
    """Believed again, whatever closed it."""
    return replace(fact, archived_at=None, superseded_by=None, valid_to=None, merged_into=None)


def tuned(fact: Fact, tiers: Tiers) -> Fact:
    """The fact, fading by these numbers of its tier."""
    return replace(fact, own_fading=own_fading(tiers, fact.traits.tier))


def joined(fact: Fact, merged: Iterable[Fact]) -> Fact:
    """The row with what was merged into it: their confirmations and tags, the best of their standing and confidence,
    one step for each; of several rows of one value the strongest counts.
    """
    values: dict[tuple[KeyRef, str], Fact] = {}
    for row in sorted(merged, key=lambda row: (row.confirmation_count, row.id)):
        values[row.ref, row.normal] = row
    for row in sorted(values.values(), key=lambda row: row.id):
        tags = tuple(dict.fromkeys((*fact.traits.tags, *row.traits.tags)))[:MOST_TAGS]
        confidence = min(1.0, max(fact.traits.confidence, row.traits.confidence) + CONFIRMATION_STEP)
        fact = replace(
            fact,
            traits=replace(fact.traits, tags=tags, confidence=confidence),
            trust=_most_trusted(fact, row.trust),
            by_hand=fact.by_hand or row.by_hand,
            confirmation_count=fact.confirmation_count + row.confirmation_count,
            last_reinforced_at=max(fact.last_reinforced_at, row.last_reinforced_at),
        )
    return fact


def counted(facts: list[Fact], merged: Sequence[Fact]) -> list[Fact]:
    """The rows with what was merged into them; it counts for the row that holds the value now."""
    if not merged:
        return facts
    values = {fact.id: fact.normal for fact in facts}
    holders = {fact.normal: fact.id for fact in facts}
    theirs: dict[UUID, list[Fact]] = {}
    for row in merged:
        if row.merged_into in values:
            theirs.setdefault(holders[values[row.merged_into]], []).append(row)
    return [joined(fact, theirs.get(fact.id, ())) for fact in facts]


def _decided(fact: Fact, decision: Decision) -> Fact:
    match decision.verdict:
        case Verdict.PIN:
            return replace(restored(fact), pinned=True)
        case Verdict.UNPIN:
            return replace(fact, pinned=False)
        case Verdict.ARCHIVE:
            return replace(fact, archived_at=fact.archived_at or decision.at)
        case Verdict.RESTORE:
            return _vouched_for(restored(fact), decision.at)
        case Verdict.AMEND:
            return replace(fact, traits=amended(fact.traits, decision.changes))
        case Verdict.END:
            return replace(fact, archived_at=fact.archived_at or decision.at, valid_to=fact.valid_to or decision.at)
        case _:
            return fact


def _vouched_for(fact: Fact, at: datetime) -> Fact:
    """Whoever restores what has faded says that it holds still: its age counts from then."""
    gone = fact.fades_at is not None and fact.fades_at <= at
    return replace(fact, last_reinforced_at=max(fact.last_reinforced_at, at)) if gone else fact


def _most_trusted(fact: Fact, trust: Trust) -> Trust:
    return max(fact.trust, trust, key=_TRUST_ORDER.index)
