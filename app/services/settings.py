"""What an organisation chooses for its memory."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from app.domain.errors import Forbidden, NotFound
from app.domain.events import EventKind, event
from app.domain.organisations import Organisation, OrgSettings
from app.domain.tenancy import TenantScope
from app.domain.versions import ANY, Expected
from app.ports.clock import Clock
from app.ports.storage import Storage, UnitOfWork


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the scope's organisation."""

    storage: Storage
    clock: Clock

    async def get(self, scope: TenantScope) -> Organisation:
        """The organisation, with its settings and their version. Raises NotFound where it is gone."""
        async with self.storage.transaction(scope) as uow:
            organisation = await uow.organisations.get()
        if organisation is None:
            raise NotFound
        return organisation

    async def change(self, scope: TenantScope, changes: Mapping[str, Any], expected: Expected = ANY) -> Organisation:
        """Change the named settings (fields of OrgSettings) and no other. What was said already stays as it is.

        Raises Forbidden for a limited key: they hold for more than its stores and agents. Raises NotFound where the
        organisation is gone, PreconditionFailed where they stand at another version than `expected`.
        """
        if scope.stores is not None or scope.agents is not None:
            raise Forbidden("limited_key", "A key that is limited to stores or agents changes no settings.")
        async with self.storage.transaction(scope) as uow:
            organisation = await uow.organisations.get(for_update=True)
            if organisation is None:
                raise NotFound
            expected.require(organisation.version)
            wanted = replace(organisation.settings, **changes)
            return await keep_settings(uow, scope, organisation, wanted, self.clock())


async def keep_settings(
    uow: UnitOfWork, scope: TenantScope, organisation: Organisation, wanted: OrgSettings, now: datetime
) -> Organisation:
    """The organisation with the settings wanted: a new version and an event, where they differ from those it has."""
    old, new = asdict(organisation.settings), asdict(wanted)
    moved = [name for name in new if new[name] != old[name]]
    if not moved:
        return organisation
    changed = replace(organisation, settings=wanted, version=organisation.version + 1)
    await uow.organisations.save(changed)
    before, after = ({name: values[name] for name in moved} for values in (old, new))
    await uow.events.append([event(EventKind.SETTINGS_CHANGED, scope.actor, now, old=before, new=after)])
    return changed
