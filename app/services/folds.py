"""The one way in which beliefs change: entries come or go, the key is folded again, the trail is written."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.domain.events import Change, MemoryEvent, changes, events_of
from app.domain.facts import Fact
from app.domain.fold import fold
from app.domain.sources import Decision, Entry, MessageRef, Source
from app.domain.subjects import KeyRef
from app.domain.tenancy import Actor
from app.ports.storage import UnitOfWork


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes a belief, when, and why, as the audit trail will tell."""

    actor: Actor
    now: datetime
    reason: str | None = None


async def extend(uow: UnitOfWork, ref: KeyRef, entries: Sequence[Entry], author: Author) -> list[Change]:
    """Add entries to a key and fold it again; what is already there changes nothing.

    The caller holds the key (`uow.facts.lock`).
    """
    before = await uow.facts.of_key(ref)
    added = [await _add(uow, ref, entry) for entry in entries]
    return await _refold(uow, ref, before, author) if any(added) else []


async def begin(uow: UnitOfWork, sources: Sequence[tuple[KeyRef, Source]], now: datetime) -> list[Change]:
    """As `extend`, for keys that nobody has used, each with its first source: as few statements for many as for one."""
    await uow.sources.begin(sources)
    made = [(source, [Change(None, row) for row in fold(ref, [source])]) for ref, source in sources]
    events = [told for source, changed in made for told in events_of(changed, source.author, now)]
    return await keep(uow, [change for _, changed in made for change in changed], events, now)


async def forget_messages(uow: UnitOfWork, messages: Sequence[MessageRef], author: Author) -> list[Change]:
    """The folds without all that these messages state."""
    refs = await uow.sources.refs_of(messages)
    await uow.facts.lock(refs)
    rows = [await uow.facts.of_key(ref) for ref in refs]
    await uow.sources.remove_messages(messages)
    return [
        change for ref, before in zip(refs, rows, strict=True) for change in await _refold(uow, ref, before, author)
    ]


async def forget_person(uow: UnitOfWork, user_id: str, author: Author) -> list[Change]:
    """The shared folds (of the organisation and its stores) without all that this person stated."""
    refs = await uow.sources.refs_said_by(user_id)
    await uow.facts.lock(refs)
    rows = [await uow.facts.of_key(ref) for ref in refs]
    await uow.sources.remove_said_by(user_id)
    return [
        change for ref, before in zip(refs, rows, strict=True) for change in await _refold(uow, ref, before, author)
    ]


async def forget_value(uow: UnitOfWork, fact: Fact, closing: Sequence[Decision], author: Author) -> list[Change]:
    """The fold without this value: the row, and every other row of the key that says the same.

    `closing` are decisions that keep closed what the value had replaced. The caller holds the key.
    """
    ref = fact.ref
    before = await uow.facts.of_key(ref)
    await uow.sources.remove(ref, await sources_of_value(uow, fact))
    for decision in closing:
        await uow.sources.decide(ref, decision)
    return await _refold(uow, ref, before, author)


async def sources_of_value(uow: UnitOfWork, fact: Fact) -> list[UUID]:
    """The sources of the fact's key that state its value."""
    entries = await uow.sources.entries(fact.ref)
    return [entry.id for entry in entries if isinstance(entry, Source) and entry.normal == fact.normal]


async def _add(uow: UnitOfWork, ref: KeyRef, entry: Entry) -> bool:
    if isinstance(entry, Source):
        return await uow.sources.add(ref, entry)
    await uow.sources.decide(ref, entry)
    return True


async def _refold(uow: UnitOfWork, ref: KeyRef, before: list[Fact], author: Author) -> list[Change]:
    """Bring the rows to what the entries now say, and erase the words of those that are gone."""
    changed = changes(before, fold(ref, await uow.sources.entries(ref)))
    return await keep(uow, changed, list(events_of(changed, author.actor, author.now, author.reason)), author.now)


async def keep(uow: UnitOfWork, changed: list[Change], events: list[MemoryEvent], now: datetime) -> list[Change]:
    """Write the changes and their events, and take the words of rows that are gone out of the trail."""
    await uow.facts.apply(changed, now)
    await uow.events.append(events)
    gone = [change.row.id for change in changed if change.after is None]
    if gone:
        await uow.events.erase_values(gone)
    return changed
