"""Embedders: from text to vectors."""

from collections.abc import Sequence
from typing import Protocol

from app.domain.embedding import EmbedderProfile, Vector
from app.domain.errors import Unavailable


class EmbeddingFailed(Unavailable):
    """These texts could not be embedded."""


class EmbedderAway(EmbeddingFailed):
    """Nothing can be embedded just now: it is no fault of these texts."""


class Embedder(Protocol):
    """Embeds passages, to be found, and questions, to find them by. Holds no connection of the database."""

    @property
    def profile(self) -> EmbedderProfile: ...

    @property
    def answers(self) -> bool:
        """Whether it is thought to be there."""
        ...

    async def passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        """For each text, in order, the vectors of its windows: one at least, none for a text without words.

        Each has the profile's dimension and length 1. Raises EmbeddingFailed, and EmbedderAway while it cannot answer.
        """
        ...

    async def question(self, text: str) -> Vector | None:
        """The vector of a question, None for one without words. Raises as `passages`."""
        ...
