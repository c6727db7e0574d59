"""Bringing facts in: their sources and decisions are stored, and the keys folded anew, as if all had been said here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from app.domain.entry_records import Stamp, decision_of, source_of, stamp_of
from app.domain.events import Change
from app.domain.export import Section
from app.domain.facts import Fact
from app.domain.folding import Folded
from app.domain.imports import Staged, place_of
from app.domain.sources import Entry, Source, extended
from app.domain.subjects import KeyRef, Subject
from app.domain.together import fold_together, named
from app.ports.facts import FactRecord
from app.services.bringing import Bringing, Counts, ensure
from app.services.folds import fold_added, tiers_of


@dataclass(slots=True)
class _Told:
    """What a file tells of some keys."""

    entries: dict[KeyRef, list[Entry]] = field(default_factory=dict)
    stamps: dict[UUID, Stamp] = field(default_factory=dict)

    def add(self, records: Iterable[Staged]) -> None:
        for one in records:
            if one.section is Section.FACTS:
                stamp = stamp_of(one.record)
                self.stamps[stamp.id] = stamp
            else:
                ref, entry = source_of(one.record) if one.section is Section.SOURCES else decision_of(one.record)
                self.entries.setdefault(ref, []).append(entry)


@dataclass(slots=True)
class _Here:
    """What was here of the keys of one subject, before anything was brought in."""

    entries: Mapping[KeyRef, list[Entry]]
    rows: dict[KeyRef, list[Fact]]

    def knows(self, ref: KeyRef) -> bool:
        return ref in self.entries or ref in self.rows


async def bring_beliefs(bringing: Bringing, records: Sequence[Staged]) -> Counts:
    """Facts, with what they rest on, of whole keys; keys that know of each other come together, whatever else waits.

    What comes to a key that is used here is folded into what was said here, and the trail tells what that changed; of
    what is new here the trail that comes with it tells. A fact whose sources are not in the file is left out.
    """
    told, looked, everything = _Told(), set[KeyRef](), list(records)
    told.add(records)
    while wanted := {other for ref, said in told.entries.items() for other in named(ref, said)} - looked:
        looked |= wanted
        places = {place_of(ref) for ref in wanted}
        more = await bringing.allowed(await bringing.uow.imports.at(bringing.job_id, places))
        everything += more
        told.add(more)
    await ensure(bringing, everything)
    subjects: dict[Subject, dict[KeyRef, list[Entry]]] = {}
    for ref, said in told.entries.items():
        subjects.setdefault(ref.subject, {})[ref] = said
    counts = Counts()
    await bringing.uow.facts.lock(list(told.entries))
    for entries in subjects.values():
        counts.update(await _of_subject(bringing, entries, told.stamps))
    known = await _known(bringing, told)
    counts["unchanged"] += len(known) - counts.pop("rows", 0)
    counts["left_out"] += len(told.stamps) - len(known)
    return counts


async def _of_subject(bringing: Bringing, told: Mapping[KeyRef, list[Entry]], stamps: Mapping[UUID, Stamp]) -> Counts:
    uow, refs, author = bringing.uow, list(told), bringing.author
    here = _Here(await uow.sources.entries_of(refs), {})
    for row in await uow.facts.of_keys(refs):
        here.rows.setdefault(row.ref, []).append(row)
    new = await uow.sources.restore([(ref, entry) for ref in refs for entry in told[ref]])
    moved = {ref for ref in refs for entry in told[ref] if entry.id in new}
    moved |= await _join_sessions(bringing, told, here)
    fresh = {ref: [one for one in told[ref] if one.id in new] for ref in refs if ref in moved and not here.knows(ref)}
    elsewhere = [row for rows in here.rows.values() for row in rows]
    made = fold_together(fresh, await tiers_of(uow), elsewhere)
    rows = await _keep(bringing, made)
    used = [ref for ref in refs if ref in moved and here.knows(ref)]
    for ref in used:
        await fold_added(uow, ref, here.rows.get(ref, []), author)
    if used and fresh:
        await _count_again(bringing, fresh)
    stamped = [_record(row, stamps[row.id]) for row in rows if row.id in stamps]
    if stamped:
        await uow.facts.stamp(stamped)
    entries = sum(map(len, told.values()))
    return Counts(stored=len(new) + len(stamped), unchanged=entries - len(new), rows=len(stamped))


async def _keep(bringing: Bringing, made: Mapping[KeyRef, Folded]) -> list[Fact]:
    """Rows that are new here, and what stands against what among them; the trail is told of none."""
    rows = [row for one in made.values() for row in one.rows]
    await bringing.uow.facts.apply([Change(None, row) for row in rows], bringing.author.now)
    for ref, one in made.items():
        if one.contradictions:
            await bringing.uow.contradictions.save(ref, one.contradictions)
    return rows


async def _count_again(bringing: Bringing, fresh: Mapping[KeyRef, list[Entry]]) -> None:
    """New rows with what those that were here are to them, now that these have moved."""
    for ref, said in fresh.items():
        if named(ref, said):
            await fold_added(bringing.uow, ref, await bringing.uow.facts.of_key(ref), bringing.author)


async def _join_sessions(bringing: Bringing, told: Mapping[KeyRef, list[Entry]], here: _Here) -> set[KeyRef]:
    """A session that was heard of here and there is one source, of all that both heard; answers whose these were."""
    joined: list[tuple[KeyRef, Source]] = []
    for ref, said in told.items():
        sources = [entry for entry in here.entries.get(ref, ()) if isinstance(entry, Source)]
        sessions = {source.observed.session: source for source in sources if source.observed}
        for entry in said:
            if isinstance(entry, Source) and entry.observed and (known := sessions.get(entry.observed.session)):
                both = extended(known, entry)
                if both != known:
                    joined.append((ref, both))
    await bringing.uow.sources.save(joined)
    return {ref for ref, _ in joined}


async def _known(bringing: Bringing, told: _Told) -> set[UUID]:
    """Those facts of the file that are here by now."""
    scopes: dict[str, list[Stamp]] = {}
    for stamp in told.stamps.values():
        scopes.setdefault(stamp.ref.subject.scope, []).append(stamp)
    found: set[UUID] = set()
    for stamps in scopes.values():
        kept = await bringing.uow.facts.records(stamps[0].ref.subject.scope, [stamp.id for stamp in stamps])
        found |= {record.fact.id for record in kept}
    return found


def _record(row: Fact, stamp: Stamp) -> FactRecord:
    return FactRecord(row, stamp.updated_at, stamp.version, stamp.last_seen_at, stamp.compared_at)
