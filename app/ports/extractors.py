"""Extractors: from the words of a turn to raw drafts, which the domain checks."""

from collections.abc import Sequence
from typing import Protocol

from app.domain.drafts import ExtractionRequest


class Extractor(Protocol):
    """Reads one turn. What it answers is not trusted: `app.domain.drafts.check_all` decides."""

    @property
    def name(self) -> str: ...

    async def extract(self, request: ExtractionRequest) -> Sequence[object]:
        """Raw drafts as JSON-like objects. Raises Unavailable when it cannot answer now."""
        ...
