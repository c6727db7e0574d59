"""What a route gets ready made: the services, and the scope of whoever asks. The door's only mint of scopes (lock 2).

Each route declares its least rank by one of these, which tests read off the app. `Platform` lets in the platform alone.
- `Needs(rank)` gives the caller's TenantScope, for a person where X-User-Id or the token names one;
- `Acts(rank)` gives an `Acting`, for routes whose body or query may name the person instead;
- `Provisions(rank)` gives the scope of the organisation in the path, to the platform as well.
"""

from dataclasses import dataclass, field
from typing import Annotated, Final

from fastapi import Depends, Request

from app.api.auth import Credentials, KeyCredentials, TokenCredentials, credentials
from app.api.routing import named_first
from app.api.schemas.common import CallerId, OrgHeader, UserHeader
from app.container import Container
from app.domain.credentials import KeyKind
from app.domain.errors import BadRequest, Forbidden, Invalid, NotFound, Unauthenticated
from app.domain.tenancy import Actor, ActorType, Rank, TenantScope
from app.ports.storage import Caller

_PLATFORM: Final = Actor(ActorType.PLATFORM, "platform")


async def container(request: Request) -> Container:
    """The services, and what they stand on."""
    found: Container = request.app.state.container
    return found


Services = Annotated[Container, Depends(container)]


def platform_scope(org_id: str) -> TenantScope:
    """The platform's hand in one organisation: it provisions, and reads no memory."""
    return TenantScope(org_id, _PLATFORM, Rank.PLATFORM, makes_unseen=True)


class Door:
    """Makes scopes from what one request shows, with one look into the directory for each person."""

    def __init__(self, services: Container, shown: Credentials, org_header: str | None) -> None:
        self.shown = shown
        self._services = services
        self._org_header = org_header
        self._callers: dict[str | None, Caller] = {}

    async def scope(
        self, person: str | None, least: Rank, path_org_id: str | None = None, *, insist: bool = True
    ) -> TenantScope:
        """The caller's scope: a key's for `person`, a token's for its own; inside `path_org_id` where that is given.

        A key that does not act for people is refused a person, or, where nobody insists, speaks for itself.
        Raises Unauthenticated, BadRequest, NotFound for another's organisation, Forbidden under `least`.
        """
        await self._services.require_checked()
        if isinstance(self.shown, TokenCredentials):
            scope = await self._of_token(self.shown, path_org_id)
        else:
            caller = await self.caller(self.shown, person)
            if any(named not in (None, caller.org_id) for named in (path_org_id, self._org_header)):
                raise NotFound
            scope = _key_scope(caller, person if insist or caller.act_for_people else None)
        if scope.rank < least:
            raise Forbidden
        return scope

    async def caller(self, shown: KeyCredentials, person: str | None) -> Caller:
        """The API key with that person's role. Raises Unauthenticated for a dead key, Forbidden for the platform's."""
        if await self.is_platform():
            raise Forbidden("platform_key", "A platform key opens no memory.")
        if person is None and self._callers:
            return next(iter(self._callers.values()))  # the key itself is known already
        if person not in self._callers:
            found = await self._services.directory.find_key(shown.digest, person, self._services.clock())
            if found is None:
                raise Unauthenticated
            self._callers[person] = found
        return self._callers[person]

    async def is_platform(self) -> bool:
        """Whether a live platform key asks. Raises Unauthenticated for a dead one."""
        if not isinstance(self.shown, KeyCredentials) or self.shown.kind is not KeyKind.PLATFORM:
            return False
        await self._services.require_checked()
        if not await self._services.directory.find_platform_key(self.shown.digest):
            raise Unauthenticated
        return True

    async def _of_token(self, shown: TokenCredentials, path_org_id: str | None) -> TenantScope:
        named = {org_id for org_id in (path_org_id, self._org_header, shown.org_id) if org_id is not None}
        if not named:
            raise BadRequest("organisation_required", "Name the organisation by X-Org-Id or the token's org_id.")
        if len(named) > 1:
            raise NotFound
        org_id = named.pop()
        member = await self._services.directory.find_membership(org_id, shown.person)
        if member is None:
            raise NotFound
        return TenantScope(org_id, Actor(ActorType.PERSON, shown.person), Rank.of(member.role), shown.person)


def _key_scope(caller: Caller, person: str | None) -> TenantScope:
    """The key's own scope, or that of the person it acts for, with the lesser of both roles."""
    rank, actor = Rank.of(caller.role), Actor(ActorType.KEY, caller.key_id)
    if person is not None:
        _require_acting(caller)
        rank, actor = min(rank, Rank.of(caller.person_role)), Actor(ActorType.PERSON, person)
    return TenantScope(
        caller.org_id, actor, rank, person, caller.stores, caller.agents, makes_unseen=True, key_id=caller.key_id
    )


def _require_acting(caller: Caller) -> None:
    if not caller.act_for_people:
        raise Forbidden("may_not_act", "This key does not act for people.")


async def door(
    services: Services, shown: Annotated[Credentials, Depends(credentials)], org_header: OrgHeader = None
) -> Door:
    """The door of the request under way."""
    return Door(services, shown, org_header)


