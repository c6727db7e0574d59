"""Organisations."""

from fastapi import Response, status

from app.api.deps import PlatformOnly, Provisioner, Services
from app.api.erasures import QUEUED, receipt
from app.api.openapi import created
from app.api.routing import router
from app.api.schemas.erasures import ErasureOut
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


@routes.delete("", responses=QUEUED)
async def delete_organisation(scope: PlatformOnly, services: Services, response: Response) -> ErasureOut:
    """Erase an organisation with all that is in it. Its keys open nothing from then on.

    The receipt can be read again under `GET /erasures/{receipt_id}`. Until a job is done, PUT answers 409 `erasing`.
    """
    return receipt(await services.erasures.organisation(scope), response)
