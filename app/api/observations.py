"""Observations: what happened in sessions goes in, and is read back by the person it is about."""

from typing import Any

from fastapi import status
from pydantic import ValidationError

from app.api.cursors import PageOut
from app.api.deps import ActingContact, Services
from app.api.lists import Listed
from app.api.openapi import problems
from app.api.routing import router
from app.api.schemas.observations import (
    ItemOut,
    ItemsOut,
    ObservationBatch,
    ObservationBody,
    ObservationOut,
    ObservationsQuery,
    ToolRunBody,
)
from app.domain.errors import Invalid, RetenirError
from app.domain.observations import ObservationType
from app.services.observing import Reported

routes = router("/memory", "observations")


@routes.post("/observations", status_code=status.HTTP_202_ACCEPTED, responses=problems(409))
async def take_observations(acting: ActingContact, services: Services, body: ObservationBatch) -> ItemsOut:
    """Keep up to 1,000 observations. `202` means stored.

    Each item is answered for itself: `stored` with its id, `skipped` where nothing is to be kept (memory switched off,
    a person who opted out, a meta tool, `#noremember`), `rejected` with the reason. All rejected: 422.
    """
    scope = await acting.scope_for_items()
    read = [_read(item) for item in body.items]
    good = [one for one in read if isinstance(one, Reported)]
    taken = iter(await services.observations.take(scope, good) if good else ())
    answers = [ItemOut.of(next(taken)) if isinstance(one, Reported) else ItemOut.rejected(one) for one in read]
    rejected = {place: out.error for place, out in enumerate(answers) if out.error is not None}
    if len(rejected) == len(answers):
        faults = tuple((f"/items/{place}", error.code) for place, error in rejected.items())
        raise Invalid("all_refused", "None of the items is acceptable.", faults)
    return ItemsOut(items=answers)


@routes.post("/tool-runs", status_code=status.HTTP_202_ACCEPTED, responses=problems(409))
async def take_tool_run(acting: ActingContact, services: Services, body: ToolRunBody) -> ItemsOut:
    """Keep one run of a tool and the entities in its result: an observation of the tool first, then one of each entity.

    Runs of meta tools (a setting) are skipped.
    """
    scope = await acting.scope_for(body.user_id)
    kind = ObservationType.TOOL_SUCCESS if body.ok else ObservationType.TOOL_FAILURE
    taken = await services.observations.take_run(scope, body.run(), body.common(kind))
    return ItemsOut(items=[ItemOut.of(one) for one in taken])


@routes.get("/observations")
async def list_observations(
    acting: ActingContact, services: Services, lists: Listed, query: ObservationsQuery
) -> PageOut[ObservationOut]:
    """The person's own observations, newest first. Nobody else reads them."""
    scope = await acting.scope_for(query.user_id)
    wanted = query.wanted(scope.person or "")
    page = await services.observations.page(scope, wanted, lists.request(scope, query))
    return lists.page(scope, query, page, ObservationOut.of)


def _read(item: Any) -> Reported | RetenirError | ValidationError:
    """The item as reported, or why it is none."""
    try:
        return ObservationBody.model_validate(item).reported()
    except (RetenirError, ValidationError) as error:
        return error
