"""Extractors: from the words of a turn to raw drafts, which the domain checks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.drafts import ExtractionRequest
from app.domain.errors import Unavailable
from app.domain.usage import ModelUse

NO_USE = ModelUse()


@dataclass(frozen=True, slots=True)
class Extraction:
    """Raw drafts as JSON-like objects, and what it cost to have them."""

    drafts: Sequence[object] = ()
    use: ModelUse = NO_USE


class ExtractionFailed(Unavailable):
    """This turn could not be read. `use` is what the vain call cost."""

    def __init__(self, code: str, detail: str, use: ModelUse = NO_USE, retry_after: int = 1) -> None:
        super().__init__(code, detail, retry_after)
        self.use = use


class ExtractorAway(ExtractionFailed):
    """No turn can be read just now: it is no fault of this one's."""


class Extractor(Protocol):
    """Reads one turn. What it answers is not trusted: `app.domain.drafts.check_all` decides."""

    @property
    def name(self) -> str: ...

    @property
    def metered(self) -> bool:
        """Whether reading costs tokens, which a quota may limit."""
        ...

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Raises ExtractionFailed, and ExtractorAway while it cannot answer at all."""
        ...
