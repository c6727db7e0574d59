"""What an organisation chooses for its memory."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from app.domain.errors import Forbidden, Invalid, NotFound
from app.domain.events import EventKind, event
from app.domain.identifiers import uuid7
from app.domain.jobs import CONSOLIDATION_LANE, Job, JobKind
from app.domain.organisations import Organisation
from app.domain.subjects import Subject
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
            now = self.clock()
            wanted = replace(organisation, settings=organisation.settings.changed(changes))
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
    uow: UnitOfWork, scope: TenantScope, before: Organisation, wanted: Organisation, now: datetime
) -> Organisation:
    """The organisation as it is wanted, which leaves one event where anything differs from what it was; other settings
    are another version of them.

    Raises Invalid where its language is none of those that it speaks.
    """
    if wanted.settings.language not in wanted.settings.languages:
        fault = (("/language", "not_among_languages"),)
        raise Invalid("language_not_spoken", "The language is one of the languages.", fault)
    if wanted == before:
        return before
    moved = wanted.settings != before.settings
    changed = replace(wanted, version=before.version + moved)
    await uow.organisations.save(changed)
    await record_settings(uow, scope, None, _told(before), _told(changed), now)
    return changed


def _told(organisation: Organisation) -> dict[str, Any]:
    settings, quotas = asdict(organisation.settings), asdict(organisation.quotas)
    return {**settings, "name": organisation.name, "quotas": quotas}


async def record_settings(
    uow: UnitOfWork,
    scope: TenantScope,
    subject: Subject | None,
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    now: datetime,
) -> None:
    """Leave an event that names what has changed, where anything has. None: what is about no store or person."""
    moved = [name for name in new if new[name] != old.get(name)]
    if moved:
        before, after = ({name: values.get(name) for name in moved} for values in (old, new))
        told = event(EventKind.SETTINGS_CHANGED, scope.actor, now, subject=subject, old=before, new=after)
        await uow.events.append([told])


def _everybody(scope: TenantScope, now: datetime) -> Job:
    """The job about everybody, which also brings facts to their tiers' numbers."""
    return Job(uuid7(), JobKind.CONSOLIDATION, CONSOLIDATION_LANE, {}, scope.actor, now, scope.key_id)
