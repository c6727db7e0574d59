"""An organisation with something to read for everybody, the same ids in each, and words that name whose they are."""

from dataclasses import dataclass, replace
from uuid import UUID

from app.container import Container
from app.domain.events import EventKind, changes, event, events_of
from app.domain.identifiers import uuid7
from app.domain.messages import Message, Speaker
from app.domain.organisations import Organisation, Person, Store
from app.domain.sources import Audience
from app.domain.subjects import OrgSubject, StoreSubject, Subject, UserSubject
from app.domain.tenancy import ATLAS, Actor, ActorType, Rank, Role, TenantScope
from app.services.api_keys import ApiKeyIn
from tests.unit.memories import START, fact, said

OLGA, ANNA, ALICE, BOB = "olga", "anna", "alice", "bob"
CARLA, DAVE = "33612345678==", "33698765432=="
ROLES = {OLGA: Role.OWNER, ANNA: Role.ADMIN, ALICE: Role.MEMBER, BOB: Role.MEMBER, CARLA: None, DAVE: None}


@dataclass(frozen=True, slots=True)
class Stored:
    """One fact of the furnished organisation, by its name."""

    number: int
    about: Subject
    author: str
    agent_id: str = ATLAS
    audience: Audience = Audience.TEAM

    @property
    def id(self) -> str:
        return str(UUID(int=self.number))


FACTS = {
    "company": Stored(1, OrgSubject(), ANNA),
    "promise": Stored(2, OrgSubject(), ANNA, audience=Audience.EVERYONE),
    "shop1": Stored(3, StoreSubject("shop1"), ALICE),
    "shop2": Stored(4, StoreSubject("shop2"), ALICE, audience=Audience.EVERYONE),
    "maya": Stored(5, StoreSubject("shop1"), ANNA, "maya"),
    "otis": Stored(6, StoreSubject("shop1"), ANNA, "otis"),
    "alice": Stored(7, UserSubject(ALICE), ALICE),
    "bob": Stored(8, UserSubject(BOB), BOB),
    "carla": Stored(9, UserSubject(CARLA), CARLA),
    "dave": Stored(10, UserSubject(DAVE), DAVE),
}
SHARED = {"company", "promise", "shop1", "shop2", "maya", "otis"}
PEOPLE = {"alice", "bob", "carla", "dave"}
PERSONS_STORE = {ALICE: "shop1", BOB: None, CARLA: "shop2", DAVE: None}


@dataclass(frozen=True, slots=True)
class Furnished:
    """The organisation and its keys: one that acts for people, and two that are limited."""

    org_id: str
    key: str
    shop1_key: str
    maya_key: str

    def words(self, name: str) -> str:
        """What the fact of this name says here and nowhere else."""
        return words(self.org_id, name)

    def told(self, text: str) -> set[str]:
        """The names of the facts whose words stand in `text`."""
        return {name for name in FACTS if self.words(name) in text}

    def headers(self, person: str | None = None, key: str | None = None) -> dict[str, str]:
        acting = {} if person is None else {"x-user-id": person}
        return {"authorization": f"Bearer {key or self.key}", **acting}


def words(org_id: str, name: str) -> str:
    return f"« {name} » says {org_id}: 60 € 🎁"


def person(user_id: str) -> Actor:
    return Actor(ActorType.PERSON, user_id)


def owner_of(org_id: str) -> TenantScope:
    return TenantScope(org_id, person(OLGA), Rank.OWNER, OLGA)


async def furnish(container: Container, org_id: str) -> Furnished:
    """Each fact with its source and its event; a message of each person; what an admin read and who was forgotten."""
    scope = owner_of(org_id)
    async with container.storage.transaction(scope) as uow:
        await uow.organisations.save(Organisation(org_id, f"{org_id} & Co", START))
        for store_id in ("shop1", "shop2"):
            await uow.stores.save(Store(store_id, store_id, START))
        for user_id, role in ROLES.items():
            await uow.people.save(Person(user_id, START, role))
        for name, stored in FACTS.items():
            row = fact(
                stored.number,
                f"key.{name}",
                words(org_id, name),
                about=stored.about,
                agent_id=stored.agent_id,
                audience=stored.audience,
            )
            made = changes([], [row])
            source = replace(said(stored.number, words(org_id, name), 0), author=person(stored.author))
            await uow.sources.add(row.ref, source)
            await uow.facts.apply(made, START)
            await uow.events.append(list(events_of(made, person(stored.author), START)))
        for user_id, store_id in PERSONS_STORE.items():
            await uow.messages.add([message(org_id, user_id, store_id)])
        read = event(EventKind.READ, person(ANNA), START, subject=UserSubject(CARLA), fact_id=UUID(int=9))
        skipped = [event(EventKind.TURN_SKIPPED, person(user_id), START) for user_id in (ALICE, CARLA)]
        await uow.events.append([read, *skipped])
    return Furnished(
        org_id,
        await _key(container, scope),
        await _key(container, scope, stores=("shop1",)),
        await _key(container, scope, agents=("maya",)),
    )


def message(org_id: str, user_id: str, store_id: str | None) -> Message:
    names = (f"talk of {user_id}", "m1", "web")
    said_here = f"{user_id} speaks in {org_id}"
    return Message(uuid7(), *names, Speaker.USER, said_here, START, None, user_id, store_id, ATLAS, START)


async def _key(
    container: Container,
    scope: TenantScope,
    stores: tuple[str, ...] | None = None,
    agents: tuple[str, ...] | None = None,
) -> str:
    _, text = await container.api_keys.make(scope, ApiKeyIn("backend", Role.OWNER, True, stores, agents))
    return text
