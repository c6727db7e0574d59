"""Messages: erasing one."""

from typing import Annotated

from fastapi import Query

from app.api.deps import Contact, Services
from app.api.openapi import problems
from app.api.routing import router
from app.api.schemas.common import CallerId
from app.api.schemas.erasures import ErasureOut

routes = router("/memory/messages", "messages")

Conversation = Annotated[CallerId | None, Query(description="Where several conversations have a message of this id.")]


@routes.delete("/{message_id}", responses=problems(409))
async def erase_message(
    message_id: CallerId, scope: Contact, services: Services, conversation_id: Conversation = None
) -> ErasureOut:
    """Erase one message of the person, or, for admins, of anybody, with everything that came of it.

    Facts are as if it had never been said: those that rest on it alone go, the others lose its confirmation and its
    words. A job that has yet to read it is cancelled.
    """
    return ErasureOut.of(await services.message_erasure.delete(scope, message_id, conversation_id))
