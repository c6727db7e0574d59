"""Who asks, for which organisation, with which rank: the one value that opens storage."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

ATLAS = "atlas"
"""The orchestrator's pocket, which every agent may read."""


class Role(StrEnum):
    """What a person or a key may do in one organisation; a contact has none."""

    MEMBER = "member"
    ADMIN = "admin"
    OWNER = "owner"


class Rank(IntEnum):
    """Roles in order, with the two ranks that are no role.

    The platform provisions and sees no memory, so it stands below every rank that reads one.
    """

    PLATFORM = 0
    CONTACT = 1
    MEMBER = 2
    ADMIN = 3
    OWNER = 4

    @classmethod
    def of(cls, role: Role | None) -> "Rank":
        """The rank of a role; no role is a contact."""
        return cls.CONTACT if role is None else cls[role.name]


NOBODY = ""
"""The author, once they are gone, of what stays without them. Nobody's id is empty."""


class ActorType(StrEnum):
    """Kinds of author in the audit trail."""

    PERSON = "person"
    KEY = "key"
    PLATFORM = "platform"
    WORKER = "worker"


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of a change: a person's id, an API key's id, or the service's own name."""

    type: ActorType
    id: str


@dataclass(frozen=True, slots=True)
class TenantScope:
    """One caller inside one organisation; nothing is read or written without it.

    `person` is whom the request speaks for, None when it speaks for the organisation. `stores` and `agents`
    are a key's limits, None where it has none; `key_id` is the key that the request came with, also while it acts for
    a person. `makes_unseen`: stores and people that a write names and nobody has seen before are made. Made at the
    door and in the worker only; never changed.
    """

    org_id: str
    actor: Actor
    rank: Rank
    person: str | None = None
    stores: frozenset[str] | None = None
    agents: frozenset[str] | None = None
    makes_unseen: bool = False
    key_id: str | None = None

    def reaches_store(self, store_id: str | None) -> bool:
        """Whether a thing of this store (None: of no store) lies within the key's limits."""
        return store_id is None or self.stores is None or store_id in self.stores

    def reads_pocket(self, agent_id: str) -> bool:
        """Whether the key's limits allow reading this agent's pocket; `atlas` is open to all."""
        return agent_id == ATLAS or self.agents is None or agent_id in self.agents

    def writes_pocket(self, agent_id: str) -> bool:
        """Whether the key's limits allow writing into this agent's pocket."""
        return self.agents is None or agent_id in self.agents

    @property
    def is_operator(self) -> bool:
        """Whether the caller is of the organisation's team, not a customer and not the platform."""
        return self.rank >= Rank.MEMBER


def pockets(agent_id: str) -> tuple[str, ...]:
    """The pockets an agent reads, its own first: a specialist also sees `atlas`, `atlas` sees itself alone."""
    return (ATLAS,) if agent_id == ATLAS else (agent_id, ATLAS)
