"""Embedders: from text to vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.embedding import EmbedderProfile, Vector
from app.domain.errors import Unavailable


class EmbeddingFailed(Unavailable):
    """These texts could not be embedded."""


class EmbedderAway(EmbeddingFailed):
    """Nothing can be embedded just now: it is no fault of these texts."""


@dataclass(slots=True)
class Tally:
    """What embedding cost so far: whoever pays hands one in, and reads it afterwards, however it ended.

    `calls` are those of a provider, the vain ones too; `tokens` as it counted them, estimated where it told nothing.
    A model of our own makes neither. `vectors` are those that were made anew.
    """

    calls: int = 0
    tokens: int = 0
    vectors: int = 0


class Embedder(Protocol):
    """Embeds passages, to be found, and questions, to find them by. Holds no connection of the database."""

    @property
    def profile(self) -> EmbedderProfile: ...

    @property
    def answers(self) -> bool:
        """Whether it is thought to be there."""
        ...

    async def passages(self, texts: Sequence[str], tally: Tally | None = None) -> list[list[Vector]]:
        """For each text, in order, the vectors of its windows: one at least, none for a text without words.

        Each has the profile's dimension and length 1. Raises EmbeddingFailed, for all where one text is at fault, which
        the caller finds by asking singly; and EmbedderAway while it cannot answer.
        """
        ...

    async def question(self, text: str, tally: Tally | None = None) -> Vector | None:
        """The vector of a question, of whose text its beginning is read, None for one without words.

        Raises as `passages`.
        """
        ...
