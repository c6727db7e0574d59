"""A person's wish to be remembered or not, which is theirs to say, and their admins'."""

from dataclasses import dataclass, replace
from datetime import datetime

from app.domain.errors import Forbidden, NotFound
from app.domain.organisations import Person
from app.domain.subjects import UserSubject
from app.domain.tenancy import Rank, TenantScope
from app.domain.values import JsonValue
from app.ports.clock import Clock
from app.ports.storage import Storage, UnitOfWork
from app.services.arrivals import welcome_person
from app.services.organisations import standing
from app.services.settings import record_settings


@dataclass(frozen=True, slots=True)
class Wishes:
    """What people wish of their memory."""

    storage: Storage
    clock: Clock

    async def get(self, scope: TenantScope, user_id: str) -> Person:
        """The person with their wish; whom a key speaks for and nobody knows is remembered, and is not made.

        Raises NotFound for who else is not there, and for whomever the caller has no say about.
        """
        _require_reach(scope, user_id)
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            person = await uow.people.get(user_id)
        if person is not None:
            return person
        if scope.person != user_id or not scope.makes_unseen:
            raise NotFound
        return Person(user_id, self.clock())

    async def change(self, scope: TenantScope, user_id: str, *, remember: bool) -> Person:
        """From now on the wish holds, an event where it is another; what is kept already stays, unseen by any block.

        A person whom a key speaks for and nobody knows is made, a contact. Raises as `get`, and Forbidden for a limited
        key that speaks for somebody else: the wish holds for more than its stores and agents.
        """
        _require_reach(scope, user_id)
        if scope.person != user_id and (scope.stores is not None or scope.agents is not None):
            raise Forbidden("limited_key", "A key that is limited to stores or agents speaks for nobody else's wishes.")
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            now = self.clock()
            await welcome_person(uow, scope, user_id, now)
            before = await uow.people.get(user_id, hold=True)
            if before is None:
                raise NotFound
            after = replace(before, remember=remember)
            await uow.people.save(after)
            await record_person(uow, scope, before, after, now)
        return after


async def record_person(uow: UnitOfWork, scope: TenantScope, before: Person, after: Person, now: datetime) -> None:
    """Leave an event where the wish, the name or the time zone has changed; the person alone reads what it says."""
    await record_settings(uow, scope, UserSubject(after.user_id), _settings(before), _settings(after), now)


def _settings(person: Person) -> dict[str, JsonValue]:
    return {"remember": person.remember, "display_name": person.display_name, "time_zone": person.time_zone}


def _require_reach(scope: TenantScope, user_id: str) -> None:
    if scope.person != user_id and scope.rank < Rank.ADMIN:
        raise NotFound
