"""Channel links of an organisation."""

from fastapi import Response, status

from app.api.cursors import PageOut
from app.api.deps import Provisioner, Services
from app.api.lists import Listed, Paged
from app.api.openapi import created
from app.api.routing import router
from app.api.schemas.channels import ChannelIn, ChannelOut
from app.api.schemas.common import CallerId

routes = router("/orgs/{org_id}/channels", "channels")


@routes.get("")
async def list_channels(scope: Provisioner, services: Services, lists: Listed, query: Paged) -> PageOut[ChannelOut]:
    """All links, in order of channel and address."""
    page = await services.channels.page(scope, lists.request(scope, query))
    return lists.page(scope, query, page, ChannelOut.of)


@routes.put("/{channel}/{address}", responses=created(ChannelOut))
async def put_channel(
    scope: Provisioner,
    services: Services,
    channel: CallerId,
    address: CallerId,
    body: ChannelIn,
    response: Response,
) -> ChannelOut:
    """Link an address to a person and a store (201), or link it anew (200).

    A person or a store that a key names first is made. What the address held is the person's from then on.
    """
    link, is_new = await services.channels.put(scope, channel, address, body.user_id, body.store_id)
    if is_new:
        response.status_code = status.HTTP_201_CREATED
    return ChannelOut.of(link)


@routes.get("/{channel}/{address}")
async def get_channel(scope: Provisioner, services: Services, channel: CallerId, address: CallerId) -> ChannelOut:
    """Whose address it is."""
    return ChannelOut.of(await services.channels.get(scope, channel, address))


@routes.delete("/{channel}/{address}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_channel(scope: Provisioner, services: Services, channel: CallerId, address: CallerId) -> None:
    """Unlink an address. What came over it stays the person's."""
    await services.channels.delete(scope, channel, address)
