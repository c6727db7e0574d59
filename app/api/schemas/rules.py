"""Rules in and out."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer, Body, bytes_at_most
from app.api.schemas.events import ActorOut
from app.domain.rules import MAX_BYTES

EXAMPLE: dict[str, Any] = {
    "version": 2,
    "markdown": "# Règles\n- Vouvoie les clients.\n- Ne promets jamais de délai.\n",
    "author": {"type": "person", "id": "alice"},
    "created_at": "2026-11-30T09:00:00Z",
}


class RulesIn(Body):
    """The whole of the rules; an empty text takes them back."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"markdown": EXAMPLE["markdown"]}]})

    markdown: Annotated[str, bytes_at_most(MAX_BYTES)] = Field(
        description="Markdown of at most 16 KiB in UTF-8, kept to the byte."
    )


class RulesOut(Answer):
    """The rules as they stood from `created_at` on. Version 0, by nobody, of no time: none were ever written."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    version: int
    markdown: str
    author: ActorOut | None = Field(description="null for a person who is gone, or has no role any more.")
    created_at: datetime | None
