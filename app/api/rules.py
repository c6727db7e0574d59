"""The organisation's rules."""

from fastapi import Response

from app.api.cursors import PageOut
from app.api.deps import Admin, Member, Services
from app.api.etags import IfMatch, etag
from app.api.lists import Listed, Paged
from app.api.openapi import problems
from app.api.routing import router
from app.api.schemas.rules import RulesIn, RulesOut
from app.domain.rules import Rules

routes = router("/memory/rules", "rules")


@routes.get("")
async def get_rules(scope: Member, services: Services, response: Response) -> RulesOut:
    """The Markdown that goes into every prompt before the memory block, with its `ETag`.

    Where none was ever written it is empty, and its `ETag` is `"0"`.
    """
    return rules_out(await services.rules.get(scope), response)


@routes.put("", responses=problems(412))
async def put_rules(scope: Admin, services: Services, body: RulesIn, if_match: IfMatch, response: Response) -> RulesOut:
    """Write the rules: a new version, kept to the byte, unless they read so already.

    With `If-Match`, only over those that nobody else changed. To restore an older version, write it again.
    """
    return rules_out(await services.rules.put(scope, body.markdown, if_match), response)


@routes.get("/versions")
async def list_rules(scope: Member, services: Services, lists: Listed, query: Paged) -> PageOut[RulesOut]:
    """Every version that ever stood, newest first: who wrote it, when, and how it read."""
    page = await services.rules.versions(scope, lists.request(scope, query))
    return lists.page(scope, query, page, RulesOut.of)


def rules_out(rules: Rules, response: Response) -> RulesOut:
    """The rules, with their ETag."""
    response.headers["ETag"] = etag(rules.version)
    return RulesOut.of(rules)
