"""The people of an organisation and their roles. An organisation that has an owner keeps one."""

from dataclasses import dataclass, replace
from datetime import datetime

from app.domain.errors import Conflict, NotFound
from app.domain.events import EventKind, event
from app.domain.organisations import Person
from app.domain.subjects import Scope, UserSubject
from app.domain.tenancy import Role, TenantScope
from app.ports.clock import Clock
from app.ports.facts import FactFilter
from app.ports.paging import Page, PageRequest
from app.ports.storage import Storage, UnitOfWork
from app.services.folds import Author, forget_person
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
    """Made, changed, listed and removed by owners and the platform."""

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
                await _require_another_owner(uow, user_id)
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
            await _record_role(uow, scope, user_id, before.role, after.role, now)
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

    async def delete(self, scope: TenantScope, user_id: str) -> None:
        """Afterwards the person is not there, nor what is about them and what they said, in whatever scope; the trail
        keeps that it was erased, and no words about them.

        Raises NotFound where they were not there, Conflict `last_owner` as `put`.
        """
        now = self.clock()
        async with self.storage.transaction(scope) as uow:
            await _require_another_owner(uow, user_id)
            person = await uow.people.get(user_id, hold=True)
            if person is None:
                raise NotFound
            await _record_role(uow, scope, user_id, person.role, None, now)
            await forget_person(uow, user_id, Author(scope.actor, now))
            about = UserSubject(user_id)
            facts = uow.facts.everything(FactFilter(Scope.USER, now, about, archived=None))
            await uow.events.erase_values([record.fact.id async for record in facts])
            await uow.events.append([event(EventKind.ERASED, scope.actor, now, subject=about)])
            await uow.events.erase_about(about)
            await uow.people.delete(user_id)


async def _require_another_owner(uow: UnitOfWork, user_id: str) -> None:
    """The person may cease to be an owner. Two who cease at once are looked at one after the other."""
    if await uow.people.lock_owners() == {user_id}:
        raise Conflict("last_owner", "An organisation keeps an owner: name another one first.")


async def _record_role(
    uow: UnitOfWork, scope: TenantScope, user_id: str, old: Role | None, new: Role | None, now: datetime
) -> None:
    if new is not old:
        subject = UserSubject(user_id)
        changed = event(EventKind.ROLE_CHANGED, scope.actor, now, subject=subject, old=old, new=new)
        await uow.events.append([changed])
