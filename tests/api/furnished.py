"""An organisation with something to read for everybody, the same ids in each, and words that name whose they are."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import httpx

from app.domain.events import EventKind, changes, event, events_of
from app.domain.facts import Provenance
from app.domain.identifiers import uuid7
from app.domain.messages import Message, Speaker
from app.domain.sources import Audience
from app.domain.subjects import OrgSubject, StoreSubject, Subject, UserSubject
from app.domain.tenancy import ATLAS, Actor, ActorType, Rank, TenantScope
from app.ports.storage import UnitOfWork
from tests.support.world import Tenant, World
from tests.unit.memories import START, fact, said
from tests.unit.observed import observed

OLGA, ANNA, ALICE, BOB = "olga", "anna", "alice", "bob"
CARLA, DAVE = "33612345678==", "33698765432=="
ROLES = {OLGA: "owner", ANNA: "admin", ALICE: "member", BOB: "member", CARLA: None, DAVE: None}


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
    """The organisation, with two keys that act for people like its own, and are limited."""

    tenant: Tenant
    shop1_key: str
    maya_key: str

    @property
    def org_id(self) -> str:
        return self.tenant.org_id

    def by(self, person: str | None = None, key: str | None = None) -> httpx.AsyncClient:
        """A client that speaks for the person, or for the organisation."""
        return self.tenant.with_key(key or self.tenant.key, person)

    def words(self, name: str) -> str:
        """What the fact of this name says here and nowhere else."""
        return words(self.org_id, name)

    def told(self, text: str) -> set[str]:
        """The names of the facts whose words stand in `text`."""
        return {name for name in FACTS if self.words(name) in text}


def words(org_id: str, name: str) -> str:
    return f"« {name} » says {org_id}: 60 € 🎁"


def person(user_id: str) -> Actor:
    return Actor(ActorType.PERSON, user_id)


def owner_of(org_id: str) -> TenantScope:
    return TenantScope(org_id, person(OLGA), Rank.OWNER, OLGA)


async def furnish(world: World) -> Furnished:
    """Each fact with its source and its event, a message and an observation of each person, and two events more."""
    tenant = await world.organisation(ROLES, ["shop1", "shop2"])
    async with world.container.storage.transaction(owner_of(tenant.org_id)) as uow:
        for name, stored in FACTS.items():
            await _believe(uow, words(tenant.org_id, name), name, stored)
        await uow.messages.add([message(tenant.org_id, *place) for place in PERSONS_STORE.items()])
        seen = enumerate(PERSONS_STORE.items(), 1)
        await uow.observations.add([observed(number=n, user_id=who, store_id=where) for n, (who, where) in seen])
        read = event(EventKind.READ, person(ANNA), START, subject=UserSubject(CARLA), fact_id=UUID(int=9))
        skipped = [event(EventKind.TURN_SKIPPED, person(user_id), START) for user_id in (ALICE, CARLA)]
        await uow.events.append([read, *skipped])
    shop1_key = await tenant.make_key(act_for_people=True, store_ids=["shop1"])
    return Furnished(tenant, shop1_key, await tenant.make_key(act_for_people=True, agent_ids=["maya"]))


async def _believe(uow: UnitOfWork, said_here: str, name: str, stored: Stored) -> None:
    places: dict[str, Any] = {"about": stored.about, "agent_id": stored.agent_id, "audience": stored.audience}
    source = replace(said(stored.number, said_here, 0), author=person(stored.author))
    opened = Provenance(source.author, source.relation, source.reason, source.message)
    row = fact(stored.number, f"key.{name}", said_here, source=opened, **places)
    made = changes([], [row])
    await uow.sources.add(row.ref, source)
    await uow.facts.apply(made, START)
    await uow.events.append(list(events_of(made, person(stored.author), START)))


def message(org_id: str, user_id: str, store_id: str | None) -> Message:
    """What the person said, in words that name them and the organisation."""
    names = (f"talk of {user_id}", "m1", "web")
    said_here = f"{user_id} speaks in {org_id}"
    return Message(uuid7(), *names, Speaker.USER, said_here, START, None, user_id, store_id, ATLAS, START)
