"""Channel links: an address (a WhatsApp number) as an alias of a person and a store."""

from dataclasses import dataclass

from app.domain.errors import NotFound
from app.domain.organisations import ChannelLink
from app.domain.tenancy import TenantScope
from app.ports.clock import Clock
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage
from app.services.adoption import adopt
from app.services.arrivals import welcome_person, welcome_store
from app.services.folds import Author
from app.services.organisations import standing


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
            if store_id is not None:
                await welcome_store(uow, scope, store_id, now)
            before = await uow.channels.get(channel, address)
            link = ChannelLink(channel, address, user_id, before.created_at if before else now, store_id)
            await uow.channels.save(link)
            await adopt(uow, link, Author(scope.actor, now))
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
            if not await uow.channels.delete(channel, address):
                raise NotFound
