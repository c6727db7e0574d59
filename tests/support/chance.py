"""Ids drawn by chance from one's own organisation, from another one, and from nowhere."""

import random
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from app.domain.tenancy import ATLAS
from tests.support.askers import Asker
from tests.support.canaries import Canary
from tests.support.town import LINKED, PEOPLE, STORES, UNLINKED, Organisation

NOWHERE = "no-such-thing"
AGENTS = (ATLAS, "maya", "otis")


@dataclass
class Chance:
    """The draws of one request. `nothing` maps each id of another organisation that was drawn to one of nothing."""

    dice: random.Random
    asker: Asker
    others: Sequence[Organisation]
    nothing: dict[str, str] = field(default_factory=dict)
    people: set[str] = field(default_factory=set)

    @property
    def home(self) -> Organisation:
        return self.asker.home

    def often(self, share: float) -> bool:
        return self.dice.random() < share

    def one(self, *choices: Any) -> Any:
        return self.dice.choice(choices)

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.dice.getrandbits(128), version=4))

    def made_id(self, mine: Sequence[str], theirs: Sequence[str]) -> str:
        """An id that the service made: mine, another organisation's, or nobody's."""
        where = self.dice.random()
        if where < 0.55 and mine:
            return str(self.dice.choice(mine))
        if where < 0.9 and theirs:
            return self._foreign(self.dice.choice(theirs), self.uuid())
        return self.uuid()

    def fact_id(self, kind: str) -> str:
        """A fact of this scope, or, now and then, of another one."""
        kind = kind if self.often(0.85) else self.one("org", "store", "user")
        theirs = [fact_id for other in self.others for fact_id in other.facts[kind]]
        return self.made_id(list(self.home.facts[kind]), theirs)

    def org_id(self) -> str:
        """The organisation in a path: one's own most of the time; the platform's hand is kept to it."""
        where = self.dice.random()
        if where < 0.7 or self.asker.name == "the platform":
            return self.home.org_id
        return self._foreign(self.one(*self.others).org_id, NOWHERE) if where < 0.95 else NOWHERE

    def doomed(self) -> str:
        """The organisation to remove: for the platform one that was made for it."""
        return self.home.doomed if self.asker.name == "the platform" else self.org_id()

    def store_id(self) -> str:
        """A store to write about, which makes it. All organisations have the two; the third is one's own."""
        return str(self.one(*STORES, self.home.only))

    def store_asked(self) -> str:
        """A store to read or remove, perhaps one that only another organisation has."""
        return self._foreign(self.one(*self.others).only, NOWHERE) if self.often(0.3) else self.store_id()

    def person(self) -> str:
        """Whom a body names: mostly whom the request speaks for."""
        if self.asker.person and self.often(0.7):
            return self.asker.person
        return self.named(self.one(*PEOPLE, UNLINKED))

    def person_asked(self) -> str:
        """A person to read about, perhaps one whom only another organisation knows."""
        if not self.asker.acts and self.often(0.2):
            return self._foreign(self.one(*self.others).only, NOWHERE)
        return self.person()

    def named(self, person: str) -> str:
        """The person, for whom a backend then speaks."""
        self.people.add(person)
        return person

    def removable(self) -> str:
        """A person whose going changes nobody's role: a contact."""
        if self.often(0.3):
            return self._foreign(self.one(*self.others).only, NOWHERE)
        return str(self.one("dave", UNLINKED, self.home.only, NOWHERE))

    def home_alone(self) -> str:
        """A person whom no other organisation knows."""
        return str(self.one(self.home.only, NOWHERE))

    def address(self) -> str:
        """An address of the channel, and with it whoever it stands for."""
        address = str(self.one(LINKED, LINKED, LINKED, UNLINKED))
        self.people.update({"carla", UNLINKED} if address == UNLINKED else {"carla"})
        return address

    def word_at(self, kind: str, fact_id: str) -> Canary:
        """The word that may be written over this fact: its own, or one that may stand nowhere if it got there."""
        known = self.home.facts[kind].get(fact_id)
        return known or self.home.canary(self.asker.person or "olga")

    def _foreign(self, theirs: str, nothing: str) -> str:
        self.nothing[theirs] = nothing
        return theirs
