"""An export, as it is read."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from app.api.schemas.common import Answer
from app.domain.export import Extent
from app.domain.subjects import Scope

Records = list[dict[str, Any]]


class ExportQuery(BaseModel):
    """What to narrow the export to."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    scope: Scope | None = Field(default=None, description="One scope alone; else all that you may take.")


EXAMPLE_LINES = """{"type":"organisation","record":{"org_id":"demo","name":"Demo"}}
{"type":"person","record":{"user_id":"alice","created_at":"2026-11-30T09:00:00Z","role":"member"}}
{"type":"settings","record":null}
{"type":"manifest","record":{"schema_version":1}}
"""

ExportFor = Annotated[ExportQuery, Query()]


class ManifestOut(Answer):
    """The last member: a document without it is not whole."""

    schema_version: Literal[1]
    exported_at: datetime
    counts: dict[str, int] = Field(description="Records in each list.")
    holds: dict[Scope, Extent] = Field(
        description="How much of each scope: all, the reader's own, or the public facts."
    )
    checksum: str = Field(
        pattern=r"^sha256:[0-9a-f]{64}$",
        description='SHA-256 of the bytes before the comma that precedes `"manifest"`; of lines, before its line.',
    )


class ExportOut(Answer):
    """Everything held that the caller may read, of one instant. Names are those of the other routes, with what it takes
    to import it again beside them; a list that is not for the caller is empty."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "organisation": {"org_id": "demo", "name": "Demo"},
                "stores": [],
                "people": [{"user_id": "alice", "created_at": "2026-11-30T09:00:00Z", "role": "member"}],
                "channels": [],
                "facts": [],
                "sources": [],
                "decisions": [],
                "messages": [],
                "observations": [],
                "events": [],
                "rules": [],
                "settings": None,
                "manifest": {
                    "schema_version": 1,
                    "exported_at": "2026-11-30T09:00:00Z",
                    "counts": {"stores": 0, "people": 1, "facts": 0},
                    "holds": {"org": "whole", "store": "whole", "user": "whole"},
                    "checksum": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                },
            }
        }
    )

    organisation: dict[str, Any] = Field(description="Its id and name; everything but the settings for admins.")
    stores: Records
    people: Records
    channels: Records = Field(description="Addresses that stand for a person.")
    facts: Records
    sources: Records = Field(description="What the facts rest on.")
    decisions: Records = Field(description="What people decided about facts.")
    messages: Records
    observations: Records = Field(description="What happened in sessions.")
    events: Records
    rules: Records = Field(description="Every version, oldest first: the last one stands.")
    settings: dict[str, Any] | None
    manifest: ManifestOut
