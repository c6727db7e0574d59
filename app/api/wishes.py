"""A person's wish to be remembered or not."""

from app.api.deps import Contact, Services
from app.api.routing import router
from app.api.schemas.common import CallerId
from app.api.schemas.wishes import WishIn, WishOut

routes = router("/memory/users/{user_id}", "people")


@routes.get("")
async def get_wish(scope: Contact, services: Services, user_id: CallerId) -> WishOut:
    """Whether the person is remembered. For the person, and for admins; to others nobody is there."""
    return WishOut.of(await services.wishes.get(scope, user_id))


@routes.patch("")
async def change_wish(scope: Contact, services: Services, user_id: CallerId, body: WishIn) -> WishOut:
    """Be remembered, or not, from now on: said by the person, or by an admin for them.

    What is kept already stays, and is in no block while the wish holds. A person not seen before is made, a contact.
    """
    return WishOut.of(await services.wishes.change(scope, user_id, remember=body.remember))
