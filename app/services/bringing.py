"""Bringing the records of an import in: what becomes of each, by step. Nothing that is here is lost."""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from app.domain.events import EventKind, event
from app.domain.export import Section
from app.domain.imports import Staged, Step, read_settings
from app.domain.messages import same_words
from app.domain.organisations import Organisation, Person, Store
from app.domain.records import (
    channel_of,
    event_of,
    message_of,
    observation_of,
    organisation_of,
    person_of,
    rules_of,
    store_of,
)
from app.domain.subjects import Scope, UserSubject
from app.domain.tenancy import Role
from app.ports.storage import UnitOfWork
from app.services.adoption import adopt
from app.services.folds import Author
from app.services.organisations import standing


@dataclass(frozen=True, slots=True)
class Bringing:
    """One stretch. `whole`: the organisation had nothing of its own, so that what is told of it holds. `allowed` takes
    records out of what waits, and leaves out those that may not come back.
    """

    uow: UnitOfWork
    job_id: UUID
    author: Author
    whole: bool
    allowed: Callable[[Sequence[Staged]], Awaitable[list[Staged]]]


Counts = Counter[str]
Step_ = Callable[[Bringing, Sequence[Staged]], Awaitable[Counts]]


async def is_empty(uow: UnitOfWork) -> bool:
    """Whether the organisation has no memory yet, and has chosen nothing for it."""
    found = await uow.organisations.with_rules()
    if found is None or found[0].version > 1 or found[1].version:
        return False
    kept: list[AsyncIterator[object]] = [uow.messages.everything(None), uow.observations.everything(None)]
    kept += [uow.sources.everything(kind, None) for kind in Scope]
    return not any([await _any(each) for each in kept])


async def _any(items: AsyncIterator[Any]) -> bool:
    async with aclosing(items) as each:  # type: ignore[type-var]
        async for _ in each:
            return True
    return False


async def ensure(bringing: Bringing, records: Iterable[Staged]) -> None:
    """The people and stores that these are about are there: a part of a memory names some without telling of them."""
    uow, now = bringing.uow, bringing.author.now
    stores = {one.store_id for one in records if one.store_id}
    people = {one.user_id for one in records if one.user_id}
    for store_id in sorted(stores - {store.store_id for store in await uow.stores.among(stores)}) if stores else ():
        await uow.stores.ensure(Store(store_id, store_id, now))
    for user_id in sorted(people - {one.user_id for one in await uow.people.among(people)}) if people else ():
        await uow.people.ensure(Person(user_id, now))


async def _organisation(bringing: Bringing, records: Sequence[Staged]) -> Counts:
    """Its name, age and settings, where it has chosen nothing yet."""
    uow, counts = bringing.uow, Counts()
    before = await standing(uow)
    told: Mapping[Section, Any] = {one.section: one.record for one in records}
    after = before
    if Section.ORGANISATION in told:
        named = organisation_of(told[Section.ORGANISATION])
        if named.version is not None and named.created_at is not None:
            after = replace(after, name=named.name, version=named.version, created_at=named.created_at)
    if Section.SETTINGS in told:
        after = replace(after, settings=read_settings(told[Section.SETTINGS]))
    if after == before:
        counts["unchanged"] += len(records)
    elif not bringing.whole:
        counts["kept"] += len(records)
    else:
        await _restore(uow, after)
        counts["stored"] += len(records)
    return counts


async def _restore(uow: UnitOfWork, organisation: Organisation) -> None:
    await uow.organisations.get(for_update=True)
    await uow.organisations.restore(organisation)


async def _stores(bringing: Bringing, records: Sequence[Staged]) -> Counts:
    uow, counts = bringing.uow, Counts()
    told = [store_of(one.record) for one in records]
    known = {store.store_id: store for store in await uow.stores.among({store.store_id for store in told})}
    for store in told:
        here = known.get(store.store_id)
        what = "unchanged" if here == store else "stored" if here is None or bringing.whole else "kept"
        counts[what] += 1
        if what == "stored":
            await uow.stores.restore(store)
    return counts


