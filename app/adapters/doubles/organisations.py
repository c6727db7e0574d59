"""Organisations, stores, people, channel links and keys in memory."""

from collections.abc import Collection
from dataclasses import replace
from uuid import UUID

from app.adapters.doubles.paging import page_of
from app.adapters.doubles.rules import latest
from app.adapters.doubles.state import State
from app.domain.organisations import ApiKey, ChannelLink, Organisation, Person, Store
from app.domain.rules import Rules
from app.domain.subjects import StoreSubject, UserSubject
from app.domain.tenancy import Role
from app.ports.paging import Page, PageRequest


class InMemoryOrganisations:
    """The organisation itself."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def get(self, *, for_update: bool = False) -> Organisation | None:
        return self._state.organisation

    async def with_rules(self, *, for_update: bool = False) -> tuple[Organisation, Rules] | None:
        organisation = self._state.organisation
        return (organisation, latest(self._state)) if organisation else None

    async def known(self) -> Organisation | None:
        return self._state.organisation

    async def save(self, organisation: Organisation) -> None:
        before = self._state.organisation or organisation
        self._state.organisation = replace(organisation, created_at=before.created_at)

    async def restore(self, organisation: Organisation) -> None:
        self._state.organisation = organisation

    async def delete(self) -> None:
        self._state.clear()


class InMemoryStores:
    """Its stores."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def get(self, store_id: str, *, hold: bool = False) -> Store | None:
        return self._state.stores.get(store_id)

    async def among(self, store_ids: Collection[str]) -> list[Store]:
        return [store for store_id, store in self._state.stores.items() if store_id in store_ids]

    async def page(self, request: PageRequest) -> Page[Store]:
        return page_of(self._state.stores.values(), lambda store: (store.store_id,), request)

    async def save(self, store: Store) -> None:
        self._state.require()
        self._state.require_open(store_id=store.store_id)
        before = self._state.stores.get(store.store_id, store)
        self._state.stores[store.store_id] = replace(store, created_at=before.created_at)

    async def ensure(self, store: Store) -> bool:
        self._state.require()
        self._state.require_open(store_id=store.store_id)
        return self._state.stores.setdefault(store.store_id, store) is store

    async def restore(self, store: Store) -> None:
        self._state.require()
        self._state.stores[store.store_id] = store

    async def delete(self, store_id: str) -> None:
        if self._state.stores.pop(store_id, None):
            self._state.forget_subject(StoreSubject(store_id))


class InMemoryPeople:
    """Its people."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def get(self, user_id: str, *, hold: bool = False) -> Person | None:
        return self._state.people.get(user_id)

    async def among(self, user_ids: Collection[str]) -> list[Person]:
        return [person for user_id, person in self._state.people.items() if user_id in user_ids]

    async def page(self, request: PageRequest) -> Page[Person]:
        return page_of(self._state.people.values(), lambda person: (person.user_id,), request)

    async def save(self, person: Person) -> None:
        self._state.require()
        self._state.require_open(user_id=person.user_id)
        before = self._state.people.get(person.user_id, person)
        self._state.people[person.user_id] = replace(person, created_at=before.created_at)

    async def ensure(self, person: Person) -> bool:
        self._state.require()
        self._state.require_open(user_id=person.user_id)
        return self._state.people.setdefault(person.user_id, person) is person

    async def restore(self, person: Person) -> None:
        self._state.require()
        self._state.people[person.user_id] = person

    async def delete(self, user_id: str) -> None:
        self._state.people.pop(user_id, None)
        self._state.forget_subject(UserSubject(user_id))

    async def remembered_operators(self) -> frozenset[str]:
        people = self._state.people.values()
        return frozenset(person.user_id for person in people if person.role is not None and person.remember)

    async def lock_owners(self) -> frozenset[str]:
        return frozenset(person.user_id for person in self._state.people.values() if person.role is Role.OWNER)


class InMemoryChannels:
    """Its channel links."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def get(self, channel: str, address: str, *, hold: bool = False) -> ChannelLink | None:
        return self._state.links.get((channel, address))

    async def page(self, request: PageRequest) -> Page[ChannelLink]:
        return page_of(self._state.links.values(), lambda link: (link.channel, link.address), request)

    async def of_person(self, user_id: str) -> list[ChannelLink]:
        return [link for _, link in sorted(self._state.links.items()) if link.user_id == user_id]

    async def save(self, link: ChannelLink) -> None:
        self._state.require(user_id=link.user_id, store_id=link.store_id)
        before = self._state.links.get((link.channel, link.address), link)
        self._state.links[link.channel, link.address] = replace(link, created_at=before.created_at)

    async def delete(self, channel: str, address: str) -> bool:
        return self._state.links.pop((channel, address), None) is not None


class InMemoryApiKeys:
    """Its keys, with their digests."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, key: ApiKey, digest: bytes) -> None:
        self._state.require()
        self._state.require_new(key.id in self._state.keys)
        self._state.keys[key.id] = key, digest

    async def get(self, key_id: UUID, *, hold: bool = False) -> ApiKey | None:
        kept = self._state.keys.get(key_id)
        return kept[0] if kept else None

    async def page(self, request: PageRequest) -> Page[ApiKey]:
        keys = [key for key, _ in self._state.keys.values()]
        return page_of(keys, lambda key: (key.id,), request, newest_first=True)

    async def revoke(self, key: ApiKey) -> None:
        kept, digest = self._state.keys[key.id]
        self._state.keys[key.id] = replace(kept, revoked_at=key.revoked_at), digest
