"""Consolidation: what sessions showed becomes facts, and what they say of the tools."""

from typing import Any

from fastapi import Request, Response, status

from app.api.deps import ActingContact, Services
from app.api.observe import waited_ms
from app.api.openapi import problems
from app.api.routing import router
from app.api.schemas.consolidations import (
    AffinitiesOf,
    AffinitiesOut,
    ConsolidationBody,
    ConsolidationJobOut,
    ConsolidationOut,
)
from app.domain.errors import Forbidden
from app.domain.tenancy import Rank

routes = router("/memory", "consolidations")

QUEUED: dict[int | str, dict[str, Any]] = {
    status.HTTP_202_ACCEPTED: {"model": ConsolidationJobOut, "description": "Of a store or of everybody: a job."}
}


@routes.post("/consolidations", responses={**QUEUED, **problems(409)})
async def consolidate(
    request: Request, acting: ActingContact, services: Services, body: ConsolidationBody, response: Response
) -> ConsolidationOut | ConsolidationJobOut:
    """At the start of a session: the person's behavioural facts, with all that was observed before it.

    Within `deadline_ms`; past it, or when it fails, the facts as they stood, `degraded`, while the work goes on or is
    rolled back whole. A session reinforces a fact once, however often this is called. For a store or for everybody it
    is a job, which admins may ask for; everybody is consolidated daily anyhow.
    """
    if body.many:
        organisation = await acting.scope_about(None)
        if organisation.rank < Rank.ADMIN:
            raise Forbidden
        response.status_code = status.HTTP_202_ACCEPTED
        return ConsolidationJobOut(job_id=await services.consolidation_jobs.ask(organisation, body.store_id))
    scope = await acting.scope_for(body.user_id)
    return ConsolidationOut.at(
        await services.session_start.start(scope, body.asked(waited_ms(request))), services.clock()
    )


@routes.get("/tool-affinities")
async def read_tool_affinities(acting: ActingContact, services: Services, query: AffinitiesOf) -> AffinitiesOut:
    """How much the person's sessions speak for each tool, or against it: strength of affinity minus strength of
    avoidance. Nobody else reads it.
    """
    scope = await acting.scope_for(query.user_id)
    return AffinitiesOut(tool_affinities=await services.recall.tool_affinities(scope, query.agent))
