"""The organisation's settings."""

from fastapi import Response

from app.api.deps import Admin, Member, Services
from app.api.etags import IfMatch, etag
from app.api.openapi import problems
from app.api.routing import router
from app.api.schemas.settings import SettingsIn, SettingsOut
from app.domain.organisations import Organisation

routes = router("/memory/settings", "settings")


@routes.get("")
async def get_settings(scope: Member, services: Services, response: Response) -> SettingsOut:
    """What the organisation has chosen, with its `ETag`."""
    return settings_out(await services.memory_settings.get(scope), response)


@routes.patch("", responses=problems(412))
async def change_settings(
    scope: Admin, services: Services, body: SettingsIn, if_match: IfMatch, response: Response
) -> SettingsOut:
    """Change some settings. What was stored before stays as it is. With `If-Match`, only what nobody else changed."""
    changes = body.model_dump(exclude_none=True)
    return settings_out(await services.memory_settings.change(scope, changes, if_match), response)


def settings_out(organisation: Organisation, response: Response) -> SettingsOut:
    """The organisation's settings, with their ETag."""
    response.headers["ETag"] = etag(organisation.version)
    return SettingsOut.of(organisation.settings)
