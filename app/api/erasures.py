"""Erasing more than a single thing, and the receipts of all erasures."""

from typing import Annotated, Any, Literal

from fastapi import Query, Response, status

from app.api.deps import Contact, Owner, Platform, Services, platform_scope
from app.api.openapi import problems
from app.api.routing import REPEATABLE, router
from app.api.schemas.common import CallerId, RowId
from app.api.schemas.erasures import ErasureOut, PlatformErasureOut, PlatformJobOut
from app.domain.erasures import Erasure

routes = router("/memory", "erasures")
platform_routes = router("", "platform")

QUEUED: dict[int | str, dict[str, Any]] = {
    status.HTTP_202_ACCEPTED: {"model": ErasureOut, "description": "Of more than 10,000 rows: closed, and a job."},
    **problems(409),
}
Keep = Annotated[Literal["shared"] | None, Query(description="For owners: what they said of shared things stays.")]
Confirm = Annotated[CallerId | None, Query(description="The organisation's id, so that nothing goes by mistake.")]
Extent = Annotated[Literal["shared"] | None, Query(description="What is remembered of organisation and stores alone.")]


def receipt(erasure: Erasure, response: Response) -> ErasureOut:
    """The answer: 202 while a job is at it."""
    if erasure.completed_at is None:
        response.status_code = status.HTTP_202_ACCEPTED
    return ErasureOut.of(erasure)


@routes.delete("/users/{user_id}", responses=QUEUED)
async def erase_person(
    user_id: CallerId, scope: Contact, services: Services, response: Response, keep: Keep = None
) -> ErasureOut:
    """Erase a person, for themself or by an admin: what is about them, what they said, and shared facts that rest on
    their words alone; of others they lose their part.

    With `keep=shared` the shared facts stay as they are, and are nobody's. Who comes back starts empty; a message that
    was erased is refused when it is posted again (`reason: "erased"`). 409 `last_owner`: an organisation keeps one.
    """
    return receipt(await services.erasures.person(scope, user_id, keep_shared=keep is not None), response)


@routes.delete("/stores/{store_id}", responses=QUEUED)
async def erase_store(store_id: CallerId, scope: Owner, services: Services, response: Response) -> ErasureOut:
    """Erase a store: its facts, the messages that were sent in it and what happened there.

    What was said there of a person or of the organisation stays theirs, without the message; the receipt counts it.
    """
    return receipt(await services.erasures.store(scope, store_id), response)


@routes.delete("", responses=QUEUED)
async def erase_memory(
    owner: Owner, services: Services, response: Response, confirm: Confirm = None, scope: Extent = None
) -> ErasureOut:
    """Erase all that is remembered, or with `scope=shared` what is of the organisation and its stores.

    People, stores, keys, channels, rules and settings stay. `confirm` must be the organisation's id.
    """
    shared_only = scope is not None
    return receipt(await services.erasures.memory(owner, confirm, shared_only=shared_only), response)


@routes.get("/erasures/{receipt_id}")
async def read_erasure(receipt_id: RowId, scope: Contact, services: Services) -> ErasureOut:
    """The receipt of an erasure: for admins, for whom it was about, and for whoever asked for it."""
    return ErasureOut.of(await services.erasures.get(scope, receipt_id))


@platform_routes.delete("/people/{user_id}", responses=problems(409), openapi_extra=REPEATABLE)
async def erase_everywhere(
    user_id: CallerId, platform: Platform, services: Services, response: Response
) -> PlatformErasureOut:
    """Erase a person in every organisation that knows them. One receipt; 202 while jobs are at it.

    404 where none does. 409 `last_owner` where they are the last owner of one: nothing is erased then.
    """
    erasure = await services.erasures.everywhere(user_id, platform_scope)
    if erasure.completed_at is None:
        response.status_code = status.HTTP_202_ACCEPTED
    return PlatformErasureOut.of(erasure)


@platform_routes.get("/erasures/{receipt_id}")
async def read_platform_erasure(receipt_id: RowId, platform: Platform, services: Services) -> PlatformErasureOut:
    """The receipt of an organisation's erasure, or of a person's everywhere. It outlives them, and counts alone."""
    return PlatformErasureOut.of(await services.erasures.on_platform(receipt_id))


@platform_routes.get("/jobs/{job_id}")
async def read_platform_job(job_id: RowId, platform: Platform, services: Services) -> PlatformJobOut:
    """How such an erasure stands. The job bears the id of its receipt."""
    return PlatformJobOut.of(await services.erasures.on_platform(job_id))
