"""API keys: made, listed without what makes them usable, revoked."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from app.domain.credentials import KeyKind, digest, make_key
from app.domain.errors import Forbidden, Invalid, NotFound
from app.domain.events import EventKind, event
from app.domain.identifiers import uuid7
from app.domain.organisations import ApiKey
from app.domain.tenancy import ActorType, Rank, Role, TenantScope
from app.ports.clock import Clock
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage
from app.services.organisations import standing


@dataclass(frozen=True, slots=True)
class ApiKeyIn:
    """What a new key may do. None of stores, agents or an end: no such limit."""

    name: str
    role: Role
    act_for_people: bool
    store_ids: tuple[str, ...] | None = None
    agent_ids: tuple[str, ...] | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ApiKeys:
    """The keys of the scope's organisation. `pepper` is that of their digests."""

    storage: Storage
    clock: Clock
    pepper: bytes

    async def make(self, scope: TenantScope, wanted: ApiKeyIn) -> tuple[ApiKey, str]:
        """A new key and its text, which nobody can be told again.

        Raises Forbidden `role_above_own`: only the platform makes keys of a role that it has not itself.
        """
        now = self.clock()
        if scope.actor.type is not ActorType.PLATFORM and Rank.of(wanted.role) > scope.rank:
            raise Forbidden("role_above_own", "A key's role is never above its maker's.")
        if wanted.expires_at is not None and wanted.expires_at <= now:
            raise Invalid("already_expired", "The key would have expired already.", (("/expires_at", "past"),))
        key = ApiKey(id=uuid7(), created_at=now, created_by=scope.actor.id, **asdict(wanted))
        text = make_key(KeyKind.API)
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            await uow.api_keys.add(key, digest(text, self.pepper))
            await uow.events.append([event(EventKind.KEY_MADE, scope.actor, now, new=_told(key))])
        return key, text

    async def page(self, scope: TenantScope, request: PageRequest) -> Page[ApiKey]:
        """Newest first, revoked ones too."""
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            return await uow.api_keys.page(request)

    async def revoke(self, scope: TenantScope, key_id: UUID) -> None:
        """From now on the key opens nothing. Doing it again changes nothing. Raises NotFound."""
        now = self.clock()
        async with self.storage.transaction(scope) as uow:
            key = await uow.api_keys.get(key_id, hold=True)
            if key is None:
                raise NotFound
            if key.revoked_at is None:
                await uow.api_keys.revoke(replace(key, revoked_at=now))
                await uow.events.append([event(EventKind.KEY_REVOKED, scope.actor, now, old=_told(key))])


def _told(key: ApiKey) -> dict[str, Any]:
    """What the audit trail keeps of a key."""
    return {"id": str(key.id), "name": key.name, "role": key.role, "act_for_people": key.act_for_people}
