"""Embeddings: what a model makes of text, and what its numbers mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

Vector: TypeAlias = Sequence[float]
"""Of length 1, in a model's own dimension."""


@dataclass(frozen=True, slots=True)
class EmbedderProfile:
    """A model's name, and what must be known of it to use its vectors; cosines of one model mean nothing for another.

    `name` tells vectors apart: what was made under another name is never compared. `window` is how many characters it
    reads of a text at once; of a longer one each stretch is embedded. `related` and `duplicate` are the cosines of two
    passages from which they are about the same, and may mean the same.
    """

    name: str
    dimension: int
    window: int
    related: float
    duplicate: float

    @property
    def space(self) -> str:
        """The name of its vectors' space. Those of two spaces cannot be compared."""
        return f"{self.name} {self.dimension}"
