"""Channel links: an address (a WhatsApp number) as an alias of a person and a store."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.errors import NotFound
from app.domain.organisations import ChannelLink
from app.domain.subjects import UserSubject
from app.domain.tenancy import TenantScope
from app.domain.values import JsonValue
from app.ports.clock import Clock
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage, UnitOfWork
from app.services.adoption import adopt
from app.services.arrivals import welcome_person, welcome_store
from app.services.folds import Author
from app.services.organisations import standing
from app.services.settings import record_settings


@dataclass(frozen=True, slots=True)
class Channels:
    """Linked, listed and unlinked by owners and the platform."""

    storage: Storage
    clock: Clock

    async def put(
        self, scope: TenantScope, channel: str, address: str, user_id: str, store_id: str | None
    ) -> tuple[ChannelLink, bool]:
        """Link the address, or link it anew. Answers the link, and whether the address had none.

        What came over the address before is the person's from then on. A person and a store not seen before are made
        when a key names them. Raises NotFound when a person does.
        """
        now = self.clock()
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            await welcome_person(uow, scope, user_id, now)
            await uow.people.get(user_id, hold=True)  # of two who link at once, the second sees what the first did
            if store_id is not None:
                await welcome_store(uow, scope, store_id, now)
            before = await uow.channels.get(channel, address, hold=True)
            link = ChannelLink(channel, address, user_id, before.created_at if before else now, store_id)
            await uow.channels.save(link)
            adopted = await adopt(uow, link, Author(scope.actor, now))
            stood = before if before and before.user_id == user_id and not adopted else None
            await _record(uow, scope, user_id, stood, link, now)
        return link, before is None

    async def get(self, scope: TenantScope, channel: str, address: str) -> ChannelLink:
        """Raises NotFound where the address is not linked."""
        async with self.storage.transaction(scope) as uow:
            link = await uow.channels.get(channel, address)
        if link is None:
            raise NotFound
        return link

    async def page(self, scope: TenantScope, request: PageRequest) -> Page[ChannelLink]:
        """In order of channel and address."""
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            return await uow.channels.page(request)

    async def delete(self, scope: TenantScope, channel: str, address: str) -> None:
        """Afterwards the address is nobody's alias; what came over it stays the person's. Raises NotFound."""
        async with self.storage.transaction(scope) as uow:
            link = await uow.channels.get(channel, address, hold=True)
            if link is None:
                raise NotFound
            await uow.channels.delete(channel, address)
            await _record(uow, scope, link.user_id, link, None, self.clock())


async def _record(
    uow: UnitOfWork,
    scope: TenantScope,
    user_id: str,
    before: ChannelLink | None,
    after: ChannelLink | None,
    now: datetime,
) -> None:
    """An event about the person whose link was made, changed or undone; the trail never holds the address."""
    old, new = {"link": _told(before)}, {"link": _told(after)}
    await record_settings(uow, scope, UserSubject(user_id), old, new, now)


def _told(link: ChannelLink | None) -> JsonValue:
    return {"channel": link.channel, "store_id": link.store_id} if link else None
