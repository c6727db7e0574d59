"""People in and out."""

from datetime import datetime
from typing import Any

from pydantic import ConfigDict, Field

from app.api.schemas.common import Answer, Body
from app.api.schemas.names import AnyRole, Name, TimeZone
from app.domain.tenancy import Role

EXAMPLE: dict[str, Any] = {"role": "admin", "display_name": "Alice", "remember": True, "time_zone": "Europe/Paris"}


class PersonIn(Body):
    """`role` null makes a contact. `remember` left out stays the person's wish; the rest is replaced."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    role: AnyRole | None
    display_name: Name | None = None
    remember: bool | None = Field(default=None, description="false: nothing of theirs is stored, their block is empty.")
    time_zone: TimeZone | None = None


class PersonOut(Answer):
    """An operator, or a contact, whose `role` is null."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"user_id": "alice", **EXAMPLE, "created_at": "2026-03-02T09:00:00Z"}]}
    )

    user_id: str
    role: Role | None
    display_name: str | None
    remember: bool
    time_zone: str | None
    created_at: datetime
