"""Stores of an organisation."""

from fastapi import Response, status

from app.api.cursors import PageOut
from app.api.deps import Provisioner, Services
from app.api.erasures import QUEUED, receipt
from app.api.lists import Listed, Paged
from app.api.openapi import created
from app.api.routing import router
from app.api.schemas.common import CallerId
from app.api.schemas.erasures import ErasureOut
from app.api.schemas.stores import StoreIn, StoreOut

routes = router("/orgs/{org_id}/stores", "stores")


@routes.get("")
async def list_stores(scope: Provisioner, services: Services, lists: Listed, query: Paged) -> PageOut[StoreOut]:
    """The stores, in order of id."""
    page = await services.stores.page(scope, lists.request(scope, query))
    return lists.page(scope, query, page, StoreOut.of)


@routes.put("/{store_id}", responses=created(StoreOut))
async def put_store(
    scope: Provisioner, services: Services, store_id: CallerId, body: StoreIn, response: Response
) -> StoreOut:
    """Make a store (201), or change it (200)."""
    store, is_new = await services.stores.put(scope, store_id, body.name, body.time_zone)
    if is_new:
        response.status_code = status.HTTP_201_CREATED
    return StoreOut.of(store)


@routes.get("/{store_id}")
async def get_store(scope: Provisioner, services: Services, store_id: CallerId) -> StoreOut:
    """One store."""
    return StoreOut.of(await services.stores.get(scope, store_id))


@routes.delete("/{store_id}", responses=QUEUED)
async def delete_store(scope: Provisioner, services: Services, store_id: CallerId, response: Response) -> ErasureOut:
    """Erase a store, as `DELETE /memory/stores/{store_id}`."""
    return receipt(await services.erasures.store(scope, store_id), response)
