"""Folding what sessions show: many keys of one person at once, in as few statements as for one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from app.domain.erasures import entry_thing
from app.domain.events import Change, EventKind, changes
from app.domain.facts import Fact
from app.domain.fold import fold
from app.domain.observations import Observation, fact_key
from app.domain.precedence import faded
from app.domain.sources import Decision, Entry, MessageRef, Source, extended
from app.domain.subjects import KeyRef, UserSubject
from app.ports.storage import UnitOfWork
from app.services.folds import Author, keep


@dataclass(frozen=True, slots=True)
class _Next:
    """What a key is to be folded from: its entries, of which `moved` are new or changed; `gone` are there no more."""

    entries: list[Entry]
    moved: list[Source]
    gone: list[UUID]


async def reinforce(uow: UnitOfWork, shown: Mapping[KeyRef, Collection[Source]], author: Author) -> list[Change]:
    """The folds of one person's keys with what sessions show of them; a session counts once, however often it is told.

    What would have faded already is not kept at all. The caller holds the keys.
    """
    return await _refold(uow, list(shown), lambda ref, entries: _heard(entries, shown[ref]), author)


async def expire(uow: UnitOfWork, rows: Sequence[Fact], author: Author) -> list[Change]:
    """The folds without these rows of one person and what they rest on; each leaves an event without words.

    The caller holds their keys.
    """
    said = {(row.ref, row.normal) for row in rows}

    def without(ref: KeyRef, entries: list[Entry]) -> _Next:
        gone = [entry.id for entry in entries if isinstance(entry, Source) and (ref, entry.normal) in said]
        return _Next([entry for entry in entries if not _goes_with(entry, gone)], [], gone)

    return await _refold(uow, list({row.ref for row in rows}), without, author, EventKind.EXPIRED)


async def forget_found_in(uow: UnitOfWork, messages: Sequence[MessageRef], author: Author) -> list[Change]:
    """The folds without the query patterns that were found in these messages; to be called while they are there."""
    return await forget_observations(uow, await uow.observations.found_in(messages), author)


async def forget_observations(uow: UnitOfWork, gone: Sequence[Observation], author: Author) -> list[Change]:
    """The folds without what these observations show; to be called while they are there."""
    people: dict[str, list[Observation]] = {}
    await uow.ledger.add([entry_thing(observation.id) for observation in gone], author.now)
    for observation in gone:
        people.setdefault(observation.user_id, []).append(observation)
    changed: list[Change] = []
    for found in people.values():
        refs = list({ref for one in found if (ref := _ref(one))})
        await uow.facts.lock(refs)
        changed += await _refold(uow, refs, partial(_loosened, {one.id for one in found}), author)
    return changed


async def join_sessions(uow: UnitOfWork, refs: Sequence[KeyRef], theirs: Sequence[KeyRef]) -> None:
    """What is shown in one session of a key of `refs` and of its counterpart in `theirs` is one source of the latter.

    The rest stays where it is. The caller holds all keys, and folds them afterwards.
    """
    said, known = await uow.sources.entries_of(refs), await uow.sources.entries_of(theirs)
    joined, gone = list[tuple[KeyRef, Source]](), list[UUID]()
    for ref, their in zip(refs, theirs, strict=True):
        sessions = _sessions(known.get(their, []))
        for session, source in _sessions(said.get(ref, [])).items():
            if session in sessions:
                joined.append((their, extended(sessions[session], source)))
                gone.append(source.id)
    if gone:
        await uow.sources.forget(gone)
        await uow.sources.save(joined)


def _sessions(entries: Sequence[Entry]) -> dict[str, Source]:
    return {entry.observed.session: entry for entry in entries if isinstance(entry, Source) and entry.observed}


def _heard(entries: Sequence[Entry], sources: Collection[Source]) -> _Next:
    """The entries with these sources, each session in one."""
    known = _sessions(entries)
    moved: list[Source] = []
    for source in sources:
        session = source.observed.session if source.observed else ""
        before = known.get(session)
        after = extended(before, source) if before else source
        if after != before:
            moved.append(after)
    replaced = {source.id for source in moved}
    return _Next([*(entry for entry in entries if entry.id not in replaced), *moved], moved, [])


def _loosened(erased: Collection[UUID], ref: KeyRef, entries: Sequence[Entry]) -> _Next:
    """The entries of a key without these observations; a session of which none is left showed nothing."""
    moved, gone = list[Source](), list[UUID]()
    for entry in entries:
        if isinstance(entry, Source) and entry.observed and not set(entry.observed.ids).isdisjoint(erased):
            left = tuple(one for one in entry.observed.ids if one not in erased)
            if left:
                moved.append(replace(entry, observed=replace(entry.observed, ids=left)))
            else:
                gone.append(entry.id)
    replaced = {source.id for source in moved}
    kept = [entry for entry in entries if entry.id not in replaced and not _goes_with(entry, gone)]
    return _Next([*kept, *moved], moved, gone)


def _goes_with(entry: Entry, gone: Collection[UUID]) -> bool:
    return (entry.fact_id if isinstance(entry, Decision) else entry.id) in gone


def _ref(observation: Observation) -> KeyRef | None:
    named = fact_key(observation)
    return KeyRef(UserSubject(observation.user_id), observation.agent_id, named[1]) if named else None


async def _refold(
    uow: UnitOfWork,
    refs: Sequence[KeyRef],
    step: Callable[[KeyRef, list[Entry]], _Next],
    author: Author,
    ending: EventKind = EventKind.DELETED,
) -> list[Change]:
    """Take each key's entries a step on, and bring its rows to what they say then; `ending` befalls rows that go."""
    rows: dict[KeyRef, list[Fact]] = {}
    for row in await uow.facts.of_keys(refs):
        rows.setdefault(row.ref, []).append(row)
    entries = await uow.sources.entries_of(refs)
    changed, moved, gone = list[Change](), list[tuple[KeyRef, Source]](), list[UUID]()
    for ref in refs:
        then, before = step(ref, entries.get(ref, [])), rows.get(ref, [])
        after = fold(ref, then.entries)
        gone += then.gone
        if before or not all(faded(row, author.now) for row in after):
            moved += [(ref, source) for source in then.moved]
            changed += changes(before, after)
    if gone:
        await uow.sources.forget(gone)
    await uow.sources.save(moved)
    return await keep(uow, changed, author, ending)
