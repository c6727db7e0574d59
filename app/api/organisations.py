"""Organisations."""

from fastapi import Response, status

from app.api.deps import PlatformOnly, Provisioner, Services
from app.api.openapi import created
from app.api.routing import router
from app.api.schemas.organisations import OrganisationIn, OrganisationOut, organisation_out

routes = router("/orgs/{org_id}", "organisations")


@routes.put("", responses=created(OrganisationOut))
async def put_organisation(
    scope: PlatformOnly, services: Services, body: OrganisationIn, response: Response
) -> OrganisationOut:
    """Make an organisation (201), or rename it (200) and change what it may use in a day."""
    organisation, is_new = await services.organisations.put(
        scope, body.name, body.language, body.time_zone, body.wanted_quotas()
    )
    if is_new:
        response.status_code = status.HTTP_201_CREATED
    return organisation_out(organisation)


@routes.get("")
async def get_organisation(scope: Provisioner, services: Services) -> OrganisationOut:
    """The organisation."""
    return organisation_out(await services.organisations.get(scope))


@routes.delete("", status_code=status.HTTP_204_NO_CONTENT)
async def delete_organisation(scope: PlatformOnly, services: Services) -> None:
    """Remove an organisation with all that is in it. Its keys open nothing from then on."""
    await services.organisations.delete(scope)
