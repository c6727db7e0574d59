"""Words that stand in one place of one memory and nowhere else, and who may come to read them."""

import hashlib
import re
from dataclasses import dataclass, replace

from app.domain.tenancy import ATLAS, Rank

OPERATORS = frozenset({"olga", "anna", "mia", "max"})
_WORD = re.compile(r"zq[0-9a-f]{14}zq")
_known: dict[str, "Canary"] = {}


@dataclass(frozen=True, slots=True)
class Canary:
    """A word of one organisation. Without person and store it is the organisation's; `name`: part of a name.

    With a person it is theirs, in whichever store it was said; `everyone`: marked as meant for customers too.
    """

    org_id: str
    person: str | None = None
    store: str | None = None
    agent: str = ATLAS
    everyone: bool = False
    name: bool = False

    @property
    def word(self) -> str:
        """The word, by which `found_in` knows the canary again."""
        word = f"zq{hashlib.sha256(repr(self).encode()).hexdigest()[:14]}zq"
        _known[word] = self
        return word

    @property
    def key(self) -> str:
        """A key for the facts that say it."""
        return f"canary.{self.word}"


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads one answer: as which people, of which rank, within which stores and agents (None: all).

    `contacts`: also what is about the organisation's contacts, `everybody`: about anybody. `shared_store`: also what
    operators said in that store, for the organisation may share it.
    """

    org_id: str
    rank: Rank
    people: frozenset[str] = frozenset()
    stores: frozenset[str] | None = None
    agents: frozenset[str] | None = None
    contacts: frozenset[str] = frozenset()
    everybody: bool = False
    shared_store: str | None = None

    def may_read(self, canary: Canary) -> bool:
        """Whether the word may stand in what this reader is answered."""
        if canary.org_id != self.org_id:
            return False
        if canary.name:
            return True
        if canary.store is not None and self.stores is not None and canary.store not in self.stores:
            return False
        if canary.agent != ATLAS and self.agents is not None and canary.agent not in self.agents:
            return False
        if canary.person is None:
            return self.rank >= Rank.MEMBER or (canary.everyone and self.rank >= Rank.CONTACT)
        if canary.person in OPERATORS and canary.store is not None and canary.store == self.shared_store:
            return True
        return self.everybody or canary.person in self.people | self.contacts

    def narrowed(self, store: str | None, agent: str) -> "Reader":
        """The reader of a block: for one store at most, one agent, and nobody else's words."""
        stores = frozenset() if store is None else frozenset({store})
        shared = store if self.people and self.rank >= Rank.MEMBER else None
        return replace(self.asking(agent), stores=stores, shared_store=shared)

    def asking(self, agent: str) -> "Reader":
        """The reader of what one agent may be told, and of nobody else's words."""
        return replace(self, agents=frozenset({agent}), contacts=frozenset(), everybody=False)


def found_in(text: str) -> set[Canary]:
    """All canaries in the text."""
    return {_known[word] for word in _WORD.findall(text) if word in _known}
