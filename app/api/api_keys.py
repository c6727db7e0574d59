"""API keys of an organisation."""

from fastapi import status

from app.api.cursors import PageOut
from app.api.deps import Provisioner, Services
from app.api.lists import Listed, Paged
from app.api.routing import router
from app.api.schemas.api_keys import ApiKeyIn, ApiKeyMade, ApiKeyOut
from app.api.schemas.common import RowId
from app.services.api_keys import ApiKeyIn as Wanted

routes = router("/orgs/{org_id}/api-keys", "api keys")


@routes.post("", status_code=status.HTTP_201_CREATED)
async def make_api_key(scope: Provisioner, services: Services, body: ApiKeyIn) -> ApiKeyMade:
    """Make a key. It is in this answer and nowhere else."""
    key, text = await services.api_keys.make(
        scope,
        Wanted(
            name=body.name,
            role=body.role,
            act_for_people=body.act_for_people,
            store_ids=None if body.store_ids is None else tuple(body.store_ids),
            agent_ids=None if body.agent_ids is None else tuple(body.agent_ids),
            expires_at=body.expires_at,
        ),
    )
    return ApiKeyMade(id=key.id, key=text)


@routes.get("")
async def list_api_keys(scope: Provisioner, services: Services, lists: Listed, query: Paged) -> PageOut[ApiKeyOut]:
    """The keys without their text, newest first, revoked ones too."""
    page = await services.api_keys.page(scope, lists.request(scope, query))
    return lists.page(scope, query, page, ApiKeyOut.of)


@routes.delete("/{key_id}", status_code=status.HTTP_204_NO_CONTENT)
async def revoke_api_key(scope: Provisioner, services: Services, key_id: RowId) -> None:
    """Revoke a key: it opens nothing from then on."""
    await services.api_keys.revoke(scope, key_id)
