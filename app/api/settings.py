"""The organisation's settings."""

from app.api.deps import Admin, Member, Services
from app.api.routing import router
from app.api.schemas.settings import SettingsIn, SettingsOut

routes = router("/memory/settings", "settings")


@routes.get("")
async def get_settings(scope: Member, services: Services) -> SettingsOut:
    """What the organisation has chosen."""
    return SettingsOut.of(await services.memory_settings.get(scope))


@routes.patch("")
async def change_settings(scope: Admin, services: Services, body: SettingsIn) -> SettingsOut:
    """Change some settings. What was stored before stays as it is."""
    changes = body.model_dump(exclude_none=True)
    return SettingsOut.of(await services.memory_settings.change(scope, changes))
