"""API keys in and out."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from app.api.schemas.common import Answer, Body, CallerId, Instant
from app.api.schemas.names import AnyRole, Name
from app.domain.tenancy import Role

EXAMPLE: dict[str, Any] = {
    "name": "WhatsApp backend",
    "role": "admin",
    "act_for_people": True,
    "store_ids": ["shop1"],
    "agent_ids": None,
    "expires_at": None,
}
ID = "01890a5d-ac96-7742-b8f0-a5d3c1e4f6a7"
Limit = Annotated[list[CallerId], Field(min_length=1, max_length=100)]


class ApiKeyIn(Body):
    """A key to be made. `store_ids`, `agent_ids` and `expires_at` are limits; null is none."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    name: Name
    role: AnyRole = Field(description="Never above its maker's.")
    act_for_people: bool = Field(default=False, description="Whether it may name a person by X-User-Id or user_id.")
    store_ids: Limit | None = None
    agent_ids: Limit | None = None
    expires_at: Instant | None = None


class ApiKeyMade(BaseModel):
    """The key, this once. Only its digest is kept."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"id": ID, "key": "rtn_3LUqZrXy8ZQ0S5oKQmR1T9pWcVbN2dHhJ4sAaEeGg7fYy0a1B2c"}]}
    )

    id: UUID
    key: str | None = Field(description="null in a replay: whoever lost the first answer makes another key.")


class ApiKeyOut(Answer):
    """A key as it can be seen afterwards."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"id": ID, **EXAMPLE, "created_at": "2026-03-02T09:00:00Z", "created_by": "alice", "revoked_at": None}
            ]
        }
    )

    id: UUID
    name: str
    role: Role
    act_for_people: bool
    store_ids: tuple[str, ...] | None
    agent_ids: tuple[str, ...] | None
    expires_at: datetime | None
    created_at: datetime
    created_by: str
    revoked_at: datetime | None
