"""The people of an organisation and their roles. An organisation that has an owner keeps one."""

from dataclasses import dataclass, replace
from datetime import datetime

from app.domain.errors import Conflict, NotFound
from app.domain.events import EventKind, event
from app.domain.organisations import Person
from app.domain.subjects import UserSubject
from app.domain.tenancy import Role, TenantScope
from app.ports.clock import Clock
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage, UnitOfWork
from app.services.organisations import standing
from app.services.wishes import record_person


@dataclass(frozen=True, slots=True)
class PersonIn:
    """What is to be true of a person. `remember` None leaves their wish as it is."""

    role: Role | None
    display_name: str | None
    remember: bool | None
    time_zone: str | None


@dataclass(frozen=True, slots=True)
class People:
    """Made, changed and listed by owners and the platform; `Erasures` removes them."""

    storage: Storage
    clock: Clock

    async def put(self, scope: TenantScope, user_id: str, wanted: PersonIn) -> tuple[Person, bool]:
        """Make the person or change them. Answers them, and whether they are new.

        Raises Conflict `last_owner` when the organisation would be left without an owner.
        """
        now = self.clock()
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            if wanted.role is not Role.OWNER:
                await require_another_owner(uow, user_id)
            new = await uow.people.ensure(Person(user_id, now))
            before = await uow.people.get(user_id, hold=True) or Person(user_id, now)
            after = replace(
                before,
                role=wanted.role,
                display_name=wanted.display_name,
                time_zone=wanted.time_zone,
            )
            if wanted.remember is not None:
                after = replace(after, remember=wanted.remember)
            await uow.people.save(after)
            await record_role(uow, scope, user_id, before.role, after.role, now)
            named = replace(before, display_name=after.display_name, time_zone=after.time_zone) if new else before
            await record_person(uow, scope, named, after, now)
        return after, new

    async def get(self, scope: TenantScope, user_id: str) -> Person:
        """Raises NotFound where they are not there."""
        async with self.storage.transaction(scope) as uow:
            person = await uow.people.get(user_id)
        if person is None:
            raise NotFound
        return person

    async def page(self, scope: TenantScope, request: PageRequest) -> Page[Person]:
        """In order of id."""
        async with self.storage.transaction(scope) as uow:
            await standing(uow)
            return await uow.people.page(request)


async def require_another_owner(uow: UnitOfWork, user_id: str) -> None:
    """The person may cease to be an owner. Two who cease at once are looked at one after the other."""
    if await uow.people.lock_owners() == {user_id}:
        raise Conflict("last_owner", "An organisation keeps an owner: name another one first.")


async def record_role(
    uow: UnitOfWork, scope: TenantScope, user_id: str, old: Role | None, new: Role | None, now: datetime
) -> None:
    """Leave an event where the role is another."""
    if new is not old:
        subject = UserSubject(user_id)
        changed = event(EventKind.ROLE_CHANGED, scope.actor, now, subject=subject, old=old, new=new)
        await uow.events.append([changed])
