"""The organisation and its stores, people, channel links and keys, as kept."""

from collections.abc import Collection
from typing import Protocol
from uuid import UUID

from app.domain.organisations import ApiKey, ChannelLink, Organisation, Person, Store
from app.domain.rules import Rules
from app.ports.paging import Page, PageRequest


class Organisations(Protocol):
    """The scope's own organisation."""

    async def get(self, *, for_update: bool = False) -> Organisation | None:
        """`for_update`: nobody else changes it until the transaction ends."""
        ...

    async def with_rules(self, *, for_update: bool = False) -> tuple[Organisation, Rules] | None:
        """The organisation and the rules that stand, in one look; `for_update` as `get`."""
        ...

    async def known(self) -> Organisation | None:
        """The organisation as this transaction has read or saved it last; only where it has not, it is looked up."""
        ...

    async def save(self, organisation: Organisation) -> None:
        """Makes or changes it."""
        ...

    async def restore(self, organisation: Organisation) -> None:
        """It is as told, as old too; its quotas stay."""
        ...

    async def delete(self) -> None:
        """Removes it with all that is in it."""
        ...


class Stores(Protocol):
    async def get(self, store_id: str, *, hold: bool = False) -> Store | None:
        """`hold`: nobody else changes or removes it until the transaction ends."""
        ...

    async def among(self, store_ids: Collection[str]) -> list[Store]:
        """Those of these ids that are there."""
        ...

    async def page(self, request: PageRequest) -> Page[Store]: ...
    async def save(self, store: Store) -> None: ...

    async def ensure(self, store: Store) -> bool:
        """Makes the store where it is not there, and answers whether it did; an existing one stays as it is."""
        ...

    async def restore(self, store: Store) -> None:
        """It is as told, as old too; made where it is not there."""
        ...

    async def delete(self, store_id: str) -> None: ...


class People(Protocol):
    async def get(self, user_id: str, *, hold: bool = False) -> Person | None:
        """`hold` as for stores."""
        ...

    async def among(self, user_ids: Collection[str]) -> list[Person]:
        """Those of these ids that are there."""
        ...

    async def page(self, request: PageRequest) -> Page[Person]: ...
    async def save(self, person: Person) -> None: ...

    async def ensure(self, person: Person) -> bool:
        """Makes the person where they are not there, and answers whether it did; an existing one stays as they are."""
        ...

    async def restore(self, person: Person) -> None:
        """They are as told, there for as long too; made where they are not there."""
        ...

    async def delete(self, user_id: str) -> None: ...

    async def remembered_operators(self) -> frozenset[str]:
        """The ids of those who have a role, and do not want to be left out."""
        ...

    async def lock_owners(self) -> frozenset[str]:
        """The owners' ids, held until the transaction ends, so that two removals cannot both count the other."""
        ...


class Channels(Protocol):
    async def get(self, channel: str, address: str, *, hold: bool = False) -> ChannelLink | None:
        """`hold` as for stores."""
        ...

    async def page(self, request: PageRequest) -> Page[ChannelLink]: ...
    async def of_person(self, user_id: str) -> list[ChannelLink]: ...
    async def save(self, link: ChannelLink) -> None: ...
    async def delete(self, channel: str, address: str) -> bool: ...


class ApiKeys(Protocol):
    async def add(self, key: ApiKey, digest: bytes) -> None: ...
    async def get(self, key_id: UUID, *, hold: bool = False) -> ApiKey | None:
        """`hold` as for stores."""
        ...

    async def page(self, request: PageRequest) -> Page[ApiKey]: ...
    async def revoke(self, key: ApiKey) -> None:
        """Keeps the key's `revoked_at`: from the commit on it opens nothing."""
        ...
