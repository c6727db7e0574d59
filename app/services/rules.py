"""The rules of an organisation: read by its members, written by its admins, kept in every version."""

from dataclasses import dataclass

from app.domain.errors import NotFound
from app.domain.events import EventKind, event
from app.domain.rules import Rules as RulesVersion
from app.domain.tenancy import TenantScope
from app.domain.values import JsonValue
from app.domain.versions import ANY, Expected
from app.ports.clock import Clock
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage
from app.services.organisations import standing
from app.services.settings import require_unlimited


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of the scope's organisation. An older version is restored by writing it again."""

    storage: Storage
    clock: Clock

    async def get(self, scope: TenantScope) -> RulesVersion:
        """Those that stand; version 0 and empty, where none were ever written. Raises NotFound for the organisation."""
        async with self.storage.transaction(scope) as uow:
            found = await uow.organisations.with_rules()
        if found is None:
            raise NotFound
        return found[1]

    async def put(self, scope: TenantScope, markdown: str, expected: Expected = ANY) -> RulesVersion:
        """From now on these stand, to the byte: a new version and an event, unless they stood already.

        Raises Forbidden for a limited key, NotFound where the organisation is gone, PreconditionFailed where they stand
        at another version than `expected`.
        """
        require_unlimited(scope)
        async with self.storage.transaction(scope) as uow:
            found = await uow.organisations.with_rules(for_update=True)
            if found is None:
                raise NotFound
            before, now = found[1], self.clock()
            expected.require(before.version)
            if markdown == before.markdown:
                return before
            after = RulesVersion(before.version + 1, markdown, scope.actor, now)
            await uow.rules.add(after)
            told = event(EventKind.RULES_CHANGED, scope.actor, now, old=_told(before), new=_told(after))
            await uow.events.append([told])
        return after

    async def versions(self, scope: TenantScope, request: PageRequest) -> Page[RulesVersion]:
        """All versions, newest first. Raises NotFound where the organisation is gone."""
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            return await uow.rules.page(request)


def _told(rules: RulesVersion) -> JsonValue:
    """What an event says of a version."""
    return {"version": rules.version, "markdown": rules.markdown}