async def _people(bringing: Bringing, records: Sequence[Staged]) -> Counts:
    """Who is here keeps their role, and above all their wish that nothing be remembered."""
    uow, counts = bringing.uow, Counts()
    told = [person_of(one.record) for one in records]
    known = {person.user_id: person for person in await uow.people.among({person.user_id for person in told})}
    for person in told:
        here = known.get(person.user_id)
        if here is not None and person.remember and not here.remember:
            counts["refused"] += await uow.imports.forget_person(person.user_id, bringing.job_id)
            person = replace(person, remember=False)
        if here is not None and here.role is Role.OWNER:
            person = replace(person, role=Role.OWNER)
        what = "unchanged" if here == person else "stored" if here is None or bringing.whole else "kept"
        counts[what] += 1
        if what == "stored":
            await uow.people.restore(person)
            await _tell_role(bringing, person)
    return counts


async def _tell_role(bringing: Bringing, person: Person) -> None:
    """Somebody got a right here that nothing here tells of; the trail of a whole memory comes with it."""
    author = bringing.author
    if person.role is not None and not bringing.whole:
        about = UserSubject(person.user_id)
        told = event(
            EventKind.ROLE_CHANGED, author.actor, author.now, subject=about, new=person.role, reason="imported"
        )
        await bringing.uow.events.append([told])


async def _channels(bringing: Bringing, records: Sequence[Staged]) -> Counts:
    uow, counts = bringing.uow, Counts()
    await ensure(bringing, records)
    for link in (channel_of(one.record) for one in records):
        here = await uow.channels.get(link.channel, link.address, hold=True)
        if here is None:
            await uow.channels.save(link)
            if not bringing.whole:  # who came back under an address there is apart from the person here, too
                await adopt(uow, link, bringing.author)
        counts["stored" if here is None else "unchanged" if here == link else "kept"] += 1
    return counts


async def _rules(bringing: Bringing, records: Sequence[Staged]) -> Counts:
    """Rules that stand here go on standing."""
    uow, counts = bringing.uow, Counts()
    here = {rules.version: rules async for rules in uow.rules.everything()}
    for rules in (rules_of(one.record) for one in records):
        standing_here = here.get(rules.version)
        if standing_here is None and bringing.whole:
            await uow.rules.add(rules)
            counts["stored"] += 1
        else:
            same = standing_here is not None and standing_here.markdown == rules.markdown
            counts["unchanged" if same else "kept"] += 1
    return counts


async def _messages(bringing: Bringing, records: Sequence[Staged]) -> Counts:
    uow, counts = bringing.uow, Counts()
    await ensure(bringing, records)
    told = dict(message_of(one.record) for one in records)
    by_id = {message.id: message for message in await uow.messages.get([message.id for message in told])}
    by_ref = {message.ref: message for message in await uow.messages.find([message.ref for message in told])}
    new = [message for message in told if message.id not in by_id and message.ref not in by_ref]
    await uow.messages.add(new)
    await uow.search.disown([message.id for message in new if told[message]])
    counts["stored"] = len(new)
    for message in set(told) - set(new):
        here = by_id.get(message.id) or by_ref[message.ref]
        same = here.ref == message.ref and same_words(here, message)
        counts["unchanged" if same else "kept"] += 1
    return counts


async def _observations(bringing: Bringing, records: Sequence[Staged]) -> Counts:
    await ensure(bringing, records)
    new = await bringing.uow.observations.add([observation_of(one.record) for one in records])
    return Counts(stored=len(new), unchanged=len(records) - len(new))


async def _events(bringing: Bringing, records: Sequence[Staged]) -> Counts:
    new = await bringing.uow.events.restore([event_of(one.record) for one in records])
    return Counts(stored=new, unchanged=len(records) - new)


STEPS: Mapping[Step, Step_] = {
    Step.ORGANISATION: _organisation,
    Step.STORES: _stores,
    Step.PEOPLE: _people,
    Step.CHANNELS: _channels,
    Step.RULES: _rules,
    Step.MESSAGES: _messages,
    Step.OBSERVATIONS: _observations,
    Step.EVENTS: _events,
}