AtDoor = Annotated[Door, Depends(door)]


def _spoken_for(door: Door, header: str | None) -> str | None:
    """The person whom the header or the token names."""
    if not isinstance(door.shown, TokenCredentials):
        return header
    if header is not None:
        raise BadRequest("unsupported_header", "A token speaks for its own person: leave X-User-Id out.")
    return door.shown.person


@dataclass(frozen=True, slots=True, eq=False)
class Gate:
    """A dependency that lets nobody in below `least`; None: nobody of the organisation, whatever their rank."""

    least: Rank | None


@dataclass(frozen=True, slots=True, eq=False)
class Needs(Gate):
    """The caller's scope. The person, if any, stands in X-User-Id or in the token."""

    least: Rank

    async def __call__(self, door: AtDoor, user_header: UserHeader = None) -> TenantScope:
        return await door.scope(_spoken_for(door, user_header), self.least)


@dataclass(frozen=True, slots=True)
class Acting:
    """A caller whose person the body or the query may name."""

    door: Door
    least: Rank
    required: bool
    spoken_for: str | None
    made: dict[tuple[str | None, bool], TenantScope] = field(default_factory=dict)

    async def scope_for(self, user_id: str | None) -> TenantScope:
        """The scope for doing what names `user_id`: that person's, or whoever else the request speaks for.

        Raises Invalid `person_mismatch` when the header or the token says another one, `person_required` when nobody
        is named and somebody must be; Forbidden `may_not_act`; and as `Door.scope`.
        """
        if self.spoken_for is not None and user_id not in (None, self.spoken_for):
            raise Invalid("person_mismatch", "The request speaks for another person.", (("/user_id", "mismatch"),))
        person = self.spoken_for or user_id
        if person is None and self.required:
            raise Invalid("person_required", "Name the person by user_id or X-User-Id.", (("/user_id", "missing"),))
        return await self._scope(person, insist=True)

    async def scope_for_items(self) -> TenantScope:
        """The scope for items that each may name a person: whom the request speaks for, else a key's that may act."""
        if self.spoken_for is None and isinstance(self.door.shown, KeyCredentials):
            _require_acting(await self.door.caller(self.door.shown, None))
        return await self._scope(self.spoken_for, insist=True)

    async def scope_about(self, user_id: str | None) -> TenantScope:
        """The scope for listing what is about `user_id`: theirs, where a key may act and speaks for nobody else.

        Everybody else asks as who they are, and the service decides what they may read of that person.
        """
        return await self._scope(self.spoken_for or user_id, insist=self.spoken_for is not None)

    async def _scope(self, person: str | None, *, insist: bool) -> TenantScope:
        if (person, insist) not in self.made:
            self.made[person, insist] = await self.door.scope(person, self.least, insist=insist)
        return self.made[person, insist]


@dataclass(frozen=True, slots=True, eq=False)
class Acts(Gate):
    """An `Acting` of this rank. `required`: the route is about a person, so somebody must be named."""

    least: Rank
    required: bool = False

    async def __call__(self, request: Request, door: AtDoor, user_header: UserHeader = None) -> Acting:
        """Whoever asks is known by then, before the body is looked at: a dead key learns nothing about its mistakes."""
        acting = Acting(door, self.least, self.required, _spoken_for(door, user_header))
        if acting.spoken_for is None and isinstance(door.shown, KeyCredentials):
            await door.caller(door.shown, named_first(request))
        else:
            await acting.scope_for(None)
        return acting


class Provisions(Gate):
    """The scope of the organisation in the path, for the platform, or for those of that organisation of this rank.

    A key that is limited to stores or agents does not provision: what it made would not be limited.
    """

    async def __call__(self, org_id: CallerId, door: AtDoor, user_header: UserHeader = None) -> TenantScope:
        if await door.is_platform():
            return platform_scope(org_id)
        scope = await door.scope(_spoken_for(door, user_header), self.least or Rank.CONTACT, org_id)
        if self.least is None:
            raise Forbidden
        if scope.stores is not None or scope.agents is not None:
            raise Forbidden("limited_key", "A key that is limited to stores or agents does not provision.")
        return scope


class OfPlatform(Gate):
    """Lets in the platform alone, for what lies in no organisation."""

    async def __call__(self, door: AtDoor, user_header: UserHeader = None) -> None:
        if not await door.is_platform():
            _spoken_for(door, user_header)
            if isinstance(door.shown, KeyCredentials):
                await door.caller(door.shown, None)
            raise Forbidden


Contact = Annotated[TenantScope, Depends(Needs(Rank.CONTACT))]
Member = Annotated[TenantScope, Depends(Needs(Rank.MEMBER))]
Admin = Annotated[TenantScope, Depends(Needs(Rank.ADMIN))]
Owner = Annotated[TenantScope, Depends(Needs(Rank.OWNER))]
ActingContact = Annotated[Acting, Depends(Acts(Rank.CONTACT))]
Provisioner = Annotated[TenantScope, Depends(Provisions(Rank.OWNER))]
PlatformOnly = Annotated[TenantScope, Depends(Provisions(None))]
Platform = Annotated[None, Depends(OfPlatform(None))]
