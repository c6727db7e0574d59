"""Contradictions: beliefs of one key that cannot both hold."""

from app.api.cursors import PageOut
from app.api.deps import Contact, Member, Services
from app.api.lists import Listed
from app.api.openapi import problems
from app.api.routing import router
from app.api.schemas.common import RowId
from app.api.schemas.contradictions import ContradictionOut, ContradictionsQuery, SettleIn

routes = router("/memory/contradictions", "contradictions")


@routes.get("")
async def list_contradictions(
    scope: Member, services: Services, lists: Listed, query: ContradictionsQuery
) -> PageOut[ContradictionOut]:
    """Open and settled contradictions, newest first.

    What is about a person is listed to that person, and to admins where it is a contact, which leaves an event.
    """
    page = await services.contradictions.page(scope, query.wanted(), lists.request(scope, query))
    now = services.clock()
    return lists.page(scope, query, page, lambda dispute: ContradictionOut.at(dispute, now))


@routes.post("/{contradiction_id}/settle", responses=problems(409))
async def settle_contradiction(
    contradiction_id: RowId, scope: Contact, services: Services, body: SettleIn
) -> ContradictionOut:
    """Say which fact holds: it supersedes its rivals, and the chat does not overrule it.

    Or that both do: neither halves the other's score any longer, and a block may show both. For whoever may change
    these facts.
    """
    settled = await services.contradictions.settle(scope, contradiction_id, body.kept())
    return ContradictionOut.at(settled, services.clock())
