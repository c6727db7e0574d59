"""The one way in which beliefs change: entries come or go, the key is folded again, the trail is written."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.domain.contradictions import Contradiction
from app.domain.crossing import other_of
from app.domain.erasures import entry_thing
from app.domain.events import Change, EventKind, changes
from app.domain.facts import Fact
from app.domain.fold import fold, folded
from app.domain.identifiers import uuid7
from app.domain.sources import Decision, Entry, MessageRef, Source, Verdict
from app.domain.subjects import KeyRef
from app.domain.tenancy import Actor, ActorType
from app.domain.tiers import TIERS, Tiers
from app.domain.trail import Teller
from app.ports.storage import UnitOfWork
from app.services.crossing import came_or_went, others_of, stay_closed


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes a belief, when, and why, as the audit trail will tell."""

    actor: Actor
    now: datetime
    reason: str | None = None

    def telling(self, gone: EventKind = EventKind.DELETED) -> Teller:
        """As the trail is told of rows; `gone` befell those that are no longer there."""
        return Teller(self.actor, self.now, self.reason, gone)


async def extend(uow: UnitOfWork, ref: KeyRef, entries: Sequence[Entry], author: Author) -> list[Change]:
    """Add entries to a key and fold it again; what is already there changes nothing.

    The caller holds the key (`uow.facts.lock`).
    """
    before, added = await uow.facts.of_key(ref), [await _add(uow, ref, entry) for entry in entries]
    return await _refold(uow, ref, before, author) if any(added) else []


async def fold_added(uow: UnitOfWork, ref: KeyRef, before: list[Fact], author: Author) -> list[Change]:
    """Fold a key that got other entries, whose rows were these `before`; the caller holds it."""
    return await _refold(uow, ref, before, author, crossed=True)


async def begin(uow: UnitOfWork, sources: Sequence[tuple[KeyRef, Source]], now: datetime) -> list[Change]:
    """As `extend`, for keys that nobody has used, each with its first source: as few statements for many as for one."""
    await uow.sources.begin(sources)
    tiers = await tiers_of(uow)
    begun: list[Change] = []
    for ref, source in sources:
        rows = [Change(None, row) for row in fold(ref, [source], (), tiers)]
        uow.events.tell(rows, Teller(source.author, now))
        begun += rows
    await uow.facts.apply(begun, now)
    return begun


async def forget_messages(uow: UnitOfWork, messages: Sequence[MessageRef], author: Author) -> list[Change]:
    """The folds without all that these messages state, and the trail without their words."""
    said = {(message.conversation_id, message.message_id) for message in messages}

    def stated(source: Source) -> bool:
        message = source.message
        return message is not None and (message.conversation_id, message.message_id) in said

    refs = await uow.sources.refs_of(messages)
    await _loosen(uow, refs, stated)
    await uow.sources.remove_messages(messages)
    return await _refold_all(uow, refs, author)


async def forget_person(uow: UnitOfWork, user_id: str, refs: Sequence[KeyRef], author: Author) -> list[Change]:
    """These shared folds without all that this person stated; the ledger knows it, for another time some may stay."""
    await _loosen(uow, refs, lambda source: source.author == Actor(ActorType.PERSON, user_id))
    await uow.ledger.add([entry_thing(one) for one in await uow.sources.remove_said_by(user_id, refs)], author.now)
    return await _refold_all(uow, refs, author)


async def fold_anew(
    uow: UnitOfWork, refs: Sequence[KeyRef], change: Callable[[], Awaitable[None]], author: Author
) -> list[Change]:
    """These folds after a change to their entries that takes words from them."""
    await uow.facts.lock(refs)
    await change()
    return await _refold_all(uow, refs, author)


async def forget_value(
    uow: UnitOfWork, fact: Fact, author: Author, befell: EventKind = EventKind.DELETED
) -> list[Change]:
    """The fold without this value: the row, and every other row of the key that says the same; `befell` happened to it.

    What the value had replaced stays closed; messages that say it are quoted no more. The caller holds the key.
    """
    ref = fact.ref
    before = await uow.facts.of_key(ref)
    gone = {row.id for row in before if row.normal == fact.normal}
    entries = await uow.sources.entries(ref)
    heard, sources = {entry.at: entry.recorded_at for entry in entries}, _stating(entries, fact)
    if said := await uow.sources.messages_of(sources):
        await uow.search.disown([message.id for message in await uow.messages.find(said)])
    await uow.sources.remove(ref, sources)
    for row in before:
        if row.superseded_by in gone and row.id not in gone and row.archived_at is not None:
            known_at = heard.get(row.archived_at, author.now)  # with what closed it, and not only since that is gone
            closing = Decision(uuid7(), row.archived_at, known_at, Verdict.END, row.id, author.actor)
            await uow.sources.decide(ref, closing)
    closed = await stay_closed(uow, ref, gone, author.actor)
    changed = await _refold(uow, ref, before, author, befell)
    return changed + [change for place in closed for change in await _fold_again(uow, place, author)]


async def sources_of_value(uow: UnitOfWork, fact: Fact) -> list[UUID]:
    """The sources of the fact's key that state its value."""
    return _stating(await uow.sources.entries(fact.ref), fact)


def _stating(entries: Sequence[Entry], fact: Fact) -> list[UUID]:
    return [entry.id for entry in entries if isinstance(entry, Source) and entry.normal == fact.normal]


async def tiers_of(uow: UnitOfWork) -> Tiers:
    """By which numbers the organisation's facts fade."""
    organisation = await uow.organisations.known()
    return organisation.settings.tiers if organisation else TIERS


