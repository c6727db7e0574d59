"""The audit trail."""

from app.api.cursors import PageOut
from app.api.deps import Member, Services
from app.api.lists import Listed
from app.api.routing import router
from app.api.schemas.events import EventOut, EventsQuery

routes = router("/memory", "events")


@routes.get("/events")
async def list_events(scope: Member, services: Services, lists: Listed, query: EventsQuery) -> PageOut[EventOut]:
    """What happened in this memory, newest first.

    What an event about a person says is for that person alone: everybody else reads that it happened, without `old`,
    `new` and `reason`, and so does a request that speaks for the organisation. Contacts are named to nobody but
    themselves, nor is a person who changed their own memory or asked for a turn to be forgotten; `actor` finds them
    for nobody else. A key that is limited to stores or agents lists what lies within its limits; of a fact that is
    gone, a key limited to agents lists nothing.
    """
    page = await services.events.page(scope, query.wanted(), lists.request(scope, query))
    return lists.page(scope, query, page, EventOut.of)
