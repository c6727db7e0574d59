"""Import."""

from typing import Annotated

from fastapi import Depends, Request, status

from app.api.deps import Owner, Services
from app.api.routing import router
from app.api.schemas.imports import BODY
from app.api.schemas.jobs import JobOut
from app.api.uploads import receive
from app.services.intake import Intake
from app.services.settings import require_unlimited

routes = router("/memory", "import")


async def _upload(request: Request, scope: Owner, services: Services) -> Intake:
    """Read for those who may import, and for nobody else."""
    require_unlimited(scope)
    with services.imports.place(scope.org_id):
        return await receive(request)


@routes.post("/import", status_code=status.HTTP_202_ACCEPTED, openapi_extra=BODY)
async def import_memory(scope: Owner, services: Services, intake: Annotated[Intake, Depends(_upload)]) -> JobOut:
    """Bring in what an export wrote, of this organisation or another one. The whole file is looked at first: where a
    record does not fit, the manifest is missing or its checksum is another, the answer says where, and nothing is kept.
    Then a job brings it in; its `result` counts how far it has come.

    An organisation without a memory has the exported one afterwards, with its settings. In another one, what is there
    stays: facts are folded over what both know, and what differs under the same id is as it was. The same file again
    changes nothing, and nothing that was erased here comes back. Vectors are made anew.
    """
    return JobOut.of(await services.imports.accept(scope, intake))
