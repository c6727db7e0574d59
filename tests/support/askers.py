"""Every kind of caller of one organisation of the town, and what each may read."""

from dataclasses import dataclass

from app.domain.tenancy import Rank, Role
from tests.support.canaries import Reader
from tests.support.town import CONTACTS, LINKED, PEOPLE, UNLINKED, Organisation
from tests.support.world import token_for

ABOUT_PEOPLE = ("/memory/facts/user", "/memory/contradictions", "/memory/prune")
"""Where admins read what is about contacts."""


@dataclass(frozen=True)
class Asker:
    """A caller. `rank` is its key's, None where it opens nothing; `person` whom its header or token names.

    `acts`: it names nobody in the header, so each body or query may say for whom it speaks.
    """

    name: str
    home: Organisation
    headers: dict[str, str]
    rank: Rank | None
    person: str | None = None
    acts: bool = False
    token: bool = False
    stores: frozenset[str] | None = None
    agents: frozenset[str] | None = None

    @property
    def trusted(self) -> bool:
        """Whether it may touch what is about others: all but single people below admin and those who are refused."""
        return self.acts or self.rank is Rank.PLATFORM or self.rank_for(self.person) >= Rank.ADMIN

    def rank_for(self, person: str | None) -> Rank:
        """With which rank it asks for this person."""
        if self.rank is None:
            return Rank.PLATFORM
        return self.rank if person is None else min(self.rank, rank_of(person))

    def reading(self, path: str, named: frozenset[str]) -> Reader:
        """Who reads an answer of this route, where the request names these people."""
        people = frozenset({self.person}) if self.person else named if self.acts else frozenset[str]()
        rank = max((self.rank_for(person) for person in people), default=self.rank_for(None))
        looks_after = rank >= Rank.ADMIN and path.startswith(ABOUT_PEOPLE)
        return Reader(
            org_id=self.home.org_id if self.rank is not None else "",
            rank=rank,
            people=people | {LINKED, UNLINKED} if "carla" in people else people,  # what came over these may be hers
            stores=self.stores,
            agents=self.agents,
            contacts=CONTACTS | {self.home.only} if looks_after else frozenset(),
            everybody=rank >= Rank.OWNER and path == "/memory/export",
        )


def rank_of(person: str) -> Rank:
    role = PEOPLE.get(person)
    return Rank.of(Role(role) if role else None)


async def askers(home: Organisation, revoked: str) -> list[Asker]:
    """All that the organisation knows. `revoked` is a key of it that opens nothing any more."""
    make = home.tenant.make_key

    def by_key(key: str, person: str | None = None) -> dict[str, str]:
        acting = {} if person is None else {"X-User-Id": person}
        return {"Authorization": f"Bearer {key}", **acting}

    key, world = home.tenant.key, home.tenant.world
    named = ("carla", "norma", "mia", "anna", "olga")
    people = [Asker(f"{name} by key", home, by_key(key, name), Rank.OWNER, name) for name in named]
    token = token_for(world.settings, "max", org_id=home.org_id)
    shop1 = await make(act_for_people=True, store_ids=["shop1"])
    maya = await make(act_for_people=True, agent_ids=["maya"])
    stores, agents = frozenset({"shop1"}), frozenset({"maya"})
    return [
        Asker("nobody", home, {}, None),
        Asker("a revoked key", home, by_key(revoked, "olga"), None),
        *people,
        Asker("max by token", home, {"Authorization": f"Bearer {token}"}, Rank.MEMBER, "max", token=True),
        Asker("a backend", home, by_key(key), Rank.OWNER, acts=True),
        Asker("an owner's key", home, by_key(await make("owner")), Rank.OWNER),
        Asker("an admin's key", home, by_key(await make("admin")), Rank.ADMIN),
        Asker("a member's key", home, by_key(await make("member")), Rank.MEMBER),
        Asker("a key of shop1", home, by_key(shop1), Rank.OWNER, acts=True, stores=stores),
        Asker("a key of maya", home, by_key(maya, "anna"), Rank.OWNER, "anna", agents=agents),
        Asker("the platform", home, by_key(world.platform_key), Rank.PLATFORM),
    ]