async def keep(
    uow: UnitOfWork, changed: list[Change], author: Author, befell: EventKind = EventKind.DELETED
) -> list[Change]:
    """Write the changes, and have the trail told of them; `befell` happened to rows that are gone."""
    await uow.facts.apply(changed, author.now)
    uow.events.tell(changed, author.telling(befell))
    return changed


async def _add(uow: UnitOfWork, ref: KeyRef, entry: Entry) -> bool:
    if isinstance(entry, Source):
        return await uow.sources.add(ref, entry)
    await uow.sources.decide(ref, entry)
    return True


async def _refold(
    uow: UnitOfWork,
    ref: KeyRef,
    before: list[Fact],
    author: Author,
    befell: EventKind = EventKind.DELETED,
    *,
    crossed: bool = False,
) -> list[Change]:
    """Bring the rows to what the entries now say, and with them the rows of other keys that they count for or with.

    One row alone has contradictions only where it is `crossed` by another key.
    """
    merged = await uow.facts.merged_into(ref.subject.scope, [row.id for row in before]) if before else []
    elsewhere = [row for row in merged if row.ref != ref]
    entries = await uow.sources.entries(ref)
    after = folded(ref, entries, elsewhere, await tiers_of(uow), await others_of(uow, ref, entries))
    changed = await keep(uow, changes(before, after.rows), author, befell)
    if crossed or len(before) > 1 or len(after.rows) > 1 or after.contradictions:
        await uow.contradictions.save(ref, after.contradictions)
    followed = await _follow(uow, ref, changed, elsewhere, author)
    return changed + followed + await _follow_across(uow, ref, changed, after.contradictions, author)


async def _follow(
    uow: UnitOfWork, ref: KeyRef, changed: Sequence[Change], merged: Sequence[Fact], author: Author
) -> list[Change]:
    """What was merged into a row that is gone stands for itself again; what took a row that moved counts it anew."""
    gone = {change.row.id for change in changed if change.after is None}
    followed: list[Change] = []
    for row in (row for row in merged if row.merged_into in gone):
        await uow.facts.lock([row.ref])
        mergers = [entry.id for entry in await uow.sources.entries(row.ref) if _merges_into(entry, row.merged_into)]
        await uow.sources.withdraw(mergers)
        followed += await _refold(uow, row.ref, await uow.facts.of_key(row.ref), author)
    moved = [row for change in changed for row in (change.before, change.after) if row is not None]
    survivors = await uow.facts.records(ref.subject.scope, list({row.merged_into for row in moved if row.merged_into}))
    for survivor in {record.fact.ref for record in survivors} - {ref}:
        await uow.facts.lock([survivor])
        followed += await _refold(uow, survivor, await uow.facts.of_key(survivor), author)
    return followed


async def _follow_across(
    uow: UnitOfWork, ref: KeyRef, changed: Sequence[Change], contradictions: Sequence[Contradiction], author: Author
) -> list[Change]:
    """What a row that is gone had overtaken is believed again; what opposes one that came or went is counted anew."""
    gone, turned = came_or_went(changed)
    if not gone | turned:
        return []
    told = [(place, one) for place, one in await uow.sources.crossing(ref.agent_id, gone | turned) if place != ref]
    if not told:
        return []
    await uow.contradictions.save(ref, contradictions)
    lost = [one for _, one in told if other_of(one) in gone]
    await uow.sources.withdraw([one.id for one in lost])
    places = {place: None for place, one in told if one in lost or one.verdict is Verdict.OPPOSE}
    return [change for place in places for change in await _fold_again(uow, place, author)]


async def _fold_again(uow: UnitOfWork, ref: KeyRef, author: Author) -> list[Change]:
    await uow.facts.lock([ref])
    return await _refold(uow, ref, await uow.facts.of_key(ref), author, crossed=True)


def _merges_into(entry: Entry, fact_id: UUID | None) -> bool:
    return isinstance(entry, Decision) and entry.changes.get("into") == str(fact_id)


async def _loosen(uow: UnitOfWork, refs: Sequence[KeyRef], gone: Callable[[Source], bool]) -> None:
    """Hold the keys, and free what was decided from the sources that will go: it holds for others of the same value."""
    await uow.facts.lock(refs)
    lost: list[UUID] = []
    for ref in refs:
        entries = await uow.sources.entries(ref)
        sources = sorted((one for one in entries if isinstance(one, Source)), key=lambda one: (one.recorded_at, one.id))
        going = {source.id: source.normal for source in sources if gone(source)}
        heirs = {source.normal: source.id for source in reversed(sources) if source.id not in going}
        for decision in (one for one in entries if isinstance(one, Decision) and one.fact_id in going):
            heir = heirs.get(going[decision.fact_id])
            if heir is None:
                lost.append(decision.id)
            else:
                await uow.sources.redirect(decision.id, heir)
    if lost:
        await uow.sources.withdraw(lost)


async def _refold_all(uow: UnitOfWork, refs: Sequence[KeyRef], author: Author) -> list[Change]:
    """Fold the keys after something was forgotten; of a row that tells something else, the trail loses the words."""
    changed = [change for ref in refs for change in await _refold(uow, ref, await uow.facts.of_key(ref), author)]
    if retold := [change.row.id for change in changed if _retold(change)]:
        await uow.events.erase_values(retold)
    return changed


def _retold(change: Change) -> bool:
    before, after = change.before, change.after
    if before is None or after is None:
        return False
    return (before.value, before.content, before.traits.tags) != (after.value, after.content, after.traits.tags)
