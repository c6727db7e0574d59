"""People of an organisation."""

from fastapi import Response, status

from app.api.cursors import PageOut
from app.api.deps import Provisioner, Services
from app.api.erasures import QUEUED, receipt
from app.api.lists import Listed, Paged
from app.api.openapi import created, problems
from app.api.routing import router
from app.api.schemas.common import CallerId
from app.api.schemas.erasures import ErasureOut
from app.api.schemas.people import PersonIn, PersonOut
from app.services.people import PersonIn as Wanted

routes = router("/orgs/{org_id}/people", "people")


@routes.get("")
async def list_people(scope: Provisioner, services: Services, lists: Listed, query: Paged) -> PageOut[PersonOut]:
    """Operators and contacts, in order of id."""
    page = await services.people.page(scope, lists.request(scope, query))
    return lists.page(scope, query, page, PersonOut.of)


@routes.put("/{user_id}", responses={**created(PersonOut), **problems(409)})
async def put_person(
    scope: Provisioner, services: Services, user_id: CallerId, body: PersonIn, response: Response
) -> PersonOut:
    """Make a person (201), or change them (200). An organisation keeps an owner: 409 `last_owner`."""
    wanted = Wanted(body.role, body.display_name, body.remember, body.time_zone)
    person, is_new = await services.people.put(scope, user_id, wanted)
    if is_new:
        response.status_code = status.HTTP_201_CREATED
    return PersonOut.of(person)


@routes.get("/{user_id}")
async def get_person(scope: Provisioner, services: Services, user_id: CallerId) -> PersonOut:
    """One person."""
    return PersonOut.of(await services.people.get(scope, user_id))


@routes.delete("/{user_id}", responses=QUEUED)
async def delete_person(scope: Provisioner, services: Services, user_id: CallerId, response: Response) -> ErasureOut:
    """Erase a person, as `DELETE /memory/users/{user_id}`. 409 `last_owner` as in PUT."""
    return receipt(await services.erasures.person(scope, user_id), response)
