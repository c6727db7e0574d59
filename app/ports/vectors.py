"""Vectors of documents, as kept: what makes a thing near a question of other words."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.domain.embedding import Vector
from app.domain.past import PRESENT, Moment
from app.domain.search import DocumentKind, Shelf

Place = tuple[DocumentKind, UUID]
"""What names a document."""


@dataclass(frozen=True, slots=True)
class Stamped:
    """A document as it was looked at. Whenever its words are others, so is its `stamp`."""

    kind: DocumentKind
    id: UUID
    stamp: str

    @property
    def place(self) -> Place:
        """The document's name."""
        return self.kind, self.id


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of a document's parts. `beside` is the message whose words were read along: they leave with it."""

    vectors: Sequence[Vector] = ()
    beside: Place | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of an organisation's documents are embedded in a space, of how many; `failed` ones wait for a day."""

    embedded: int
    failed: int
    total: int


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near the documents of one kind within reach are to a question.

    `cosines` are those of the nearest, by the nearest of their parts; `least` and `most` are the bounds of all, 0 where
    there are none. Of `documents` within reach, `embedded` were compared. `labels` are those of the nearest.
    """

    cosines: Mapping[UUID, float]
    least: float
    most: float
    embedded: int
    documents: int
    labels: Mapping[UUID, str] = field(default_factory=dict)


class Vectors(Protocol):
    """A document's vectors lie in one space, and leave with it; they never stand beside words they were not made of."""

    async def lacking(self, limit: int, space: str | None = None) -> list[Stamped]:
        """Documents without vectors, the newest first; with `space`, behind them those with vectors of another."""
        ...

    async def put(self, space: str, made: Mapping[Stamped, Embedded], failed: Collection[Stamped] = ()) -> int:
        """These are the documents' vectors, in the place of any other; none is an answer too. Those that `failed` are
        not lacking until `forgive`. Who is gone or has other words meanwhile, or whose neighbour is gone, is left as
        they are; answers how many of the others there were.
        """
        ...

    async def forgive(self) -> int:
        """What failed is lacking again, and what lost its vectors together with a neighbour. Answers how many."""
        ...

    async def progress(self, space: str) -> Progress: ...

    async def nearest(
        self,
        question: Vector,
        space: str,
        shelves: Sequence[Shelf],
        limit: int,
        since: datetime | None = None,
        moment: Moment = PRESENT,
    ) -> Mapping[DocumentKind, Nearness]:
        """The nearest `limit` documents of each kind on these shelves; kinds of which there are none are not named.

        Only vectors of that space are compared. `since` and `moment` as in `Search.look_up`.
        """
        ...

    async def cosines(
        self, question: Vector, space: str, kinds: Collection[DocumentKind], ids: Collection[UUID]
    ) -> Mapping[UUID, float]:
        """Those of these documents that are of one of the kinds, and have vectors of that space. No two share an id."""
        ...
