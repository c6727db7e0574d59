"""What an organisation chooses for its memory."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from app.domain.errors import Forbidden, Invalid, NotFound
from app.domain.events import EventKind, event
from app.domain.identifiers import uuid7
from app.domain.jobs import CONSOLIDATION_LANE, Job, JobKind
from app.domain.organisations import Organisation, OrgSettings
from app.domain.tenancy import TenantScope
from app.domain.versions import ANY, Expected
from app.ports.clock import Clock
from app.ports.storage import Storage, UnitOfWork


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the scope's organisation. `on_queued` is told when work waits, once it is committed."""

    storage: Storage
    clock: Clock
    on_queued: Callable[[], None] = field(default=lambda: None)

    async def get(self, scope: TenantScope) -> Organisation:
        """The organisation, with its settings and their version. Raises NotFound where it is gone."""
        async with self.storage.transaction(scope) as uow:
            organisation = await uow.organisations.get()
        if organisation is None:
            raise NotFound
        return organisation

    async def change(self, scope: TenantScope, changes: Mapping[str, Any], expected: Expected = ANY) -> Organisation:
        """Change the named settings (as `OrgSettings.changed`) and no other. What was said already stays as it is;
        where a tier's numbers change, a job is queued that brings its facts to them.

        Raises Forbidden for a limited key: they hold for more than its stores and agents. Raises NotFound where the
        organisation is gone, PreconditionFailed where they stand at another version than `expected`, Invalid where they
        contradict each other.
        """
        require_unlimited(scope)
        async with self.storage.transaction(scope) as uow:
            organisation = await uow.organisations.get(for_update=True)
            if organisation is None:
                raise NotFound
            expected.require(organisation.version)
            now, wanted = self.clock(), organisation.settings.changed(changes)
            changed = await keep_settings(uow, scope, organisation, wanted, now)
            retuned = changed.settings.tiers != organisation.settings.tiers
            if retuned:
                await uow.jobs.add(_everybody(scope, now))
        if retuned:
            self.on_queued()
        return changed


def require_unlimited(scope: TenantScope) -> None:
    """Raises Forbidden for a key that is limited to stores or agents: what holds for all is not its to change."""
    if scope.stores is not None or scope.agents is not None:
        raise Forbidden("limited_key", "A key that is limited to stores or agents does not change what holds for all.")


async def keep_settings(
    uow: UnitOfWork, scope: TenantScope, organisation: Organisation, wanted: OrgSettings, now: datetime
) -> Organisation:
    """The organisation with the settings wanted: a new version and an event, where they differ from those it has.

    Raises Invalid where its language is none of those that it speaks.
    """
    if wanted.language not in wanted.languages:
        fault = (("/language", "not_among_languages"),)
        raise Invalid("language_not_spoken", "The language is one of the languages.", fault)
    old, new = asdict(organisation.settings), asdict(wanted)
    moved = [name for name in new if new[name] != old[name]]
    if not moved:
        return organisation
    changed = replace(organisation, settings=wanted, version=organisation.version + 1)
    await uow.organisations.save(changed)
    before, after = ({name: values[name] for name in moved} for values in (old, new))
    await uow.events.append([event(EventKind.SETTINGS_CHANGED, scope.actor, now, old=before, new=after)])
    return changed


def _everybody(scope: TenantScope, now: datetime) -> Job:
    """The job about everybody, which also brings facts to their tiers' numbers."""
    return Job(uuid7(), JobKind.CONSOLIDATION, CONSOLIDATION_LANE, {}, scope.actor, now, scope.key_id)
