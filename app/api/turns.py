"""Turns: what was said goes in here."""

from typing import Annotated, Any

from fastapi import status
from pydantic import ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from app.api.deps import Acting, ActingContact, Services
from app.api.openapi import problems
from app.api.routing import router
from app.api.schemas.refusals import Refusal
from app.api.schemas.turns import RefusedTurnOut, TurnBatch, TurnBody, TurnOut, TurnsOut
from app.container import Container
from app.domain.errors import Invalid, RetenirError, Unavailable

routes = router("/memory", "turns")


def _one_or_many(body: Any, _: ValidatorFunctionWrapHandler) -> TurnBody | TurnBatch:
    """What holds `items` is a batch: errors then name the fields of the one shape that was meant."""
    many = isinstance(body, dict) and "items" in body
    return TurnBatch.model_validate(body) if many else TurnBody.model_validate(body)


OneOrMany = Annotated[TurnBody | TurnBatch, WrapValidator(_one_or_many)]


@routes.post("/turns", status_code=status.HTTP_202_ACCEPTED, responses=problems(409))
async def take_turns(acting: ActingContact, services: Services, body: OneOrMany) -> TurnOut | TurnsOut:
    """Keep a turn, or up to 100 of them, and queue what is to be learnt from it.

    `202` means stored. A job reads the turn; when it is `done`, the next block knows. A user message that ends in
    `#noremember` leaves nothing. The same message again is a replay, with other words under its id a 409. In a batch
    each item is answered for itself; where all are refused it is a 422.
    """
    if isinstance(body, TurnBody):
        return await _take(acting, services, body)
    answers = [await _take_item(acting, services, item) for item in body.items]
    refused = {place: out.error for place, out in enumerate(answers) if isinstance(out, RefusedTurnOut)}
    if len(refused) == len(answers):
        faults = tuple((f"/items/{place}", error.code) for place, error in refused.items())
        raise Invalid("all_refused", "None of the items is acceptable.", faults)
    return TurnsOut(items=answers)


async def _take(acting: Acting, services: Container, body: TurnBody) -> TurnOut:
    person, store = body.user_id, None
    if body.channel_address is not None:
        organisation = await acting.scope_about(None)
        person, store = await services.turns.linked(organisation, body.channel, body.channel_address)
    scope = await acting.scope_for(person)
    return TurnOut.of(await services.turns.take(scope, body.turn(store)))


async def _take_item(acting: Acting, services: Container, item: Any) -> TurnOut | RefusedTurnOut:
    try:
        return await _take(acting, services, TurnBody.model_validate(item))
    except Unavailable:
        raise
    except (ValidationError, RetenirError) as error:
        return RefusedTurnOut(error=Refusal.for_error(error))
