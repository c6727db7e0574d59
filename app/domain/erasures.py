"""Erasing, with proof: what of which extent goes, what is told of it, and what is remembered so that it stays gone.

An extent is closed in one transaction: from its commit on nothing in it is read or written. What is in it then goes
in stretches. The ledger keeps keyed hashes of what was erased, never a word or an id.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

from app.domain.sources import MessageRef
from app.domain.subjects import Scope, Subject, store_of, user_of

AT_ONCE_ROWS: Final = 10_000
"""An extent of no more rows is erased while the caller waits; a larger one by a job."""
TOLD: Final = ("facts", "messages", "observations", "vectors", "event_values", "jobs", "cache_entries")
"""The places of which every receipt tells, also where nothing was in them."""


class ErasureKind(StrEnum):
    """What was asked for. `shared`: what is remembered of the organisation and its stores; `memory`: all that is."""

    FACT = "fact"
    MESSAGE = "message"
    PERSON = "person"
    STORE = "store"
    SHARED = "shared"
    MEMORY = "memory"
    ORGANISATION = "organisation"


@dataclass(frozen=True, slots=True)
class Extent:
    """All that goes together. `id` names the person or the store, and is empty for what there is only one of."""

    kind: ErasureKind
    id: str = ""

    @classmethod
    def of(cls, told: str) -> "Extent":
        """As `told` had it."""
        kind, _, whose = told.partition(" ")
        return cls(ErasureKind(kind), whose)

    @property
    def told(self) -> str:
        """In one word or two: ids hold no space."""
        return f"{self.kind.value} {self.id}".rstrip()


@dataclass(frozen=True, slots=True)
class Closings:
    """What of an organisation is being erased, and so is closed to all but the eraser."""

    extents: frozenset[Extent] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.extents)

    @property
    def people(self) -> frozenset[str]:
        """Who is being erased."""
        return frozenset(extent.id for extent in self.extents if extent.kind is ErasureKind.PERSON)

    @property
    def stores(self) -> frozenset[str]:
        """Which stores are."""
        return frozenset(extent.id for extent in self.extents if extent.kind is ErasureKind.STORE)

    @property
    def organisation(self) -> bool:
        """Whether all of it is."""
        return Extent(ErasureKind.ORGANISATION) in self.extents

    @property
    def memory(self) -> bool:
        """Whether all that is remembered is."""
        return self.organisation or Extent(ErasureKind.MEMORY) in self.extents

    @property
    def shared(self) -> bool:
        """Whether what is remembered of the organisation and its stores is."""
        return self.memory or Extent(ErasureKind.SHARED) in self.extents

    def hides(self, subject: Subject) -> bool:
        """Whether what is remembered of this subject is closed."""
        if self.memory or (self.shared and subject.scope is not Scope.USER):
            return True
        return user_of(subject) in self.people or store_of(subject) in self.stores


class ThingKind(StrEnum):
    """What the ledger knows. `entry`: a source of a fact, by its id. `kept`: of whom what they said of shared things
    was to stay.
    """

    MESSAGE = "message"
    ENTRY = "entry"
    PERSON = "person"
    KEPT = "kept"
    STORE = "store"
    SHARED = "shared"
    MEMORY = "memory"
    ORGANISATION = "organisation"


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that was erased, by what names it."""

    kind: ThingKind
    name: tuple[str, ...] = ()


def message_thing(ref: MessageRef) -> Thing:
    """A message."""
    return Thing(ThingKind.MESSAGE, (ref.conversation_id, ref.message_id))


def entry_thing(source_id: UUID) -> Thing:
    """A source of a fact, or the row that it opened."""
    return Thing(ThingKind.ENTRY, (str(source_id),))


def person_thing(user_id: str) -> Thing:
    """A person."""
    return Thing(ThingKind.PERSON, (user_id,))


def kept_thing(user_id: str) -> Thing:
    """A person who went, and whose part in what is shared stayed."""
    return Thing(ThingKind.KEPT, (user_id,))


def store_thing(store_id: str) -> Thing:
    """A store."""
    return Thing(ThingKind.STORE, (store_id,))


@dataclass(frozen=True, slots=True)
class Erased:
    """A line of the ledger: the keyed hash of a thing, and when it was erased, the last time."""

    digest: bytes
    kind: ThingKind
    at: datetime


@dataclass(frozen=True, slots=True)
class Erasure:
    """The receipt: how much went from which place, which messages stay although they say it, and what a fresh look at
    all the places that were `searched` still found.

    `completed_at` None: a job is at it. `keeps_shared`: what the person said of shared things stays, without them.
    `facts_kept` are those that the extent's messages stated of somebody else: they stay, without the messages.
    """

    receipt_id: UUID
    extent: Extent
    began_at: datetime
    erased: Mapping[str, int] = field(default_factory=dict)
    kept: tuple[MessageRef, ...] = ()
    facts_kept: int = 0
    remaining: int = 0
    searched: tuple[str, ...] = ()
    completed_at: datetime | None = None
    keeps_shared: bool = False

    def counting(self, more: Mapping[str, int]) -> "Erasure":
        """With so many more."""
        places = {**self.erased, **more}
        return replace(self, erased={name: self.erased.get(name, 0) + more.get(name, 0) for name in places})

    @property
    def told(self) -> dict[str, int]:
        """How much went, by place, as the receipt says it."""
        return {**dict.fromkeys(TOLD, 0), **self.erased}


@dataclass(frozen=True, slots=True)
class PlatformErasure:
    """The receipt of an organisation's erasure, or of a person's everywhere: counts alone. It outlives them.

    `completed_at` None: parts of it are still under way. `digest` is the keyed hash of what was erased.
    """

    receipt_id: UUID
    kind: ErasureKind
    began_at: datetime
    erased: Mapping[str, int] = field(default_factory=dict)
    remaining: int = 0
    completed_at: datetime | None = None
    digest: bytes = b""

    @property
    def told(self) -> dict[str, int]:
        """How much went, by place, as the receipt says it."""
        return {**dict.fromkeys(TOLD, 0), **self.erased}
