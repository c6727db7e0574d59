"""The sections of an export, each streamed from one snapshot."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from app.domain.errors import NotFound
from app.domain.export import SCHEMA_VERSION, Extent, Section
from app.domain.observations import Observation
from app.domain.organisations import ChannelLink, Person, Store
from app.domain.rules import Rules
from app.domain.sources import Audience
from app.domain.subjects import KeyRef, Scope, Subject, UserSubject, store_of
from app.domain.tenancy import Rank, TenantScope
from app.ports.events import EventFilter
from app.ports.facts import FactFilter
from app.ports.paging import Page, PageRequest
from app.ports.storage import UnitOfWork
from app.services.export_records import (
    Record,
    entry_record,
    event_record,
    fact_record,
    message_record,
    organisation_record,
    unquoted,
)
from app.services.export_shapes import Shape
from app.services.history import may_be_quoted

T = TypeVar("T")
_PAGE = 200


class Contents:
    """What one caller gets of one organisation. A key's limits narrow every section."""

    def __init__(self, uow: UnitOfWork, scope: TenantScope, extents: Mapping[Scope, Extent]) -> None:
        self._uow = uow
        self._scope = scope
        self._extents = extents

    async def write(self, shape: Shape, now: datetime) -> None:
        """The whole document, the manifest last. Raises NotFound when the organisation is gone."""
        organisation = await self._uow.organisations.get()
        if organisation is None:
            raise NotFound
        whole = self._extents.get(Scope.ORG) is Extent.WHOLE
        await shape.member(Section.ORGANISATION, organisation_record(organisation, whole=whole))
        lists: Mapping[Section, AsyncIterator[object]] = {
            Section.STORES: self._stores(),
            Section.PEOPLE: self._people(),
            Section.CHANNELS: self._channels(),
            Section.FACTS: self._facts(now),
            Section.SOURCES: self._sources(),
            Section.DECISIONS: self._decisions(),
            Section.MESSAGES: self._messages(),
            Section.OBSERVATIONS: self._observations(),
            Section.EVENTS: self._events(),
            Section.RULES: self._rules(),
        }
        counts = {section.value: await shape.members(section, records) for section, records in lists.items()}
        await shape.member(Section.SETTINGS, organisation.settings if whole else None)
        limited = self._scope.stores is not None or self._scope.agents is not None
        holds = {kind: Extent.LIMITED if limited else extent for kind, extent in self._extents.items()}
        told = {"schema_version": SCHEMA_VERSION, "exported_at": now, "counts": counts, "holds": holds}
        await shape.manifest(told)

    async def _stores(self) -> AsyncIterator[Store]:
        if self._extents.get(Scope.STORE) is Extent.WHOLE:
            async for store in _all(self._uow.stores.page):
                if self._scope.reaches_store(store.store_id):
                    yield store

    async def _people(self) -> AsyncIterator[Person]:
        extent, person = self._extents.get(Scope.USER), self._scope.person
        if extent is Extent.WHOLE:
            async for each in _all(self._uow.people.page):
                yield each
        elif extent is Extent.OWN and person and (known := await self._uow.people.get(person)):
            yield known

    async def _channels(self) -> AsyncIterator[ChannelLink]:
        extent, person = self._extents.get(Scope.USER), self._scope.person
        if extent is Extent.WHOLE:
            async for link in _all(self._uow.channels.page):
                if self._scope.reaches_store(link.store_id):
                    yield link
        elif extent is Extent.OWN and person:
            for link in await self._uow.channels.of_person(person):
                yield link

    async def _facts(self, now: datetime) -> AsyncIterator[Record]:
        for kind, extent in self._extents.items():
            public = extent is Extent.PUBLIC
            wanted = FactFilter(
                kind,
                now,
                subject=self._subject(extent),
                stores=self._scope.stores,
                agents=self._scope.agents,
                archived=False if public else None,
                audience=Audience.EVERYONE if public else None,
            )
            async for record in self._uow.facts.everything(wanted):
                yield fact_record(record, with_source=not public)

    async def _sources(self) -> AsyncIterator[Record]:
        """What others said in their messages leaves with their messages alone: in the owner's export."""
        whole = self._scope.rank >= Rank.OWNER
        for kind, subject in self._held():
            async for ref, source in self._uow.sources.everything(kind, subject):
                if self._within(ref):
                    told = whole or may_be_quoted(source, self._scope)
                    yield entry_record(ref, source if told else unquoted(source))

    async def _decisions(self) -> AsyncIterator[Record]:
        for kind, subject in self._held():
            async for ref, decision in self._uow.sources.all_decisions(kind, subject):
                if self._within(ref):
                    yield entry_record(ref, decision)

    async def _messages(self) -> AsyncIterator[Record]:
        extent = self._extents.get(Scope.USER)
        if extent is not None:
            person = self._scope.person if extent is Extent.OWN else None
            async for page in _pages(self._uow.messages.everything(person)):
                disowned = set(await self._uow.search.disowned([message.id for message in page]))
                for message in page:
                    if self._scope.reaches_store(message.store_id) and self._scope.reads_pocket(message.agent_id):
                        yield message_record(message, disowned=message.id in disowned)

    async def _observations(self) -> AsyncIterator[Observation]:
        extent = self._extents.get(Scope.USER)
        if extent is not None:
            async for one in self._uow.observations.everything(self._scope.person if extent is Extent.OWN else None):
                if self._scope.reaches_store(one.store_id) and self._scope.reads_pocket(one.agent_id):
                    yield one

    async def _events(self) -> AsyncIterator[Record]:
        """The trail, as its reader may see it; a contact is given none."""
        if not self._scope.is_operator:
            return
        wanted = EventFilter(
            reader=self._scope.person,
            stores=self._scope.stores,
            agents=self._scope.agents,
            unveiled=self._scope.rank >= Rank.OWNER,
        )
        for kind, subject in self._held():
            async for event in self._uow.events.everything(replace(wanted, scope=kind, subject=subject)):
                yield event_record(event)

    async def _rules(self) -> AsyncIterator[Rules]:
        if self._extents.get(Scope.ORG) is Extent.WHOLE:
            async for rules in self._uow.rules.everything():
                yield rules

    def _held(self) -> list[tuple[Scope, Subject | None]]:
        """The scopes of which more than the public facts is exported, and whom of each."""
        return [(kind, self._subject(extent)) for kind, extent in self._extents.items() if extent is not Extent.PUBLIC]

    def _subject(self, extent: Extent) -> Subject | None:
        return UserSubject(self._scope.person) if extent is Extent.OWN and self._scope.person else None

    def _within(self, ref: KeyRef) -> bool:
        return self._scope.reaches_store(store_of(ref.subject)) and self._scope.reads_pocket(ref.agent_id)


async def _pages(items: AsyncIterator[T]) -> AsyncIterator[list[T]]:
    page: list[T] = []
    async for item in items:
        page.append(item)
        if len(page) == _PAGE:
            yield page
            page = []
    if page:
        yield page


async def _all(page: Callable[[PageRequest], Awaitable[Page[T]]]) -> AsyncIterator[T]:
    request = PageRequest(limit=_PAGE)
    while True:
        found = await page(request)
        for item in found.items:
            yield item
        if found.next is None:
            return
        request = replace(request, after=found.next)
