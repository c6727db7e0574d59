"""Rules: an organisation's own Markdown, which goes into every prompt before the memory block (layer 3)."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.tenancy import Actor

MAX_BYTES = 16 * 1024


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules as they stood from `created_at` on, to the byte as they were written; `version` counts from 1.

    `author` is None for a person who is gone. Version 0 is an organisation's that never wrote any: they are empty.
    """

    version: int = 0
    markdown: str = ""
    author: Actor | None = None
    created_at: datetime | None = None


NO_RULES = Rules()
