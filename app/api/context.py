"""Context: the memory block for the next prompt."""

from app.api.deps import ActingContact, Services
from app.api.routing import REPEATABLE, router
from app.api.schemas.context import ContextBody, ContextOut

routes = router("/memory", "context")


@routes.post("/context", openapi_extra=REPEATABLE)
async def compose_context(acting: ActingContact, services: Services, body: ContextBody) -> ContextOut:
    """What the agent should know before it answers: short, current, within budget, and only what this person may read.

    An unknown person reads an empty memory, and is not made. The same memory gives the same bytes. An outage is a 503,
    never an empty memory. The organisation's rules come with it, whoever asks, the same bytes under the same ETag.

    As of another time it is read without leaving a receipt; where more is remembered than can be folded again: 400.
    """
    person, store = body.user_id, None
    if body.channel is not None and body.channel_address is not None:
        organisation = await acting.scope_about(None)
        person, store = await services.turns.linked(organisation, body.channel, body.channel_address)
    scope = await acting.scope_for(person)
    return ContextOut.of(await services.contexts.serve(scope, body.asked(store)))
