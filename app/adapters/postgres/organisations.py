"""Organisations, stores, people and channel links in Postgres."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from sqlalchemy import Select, delete, select, update

from app.adapters.postgres.arrays import one_of
from app.adapters.postgres.models import (
    ChannelLinkRow,
    IdempotencyRow,
    OrganisationRow,
    PersonRow,
    ReceiptRow,
    StoreRow,
)
from app.adapters.postgres.paging import keyset_page
from app.adapters.postgres.rules import WITH_ORGANISATION, rules_of
from app.adapters.postgres.session import TenantSession
from app.domain.identifiers import uuid7
from app.domain.organisations import ChannelLink, Organisation, Person, Store, settings_of
from app.domain.rules import Rules
from app.domain.subjects import OrgSubject, StoreSubject, UserSubject
from app.domain.tenancy import Role
from app.domain.usage import Quotas
from app.ports.paging import Page, PageRequest


class PostgresOrganisations:
    """The scope's own organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session
        self._read: Organisation | None = None

    async def get(self, *, for_update: bool = False) -> Organisation | None:
        query = select(OrganisationRow)
        if for_update:
            query = query.with_for_update(key_share=True)  # lets others write rows that belong to it
        row = (await self._session.execute(query)).scalar_one_or_none()
        self._read = _organisation(row) if row else None
        return self._read

    async def with_rules(self, *, for_update: bool = False) -> tuple[Organisation, Rules] | None:
        if for_update and await self.get(for_update=True) is None:  # waits before it looks at the rules
            return None
        row = (await self._session.execute(WITH_ORGANISATION)).one_or_none()
        if row is None:
            return None
        self._read = _organisation(row[0])
        return self._read, rules_of(row[1], row[2])

    async def known(self) -> Organisation | None:
        return self._read or await self.get()

    async def save(self, organisation: Organisation) -> None:
        self._read = organisation
        values = asdict(organisation)
        statement = self._session.insertion(OrganisationRow, [values])
        changed = {name: values[name] for name in ("name", "settings", "version", "quotas")}
        await self._session.execute(statement.on_conflict_do_update(index_elements=["org_id"], set_=changed))
        self._session.touch(OrgSubject())

    async def restore(self, organisation: Organisation) -> None:
        await self.save(organisation)
        told = update(OrganisationRow).values(created_at=organisation.created_at)
        await self._session.execute(told)

    async def delete(self) -> None:
        self._read = None
        await self._session.execute(delete(OrganisationRow))
        await self._session.execute(delete(IdempotencyRow).where(IdempotencyRow.status.is_not(None)))


class PostgresStores:
    """The stores of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def get(self, store_id: str, *, hold: bool = False) -> Store | None:
        query = held(select(StoreRow).where(StoreRow.store_id == store_id), hold)
        row = (await self._session.execute(query)).scalar_one_or_none()
        return _store(row) if row else None

    async def among(self, store_ids: Collection[str]) -> list[Store]:
        rows = await self._session.execute(select(StoreRow).where(StoreRow.store_id.in_(store_ids)))
        return [_store(row) for row in rows.scalars()]

    async def page(self, request: PageRequest) -> Page[Store]:
        return await keyset_page(self._session, select(StoreRow), [StoreRow.store_id], request, _store)

    async def save(self, store: Store) -> None:
        statement = self._insertion(store)
        changed = {"name": store.name, "time_zone": store.time_zone}
        await self._session.execute(
            statement.on_conflict_do_update(index_elements=["org_id", "store_id"], set_=changed)
        )
        self._session.touch(StoreSubject(store.store_id))

    async def ensure(self, store: Store) -> bool:
        made = self._insertion(store).on_conflict_do_nothing().returning(StoreRow.store_id)
        return (await self._session.execute(made)).first() is not None

    async def restore(self, store: Store) -> None:
        await self.save(store)
        told = update(StoreRow).where(StoreRow.store_id == store.store_id)
        await self._session.execute(told.values(created_at=store.created_at))

    async def delete(self, store_id: str) -> None:
        await self._session.execute(delete(StoreRow).where(StoreRow.store_id == store_id))
        self._session.touch(OrgSubject())  # its own generation goes with it

    def _insertion(self, store: Store) -> Any:
        return self._session.insertion(StoreRow, [{**asdict(store), "ref": uuid7()}])


class PostgresPeople:
    """The people of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def get(self, user_id: str, *, hold: bool = False) -> Person | None:
        query = held(select(PersonRow).where(PersonRow.user_id == user_id), hold)
        row = (await self._session.execute(query)).scalar_one_or_none()
        return _person(row) if row else None

    async def among(self, user_ids: Collection[str]) -> list[Person]:
        rows = await self._session.execute(select(PersonRow).where(one_of(PersonRow.user_id, user_ids)))
        return [_person(row) for row in rows.scalars()]

    async def page(self, request: PageRequest) -> Page[Person]:
        return await keyset_page(self._session, select(PersonRow), [PersonRow.user_id], request, _person)

    async def save(self, person: Person) -> None:
        values = asdict(person)
        changed = {name: values[name] for name in ("role", "display_name", "remember", "time_zone")}
        statement = self._insertion(person)
        await self._session.execute(statement.on_conflict_do_update(index_elements=["org_id", "user_id"], set_=changed))
        self._session.touch(UserSubject(person.user_id))

    async def ensure(self, person: Person) -> bool:
        made = self._insertion(person).on_conflict_do_nothing().returning(PersonRow.user_id)
        return (await self._session.execute(made)).first() is not None

    async def restore(self, person: Person) -> None:
        await self.save(person)
        told = update(PersonRow).where(PersonRow.user_id == person.user_id)
        await self._session.execute(told.values(created_at=person.created_at))

    async def delete(self, user_id: str) -> None:
        await self._session.execute(delete(ReceiptRow).where(ReceiptRow.user_id == user_id))
        await self._session.execute(delete(PersonRow).where(PersonRow.user_id == user_id))
        self._session.touch(OrgSubject())  # their own generation goes with them

    async def remembered_operators(self) -> frozenset[str]:
        query = select(PersonRow.user_id).where(PersonRow.role.is_not(None), PersonRow.remember)
        return frozenset((await self._session.execute(query)).scalars())

    async def lock_owners(self) -> frozenset[str]:
        owners = select(PersonRow.user_id).where(PersonRow.role == Role.OWNER.value).order_by(PersonRow.user_id)
        return frozenset((await self._session.execute(owners.with_for_update(key_share=True))).scalars())

    def _insertion(self, person: Person) -> Any:
        return self._session.insertion(PersonRow, [{**asdict(person), "ref": uuid7()}])


