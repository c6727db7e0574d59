"""The organisation's settings in and out."""

from typing import Any

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer, Body
from app.api.schemas.names import Shared, Spoken, TimeZone
from app.domain.organisations import Language, ShareMessages

EXAMPLE: dict[str, Any] = {"enabled": True, "language": "fr", "time_zone": "Europe/Paris", "share_messages": "person"}


class SettingsIn(Body):
    """What is to change; what is left out, or null, stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"share_messages": "store"}]})

    enabled: bool | None = Field(default=None, description="false: nothing is stored, and every block is empty.")
    language: Spoken | None = Field(default=None, description="In which memory blocks are written.")
    time_zone: TimeZone | None = None
    share_messages: Shared | None = Field(
        default=None,
        description="Who is served an operator's past messages: that person, or the operators of the same store.",
    )


class SettingsOut(Answer):
    """All settings."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    enabled: bool
    language: Language
    time_zone: str
    share_messages: ShareMessages
