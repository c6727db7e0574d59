"""Pruning the memory by hand."""

from app.api.deps import Admin, Services
from app.api.routing import router
from app.api.schemas.pruning import PruneIn, PruneOut

routes = router("/memory", "upkeep")


@routes.post("/prune")
async def prune(scope: Admin, services: Services, body: PruneIn) -> PruneOut:
    """Show what may go, and with `on` delete it for good (what was a fact leaves an event without words).

    Candidates are facts that are not pinned and have faded under the line at which they are archived, or were neither
    seen nor reinforced for `older_than_days`. Of people's facts it looks at contacts' and the caller's own alone.
    """
    pruned = await services.pruning.prune(scope, body.mode, body.older_than_days)
    return PruneOut.at(body.mode, pruned, services.clock())
