"""Stores and people that a write names for the first time."""

from datetime import datetime

from app.domain.errors import NotFound
from app.domain.organisations import Person, Store
from app.domain.subjects import StoreSubject, Subject, UserSubject
from app.domain.tenancy import TenantScope
from app.ports.storage import UnitOfWork


async def welcome(uow: UnitOfWork, scope: TenantScope, subject: Subject, now: datetime) -> None:
    """Afterwards the store or person is there: made (a person as a contact) when a key writes about it.

    Raises NotFound where it is not there and the caller makes nobody.
    """
    if isinstance(subject, StoreSubject):
        await welcome_store(uow, scope, subject.store_id, now)
    elif isinstance(subject, UserSubject):
        await welcome_person(uow, scope, subject.user_id, now)


async def welcome_store(uow: UnitOfWork, scope: TenantScope, store_id: str, now: datetime) -> Store:
    """The store, made where a key names it first; a key limited to other stores does not find it."""
    if not scope.reaches_store(store_id):
        raise NotFound
    store = await uow.stores.get(store_id)
    if store is None:
        if not scope.makes_unseen:
            raise NotFound
        store = Store(store_id, name=store_id, created_at=now)
        await uow.stores.ensure(store)
    return store


async def welcome_person(uow: UnitOfWork, scope: TenantScope, user_id: str, now: datetime) -> Person:
    """The person, made as a contact where a key names them first."""
    person = await uow.people.get(user_id)
    if person is None:
        if not scope.makes_unseen:
            raise NotFound
        person = Person(user_id, created_at=now)
        await uow.people.ensure(person)
    return person
