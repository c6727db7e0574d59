"""An address that turns out to be somebody: what it held as a contact becomes the person's."""

from dataclasses import replace

from app.domain.events import Change, EventKind, changes, event
from app.domain.fold import fold, folded
from app.domain.organisations import ChannelLink
from app.domain.subjects import KeyRef, UserSubject
from app.domain.values import JsonValue
from app.ports.storage import UnitOfWork
from app.services.behaviour import join_sessions
from app.services.crossing import others_of
from app.services.folds import Author, keep, tiers_of
from app.services.reach import is_contact


async def adopt(uow: UnitOfWork, link: ChannelLink, author: Author) -> bool:
    """Give the linked person all that was kept under the address itself; the contact of that id is gone then. Answers
    whether there was one.

    Whoever wanted nothing remembered still does. Messages and observations that named no store get the link's. Facts
    keep their ids; where both knew a key, it is folded over both.
    """
    if link.address == link.user_id or not await is_contact(uow, link.address):
        return False
    for user_id in sorted((link.address, link.user_id)):
        await uow.consolidations.hold(user_id)
    refs = await uow.sources.refs_about(link.address)
    theirs = [KeyRef(UserSubject(link.user_id), ref.agent_id, ref.key) for ref in refs]
    await uow.facts.lock([*refs, *theirs])
    known = [await uow.facts.of_key(ref) for ref in theirs]
    for ref in refs:
        await _keep(uow, changes(await uow.facts.of_key(ref), []), author)
    await join_sessions(uow, refs, theirs)
    await uow.sources.reassign(link.address, link.user_id)
    await uow.messages.reassign(link.address, link.user_id, link.store_id)
    await uow.observations.reassign(link.address, link.user_id, link.store_id)
    await uow.jobs.reassign(link.address, link.user_id)
    tiers = await tiers_of(uow)
    for ref, before in zip(theirs, known, strict=True):
        await _keep(uow, changes(before, fold(ref, await uow.sources.entries(ref), (), tiers)), author)
    for ref in theirs:
        await _settle(uow, ref, author)
    await uow.events.flush()
    await _keep_wish(uow, link, author)
    await uow.events.erase_about(UserSubject(link.address), with_facts=False)
    await uow.people.delete(link.address)
    return True


async def _keep(uow: UnitOfWork, changed: list[Change], author: Author) -> None:
    """A row that only changes hands is none that the trail tells of; of two that say the same one is left."""
    await keep(uow, changed, author, EventKind.MERGED)


async def _keep_wish(uow: UnitOfWork, link: ChannelLink, author: Author) -> None:
    """Who wanted nothing remembered under the address wants it as the person, too."""
    before, person = await uow.people.get(link.address), await uow.people.get(link.user_id)
    if before is not None and person is not None and person.remember and not before.remember:
        await uow.people.save(replace(person, remember=False))
        old: JsonValue = {"remember": True}
        new: JsonValue = {"remember": False}
        whom = UserSubject(link.user_id)
        told = event(EventKind.SETTINGS_CHANGED, author.actor, author.now, subject=whom, old=old, new=new)
        await uow.events.append([told])


async def _settle(uow: UnitOfWork, ref: KeyRef, author: Author) -> None:
    """Once every key is folded: the rows with what was merged into them from other keys, and the contradictions."""
    rows = await uow.facts.of_key(ref)
    merged = await uow.facts.merged_into(ref.subject.scope, [row.id for row in rows])
    entries = await uow.sources.entries(ref)
    others = await others_of(uow, ref, entries)
    if merged or others or len(rows) > 1:
        elsewhere = [row for row in merged if row.ref != ref]
        found = folded(ref, entries, elsewhere, await tiers_of(uow), others)
        await _keep(uow, changes(rows, found.rows), author)
        await uow.contradictions.save(ref, found.contradictions)
