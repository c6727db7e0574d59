"""The memory in numbers."""

from app.api.deps import Member, Services
from app.api.routing import router
from app.api.schemas.stats import StatsOut

routes = router("/memory", "upkeep")


@routes.get("/stats")
async def read_stats(scope: Member, services: Services) -> StatsOut:
    """How much is kept, how old it is, and how it grows. Counts alone.

    A limited key counts what lies within its limits, but for rates and jobs, which are the organisation's; it is not
    told how far things are embedded.
    """
    return StatsOut.of(*await services.stats.read(scope))
