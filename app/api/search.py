"""Search: what is remembered, found by its words and by what they mean."""

from fastapi import Request

from app.api.deps import ActingContact, Services
from app.api.routing import REPEATABLE, router
from app.api.schemas.search import SearchBody, SearchOut

routes = router("/memory", "search")


@routes.post("/search", openapi_extra=REPEATABLE)
async def search(acting: ActingContact, services: Services, body: SearchBody, request: Request) -> SearchOut:
    """Facts and messages that answer the query, best first, out of what whoever asks may read.

    Facts are the organisation's, those of `store_id`, and the person's own. Messages and observations are the person's
    own, of every channel: in that store and outside of stores, or in all where none is named; where the organisation
    shares messages, also what other operators said in that store. What is believed no more is found too, and marked
    `superseded`. A query that names nothing finds nothing. As of another time, messages and observations are those sent
    by `as_of` and recorded by `known_at`; where more is remembered than can be folded again, that is a 400.

    Words and meaning count, with messages also what was said around them, who said it, and when; `why` tells of each
    hit how well its words fit, how near it is in meaning, and how strong a fact is. `degraded` says where meaning was
    left out: `vectors_off` where there is no embedder, `vectors` where it is away, most is not embedded yet, or so many
    search at once that nobody can wait for it; where a turn does not come at all, that is a 503 `overloaded`.
    """
    scope = await acting.scope_for(body.user_id)
    return SearchOut.of_results(await services.search.find(scope, body.asked(), request.is_disconnected))
