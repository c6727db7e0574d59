"""Where a fact comes from, as far as its reader may be told: whose words it rests on, and which of them to show."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from app.domain.events import MemoryEvent
from app.domain.sources import Entry, MessageRef, Source
from app.domain.subjects import KeyRef, user_of
from app.domain.tenancy import Actor, ActorType, TenantScope
from app.ports.events import EventFilter
from app.ports.facts import FactRecord
from app.ports.paging import PageRequest
from app.ports.storage import UnitOfWork
from app.services.reach import hears_others

HISTORY_EVENTS = 200


@dataclass(frozen=True, slots=True)
class Told:
    """An entry of a fold as a reader is told of it. `quoted`: its evidence, the speaker's own words, may be shown.

    `author_name` is what its author is called, where the reader may know. `key` is that of a fact that was merged into
    this one, where the entry is not of this one's own.
    """

    key: str
    entry: Entry
    quoted: bool
    author_name: str | None


@dataclass(frozen=True, slots=True)
class History:
    """A fact's past: the rows of its key, the entries that it is folded from, and what the audit trail says of them.

    `rivals` are rows of other values, `predecessors` those that the fact, directly or not, superseded.
    """

    record: FactRecord
    rivals: list[FactRecord]
    predecessors: list[FactRecord]
    entries: list[Told]
    events: list[MemoryEvent]


async def history_of(uow: UnitOfWork, scope: TenantScope, record: FactRecord) -> History:
    """The fact with all that is known of its key, and what was merged into it, for a caller who may read the fact."""
    rows = [record, *await _others(uow, record)]
    whole = EventFilter(fact_id=record.fact.id, reader=user_of(record.fact.ref.subject))
    trail = await uow.events.page(whole, PageRequest(limit=HISTORY_EVENTS))
    return History(
        record=record,
        rivals=[row for row in rows if row.fact.normal != record.fact.normal],
        predecessors=_predecessors(record, rows),
        entries=await _told(uow, scope, await _entries(uow, record)),
        events=list(trail.items),
    )


async def _others(uow: UnitOfWork, record: FactRecord) -> list[FactRecord]:
    ids = [row.id for row in await uow.facts.of_key(record.fact.ref)]
    found = {other.fact.id: other for other in await uow.facts.records(record.fact.ref.subject.scope, ids)}
    return [found[row_id] for row_id in ids if row_id != record.fact.id]


async def _entries(uow: UnitOfWork, record: FactRecord) -> list[tuple[KeyRef, Entry]]:
    """The entries of the fact's key, and the sources of what was merged into the fact, oldest first."""
    fact = record.fact
    merged = await uow.facts.merged_into(fact.ref.subject.scope, [fact.id])
    values = {(row.ref, row.normal) for row in merged}
    elsewhere = {ref for ref, _ in values} - {fact.ref}
    found = [(fact.ref, entry) for entry in await uow.sources.entries(fact.ref)]
    for ref, entries in (await uow.sources.entries_of(list(elsewhere))).items():
        found += [(ref, one) for one in entries if isinstance(one, Source) and (ref, one.normal) in values]
    return sorted(found, key=lambda placed: (placed[1].at, placed[1].id))


async def _told(uow: UnitOfWork, scope: TenantScope, entries: Sequence[tuple[KeyRef, Entry]]) -> list[Told]:
    shared = await _shared_words(uow, scope, [entry for _, entry in entries])
    names = await _names(uow, scope, {entry.author.id for _, entry in entries if _is_person(entry.author)})
    return [
        Told(
            ref.key,
            entry,
            quoted=may_be_quoted(entry, scope) or entry.id in shared,
            author_name=names.get(entry.author.id) if _is_person(entry.author) else None,
        )
        for ref, entry in entries
    ]


def may_be_quoted(entry: Entry, reader: TenantScope) -> bool:
    """Whether the reader said it: what stands in a message is its person's alone, whatever became of it."""
    return reader.person is not None and entry.author == Actor(ActorType.PERSON, reader.person)


async def _shared_words(uow: UnitOfWork, scope: TenantScope, entries: Sequence[Entry]) -> set[UUID]:
    """The sources in the words of colleagues who share their messages with the reader."""
    said = {one.id: one.message for one in entries if isinstance(one, Source) and one.message and one.evidence}
    others = {one.id for one in entries if not may_be_quoted(one, scope)}
    refs = [message for source_id, message in said.items() if source_id in others]
    organisation = await uow.organisations.known() if refs else None
    if organisation is None or not hears_others(scope, organisation.settings):
        return set()
    sharing = await uow.people.remembered_operators()
    heard: set[MessageRef] = {
        message.ref
        for message in await uow.messages.find(refs)
        if message.user_id in sharing and message.store_id is not None
        if scope.reaches_store(message.store_id) and scope.reads_pocket(message.agent_id)
    }
    return {source_id for source_id, message in said.items() if message in heard}


async def _names(uow: UnitOfWork, scope: TenantScope, authors: set[str]) -> dict[str, str]:
    """What these people are called; a customer is not told what the team is called, nor anybody who wants out."""
    known = await uow.people.among(authors) if authors else []
    may_know = [one for one in known if one.user_id == scope.person or (scope.is_operator and one.remember)]
    return {one.user_id: one.display_name for one in may_know if one.display_name}


def _is_person(author: Actor) -> bool:
    return author.type is ActorType.PERSON


def _predecessors(record: FactRecord, rows: list[FactRecord]) -> list[FactRecord]:
    """The rows that led to this one, latest first."""
    found: list[FactRecord] = []
    wanted = {record.fact.id}
    while earlier := [row for row in rows if row.fact.superseded_by in wanted and row not in found]:
        found += earlier
        wanted = {row.fact.id for row in earlier}
    return [row for row in found if row.fact.id != record.fact.id]
