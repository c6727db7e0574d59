"""What is read of memory for an answer, now or as of another time, and the entries that the past is folded from."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.embedding import Vector
from app.domain.facts import Fact
from app.domain.ground import Said
from app.domain.observations import FactCategory
from app.domain.search import DocumentKind, Shelf
from app.domain.sources import Entry, MessageRef, Source
from app.domain.subjects import KeyRef, Scope, Subject
from app.ports.facts import FactFilter, FactRecord
from app.ports.messages import Messages
from app.ports.observations import Observations
from app.ports.organisations import Organisations, People
from app.ports.search import Found
from app.ports.vectors import Nearness


class PastEntries(Protocol):
    """The entries of many keys at once. They are all that there are, whenever recorded."""

    async def about(self, subject: Subject, agents: Sequence[str], limit: int) -> Mapping[KeyRef, Sequence[Entry]]:
        """Those of every key of the subject in these pockets: at most `limit` sources, and as many decisions."""
        ...

    async def of(self, refs: Collection[KeyRef]) -> Mapping[KeyRef, Sequence[Entry]]:
        """Those of these keys, which are of one scope; a key without any has none."""
        ...

    async def merged_into(self, refs: Collection[KeyRef]) -> list[KeyRef]:
        """The other keys of which a row was ever merged into one of these, which are of one scope."""
        ...

    async def places(
        self, wanted: FactFilter, known_at: datetime | None, after: UUID | None, limit: int
    ) -> list[tuple[UUID, KeyRef]]:
        """At most `limit` sources within the filter's reach, pocket and key prefix, that were recorded by then.

        In order of id, newest first, behind `after`: rows are named by their sources.
        """
        ...

    async def key_of(self, scope: Scope, source_id: UUID) -> KeyRef | None:
        """What this source of a fact of that scope states a value for."""
        ...


class Beliefs(Protocol):
    """What is read of the facts for an answer; see `Facts`."""

    async def candidates(self, subjects: Sequence[Subject], agents: Sequence[str], limit: int) -> list[Fact]: ...

    async def behaviour(
        self, user_id: str, agents: Sequence[str], limit: int, categories: Sequence[FactCategory] = tuple(FactCategory)
    ) -> list[FactRecord]: ...

    async def across(self, subjects: Sequence[Subject], agents: Sequence[str], keys: Collection[str]) -> list[Fact]: ...

    async def of_keys(self, refs: Sequence[KeyRef]) -> list[Fact]: ...

    async def among(self, fact_ids: Sequence[UUID], subjects: Sequence[Subject]) -> list[Fact]: ...


class Statements(Protocol):
    """What is read of the sources for an answer; see `Sources`."""

    async def stated_by(self, messages: Sequence[MessageRef]) -> list[tuple[KeyRef, Source]]: ...


class Finder(Protocol):
    """What is asked of the search index for an answer; see `Search`."""

    async def look_up(self, question: str, shelves: Sequence[Shelf], since: datetime | None = None) -> Found: ...

    async def around(self, messages: Sequence[UUID], shelves: Sequence[Shelf], reach: int) -> list[list[Said]]: ...


class Nearer(Protocol):
    """What is asked of the vectors for an answer; see `Vectors`."""

    async def nearest(
        self, question: Vector, space: str, shelves: Sequence[Shelf], limit: int, since: datetime | None = None
    ) -> Mapping[DocumentKind, Nearness]: ...

    async def cosines(
        self, question: Vector, space: str, kinds: Collection[DocumentKind], ids: Collection[UUID]
    ) -> Mapping[UUID, float]: ...


class View(Protocol):
    """Memory as an answer reads it: a unit of work, or `services.past.Past`.

    Who is there, what they may read, and what was said and is still kept, are of the present always.
    """

    @property
    def organisations(self) -> Organisations: ...
    @property
    def people(self) -> People: ...
    @property
    def messages(self) -> Messages: ...
    @property
    def observations(self) -> Observations: ...
    @property
    def facts(self) -> Beliefs: ...
    @property
    def sources(self) -> Statements: ...
    @property
    def search(self) -> Finder: ...
    @property
    def vectors(self) -> Nearer: ...
