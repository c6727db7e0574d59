"""What the organisation uses, by day."""

from app.api.cursors import PageOut
from app.api.deps import Admin, Services
from app.api.lists import Listed
from app.api.routing import router
from app.api.schemas.usage import UsageDayOut, UsageQuery

routes = router("/memory", "upkeep")


@routes.get("/usage")
async def read_usage(scope: Admin, services: Services, lists: Listed, query: UsageQuery) -> PageOut[UsageDayOut]:
    """What was used, by day of UTC, the latest first: turns read, calls of models and their tokens,
    texts embedded.

    Days on which nothing was used are left out. A call that failed counts too. A limited key reads the organisation's.
    """
    page = await services.usage.page(scope, query.since, query.until, lists.request(scope, query))
    return lists.page(scope, query, page, UsageDayOut.of)