class PostgresChannels:
    """The channel links of the scope's organisation."""

    def __init__(self, session: TenantSession) -> None:
        self._session = session

    async def get(self, channel: str, address: str, *, hold: bool = False) -> ChannelLink | None:
        query = select(ChannelLinkRow).where(ChannelLinkRow.channel == channel, ChannelLinkRow.address == address)
        row = (await self._session.execute(held(query, hold))).scalar_one_or_none()
        return _link(row) if row else None

    async def page(self, request: PageRequest) -> Page[ChannelLink]:
        keys = [ChannelLinkRow.channel, ChannelLinkRow.address]
        return await keyset_page(self._session, select(ChannelLinkRow), keys, request, _link)

    async def of_person(self, user_id: str) -> list[ChannelLink]:
        query = select(ChannelLinkRow).where(ChannelLinkRow.user_id == user_id)
        rows = await self._session.execute(query.order_by(ChannelLinkRow.channel, ChannelLinkRow.address))
        return [_link(row) for row in rows.scalars()]

    async def save(self, link: ChannelLink) -> None:
        statement = self._session.insertion(ChannelLinkRow, [asdict(link)])
        changed = {"user_id": link.user_id, "store_id": link.store_id}
        keys = ["org_id", "channel", "address"]
        await self._session.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed))
        self._session.touch(UserSubject(link.user_id))

    async def delete(self, channel: str, address: str) -> bool:
        statement = delete(ChannelLinkRow).where(ChannelLinkRow.channel == channel, ChannelLinkRow.address == address)
        whose = (await self._session.execute(statement.returning(ChannelLinkRow.user_id))).scalars().all()
        self._session.touch(*map(UserSubject, whose))
        return bool(whose)


def held(query: Select[Any], hold: bool) -> Select[Any]:
    """With the row as it stands once whoever else held it is done; others may still write rows that belong to it."""
    return query.with_for_update(key_share=True).execution_options(populate_existing=True) if hold else query


def _organisation(row: OrganisationRow) -> Organisation:
    quotas = Quotas(**row.quotas)
    return Organisation(row.org_id, row.name, row.created_at, settings_of(row.settings), row.version, quotas)


def _store(row: StoreRow) -> Store:
    return Store(row.store_id, row.name, row.created_at, row.time_zone)


def _person(row: PersonRow) -> Person:
    role = Role(row.role) if row.role else None
    return Person(row.user_id, row.created_at, role, row.display_name, row.remember, row.time_zone)


def _link(row: ChannelLinkRow) -> ChannelLink:
    return ChannelLink(row.channel, row.address, row.user_id, row.created_at, row.store_id)
