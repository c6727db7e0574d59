"""Reading facts: lists, one fact, and its past."""

from dataclasses import replace
from uuid import UUID

from app.domain.errors import Invalid, NotFound
from app.domain.events import EventKind, event
from app.domain.past import PRESENT, Moment
from app.domain.subjects import OrgSubject, Scope, StoreSubject, Subject, UserSubject
from app.domain.tenancy import Rank, TenantScope
from app.ports.clock import Clock
from app.ports.facts import FactFilter, FactRecord
from app.ports.paging import Page, PageRequest
from app.ports.receipts import ReceiptBook
from app.ports.storage import Storage, UnitOfWork
from app.services.history import History, history_of
from app.services.past_facts import fact_then, page_then
from app.services.reach import reads_as_admin, require_readable


class Facts:
    """What callers read of the three fact tables, within their reach. What they read is noted as seen, afterwards."""

    def __init__(self, storage: Storage, clock: Clock, book: ReceiptBook) -> None:
        self._storage = storage
        self._clock = clock
        self._book = book

    async def page(
        self,
        scope: TenantScope,
        wanted: FactFilter,
        named: str | None,
        request: PageRequest,
        moment: Moment = PRESENT,
    ) -> Page[FactRecord]:
        """One page, as of `moment`. `named` is the store or person asked for; without a person it is the caller's own
        facts, and for an admin who speaks for the organisation all contacts' facts.

        Raises NotFound for somebody else's, Forbidden for a contact who asks for shared facts; of another time also
        Invalid and BadRequest.
        """
        now = self._clock()
        moment.require_past(now)
        async with self._storage.transaction(scope) as uow:
            subject = await self._subject(uow, scope, wanted.scope, named)
            wanted = replace(
                wanted,
                now=moment.instant(now),
                subject=subject,
                stores=scope.stores,
                agents=scope.agents,
                contacts_only=subject is None and wanted.scope is Scope.USER,
            )
            if moment.is_present:
                page = await uow.facts.page(wanted, request)
                self._book.seen(scope, [record.fact.id for record in page.items])
            else:
                page = await page_then(uow, wanted, moment, request)
            if wanted.scope is Scope.USER and reads_as_admin(scope, subject):
                await uow.events.append([event(EventKind.READ, scope.actor, now, subject=subject)])
            return page

    async def get(self, scope: TenantScope, kind: Scope, fact_id: UUID) -> FactRecord:
        """One fact. Raises NotFound when it is not there for this caller."""
        async with self._storage.transaction(scope) as uow:
            record = await self._read(uow, scope, kind, fact_id)
        self._book.seen(scope, [fact_id])
        return record

    async def get_then(self, scope: TenantScope, kind: Scope, fact_id: UUID, moment: Moment) -> FactRecord:
        """The fact as it stood, under the id that it had. Raises as `get`, and Invalid for a time to come."""
        moment.require_past(self._clock())
        async with self._storage.transaction(scope) as uow:
            record = await fact_then(uow, kind, fact_id, moment)
            return await self._checked(uow, scope, kind, record)

    async def history(self, scope: TenantScope, kind: Scope, fact_id: UUID) -> History:
        """The fact with all that is known of its key. Raises as `get`."""
        async with self._storage.transaction(scope) as uow:
            return await history_of(uow, scope, await self._read(uow, scope, kind, fact_id))

    async def _read(self, uow: UnitOfWork, scope: TenantScope, kind: Scope, fact_id: UUID) -> FactRecord:
        return await self._checked(uow, scope, kind, await uow.facts.get(kind, fact_id))

    async def _checked(self, uow: UnitOfWork, scope: TenantScope, kind: Scope, record: FactRecord | None) -> FactRecord:
        """The record, once the caller's right to read it is clear, and, where that is due, told in the trail."""
        record = await readable(uow, scope, record)
        subject = record.fact.ref.subject
        if kind is Scope.USER and reads_as_admin(scope, subject):
            read = event(EventKind.READ, scope.actor, self._clock(), subject=subject, fact_id=record.fact.id)
            await uow.events.append([read])
        return record

    async def _subject(self, uow: UnitOfWork, scope: TenantScope, kind: Scope, named: str | None) -> Subject | None:
        """Whom the list is about; None for all stores, or for all contacts."""
        subject: Subject | None = OrgSubject()
        if kind is Scope.STORE:
            subject = StoreSubject(named) if named else None
        elif kind is Scope.USER:
            person = named or scope.person
            subject = UserSubject(person) if person else None
        if subject is not None:
            await require_readable(uow, scope, subject)
        elif kind is Scope.STORE:
            await require_readable(uow, scope, OrgSubject())
        elif scope.rank < Rank.ADMIN:
            raise Invalid("person_required", "Name the person by user_id or X-User-Id.", (("/user_id", "missing"),))
        return subject


async def find(uow: UnitOfWork, scope: TenantScope, kind: Scope, fact_id: UUID) -> FactRecord:
    """A fact that this caller may read. Raises NotFound for all others, alike."""
    return await readable(uow, scope, await uow.facts.get(kind, fact_id))


async def readable(uow: UnitOfWork, scope: TenantScope, record: FactRecord | None) -> FactRecord:
    """The record, where this caller may read it. Raises as `find`."""
    if record is None or not scope.reads_pocket(record.fact.ref.agent_id):
        raise NotFound
    await require_readable(uow, scope, record.fact.ref.subject)
    return record
