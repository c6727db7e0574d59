"""How alike two statements are, and how they may stand to each other."""

from dataclasses import dataclass
from enum import StrEnum


class Kinship(StrEnum):
    """How the later of two statements stands to the earlier."""

    SAME = "same"
    UPDATE = "update"
    CONTRADICTION = "contradiction"
    APART = "apart"


@dataclass(frozen=True, slots=True)
class Likeness:
    """The cosine of two statements, with the cosines from which their embedder calls two passages related, and may call
    them duplicates.
    """

    cosine: float
    related: float
    duplicate: float

    @property
    def near(self) -> bool:
        """Whether the embedder holds that they may mean the same."""
        return self.cosine >= self.duplicate

    @property
    def far(self) -> bool:
        """Whether it holds that they are not even about the same."""
        return self.cosine < self.related
