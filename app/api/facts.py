"""Facts: the same routes for each of the three scopes."""

from typing import Any

from fastapi import APIRouter, Response, status

from app.api.cursors import PageOut
from app.api.deps import ActingContact, Admin, Member, Services
from app.api.fact_routes import add_fact_routes, fact_out
from app.api.lists import Listed
from app.api.openapi import problems
from app.api.routing import router
from app.api.schemas.fact_answers import FactOut
from app.api.schemas.facts import (
    FactIn,
    FactQuery,
    OrgQuery,
    StoreFactIn,
    StoreQuery,
    UserFactIn,
    UserQuery,
)
from app.container import Container
from app.domain.sources import Traits, amended
from app.domain.subjects import KeyRef, OrgSubject, Scope, StoreSubject, Subject
from app.domain.tenancy import Rank, TenantScope
from app.services.reach import own_subject

routes = router("/memory/facts", "facts")

CONFIRMED: dict[int | str, dict[str, Any]] = {
    status.HTTP_200_OK: {"model": FactOut, "description": "The value already stood, and is confirmed."}
}


@routes.get("/org")
async def list_org_facts(scope: Member, services: Services, lists: Listed, query: OrgQuery) -> PageOut[FactOut]:
    """What is known of the organisation, newest first; or as of another time, where there is no `total`."""
    return await _page(services, lists, scope, Scope.ORG, None, query)


@routes.get("/store")
async def list_store_facts(scope: Member, services: Services, lists: Listed, query: StoreQuery) -> PageOut[FactOut]:
    """What is known of one store, or of all within reach, newest first."""
    return await _page(services, lists, scope, Scope.STORE, query.store_id, query)


@routes.get("/user")
async def list_user_facts(
    acting: ActingContact, services: Services, lists: Listed, query: UserQuery
) -> PageOut[FactOut]:
    """What is known of a person, newest first: their own to read, and a contact's to admins, which leaves an event.

    Without a person, an admin lists the facts of all contacts.
    """
    scope = await acting.scope_about(query.user_id)
    return await _page(services, lists, scope, Scope.USER, query.user_id, query)


@routes.post("/org", status_code=status.HTTP_201_CREATED, responses={**CONFIRMED, **problems(409)})
async def write_org_fact(scope: Admin, services: Services, body: FactIn, response: Response) -> FactOut:
    """Write what holds for the organisation. It supersedes every other value of the key at once."""
    return await _write(services, scope, OrgSubject(), body, response)


@routes.post("/store", status_code=status.HTTP_201_CREATED, responses={**CONFIRMED, **problems(409)})
async def write_store_fact(scope: Admin, services: Services, body: StoreFactIn, response: Response) -> FactOut:
    """Write what holds for a store, which is made if a key names it first. It supersedes every other value at once."""
    return await _write(services, scope, StoreSubject(body.store_id), body, response)


@routes.post("/user", status_code=status.HTTP_201_CREATED, responses={**CONFIRMED, **problems(409)})
async def write_user_fact(acting: ActingContact, services: Services, body: UserFactIn, response: Response) -> FactOut:
    """Write what holds for a person: oneself, or a contact, by admins. It supersedes every other value at once."""
    scope = await acting.scope_about(body.user_id)
    return await _write(services, scope, own_subject(scope, body.user_id), body, response)


async def _page(
    services: Container, lists: Listed, scope: TenantScope, kind: Scope, named: str | None, query: FactQuery
) -> PageOut[FactOut]:
    now = services.clock()
    asked = lists.request(scope, query)
    page = await services.facts.page(scope, query.wanted(kind, now), named, asked, query.moment)
    instant = query.moment.instant(now)
    return lists.page(scope, query, page, lambda record: FactOut.at(record, instant))


async def _write(
    services: Container, scope: TenantScope, subject: Subject, body: FactIn, response: Response
) -> FactOut:
    ref = KeyRef(subject, body.agent_id, body.key)
    traits = amended(Traits(confidence=1.0), body.traits())
    record, is_new = await services.fact_editing.write(scope, ref, body.value, body.sentence(), traits, body.valid_from)
    response.status_code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
    return fact_out(record, services.clock(), response)


def _of_scope(kind: Scope, least_to_read: Rank, least_to_change: Rank) -> APIRouter:
    routes = router(f"/{kind}", "facts")
    add_fact_routes(routes, kind, least_to_read, least_to_change)
    return routes


routes.include_router(_of_scope(Scope.ORG, Rank.MEMBER, Rank.ADMIN))
routes.include_router(_of_scope(Scope.STORE, Rank.MEMBER, Rank.ADMIN))
routes.include_router(_of_scope(Scope.USER, Rank.CONTACT, Rank.CONTACT))
