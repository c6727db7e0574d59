"""Channel links in and out."""

from datetime import datetime
from typing import Any

from pydantic import ConfigDict

from app.api.schemas.common import Answer, Body, CallerId

EXAMPLE: dict[str, Any] = {"user_id": "alice", "store_id": "shop1"}


class ChannelIn(Body):
    """Whose address it is, and which store is meant by it."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    user_id: CallerId
    store_id: CallerId | None = None


class ChannelOut(Answer):
    """An address as an alias of a person and a store."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"channel": "whatsapp", "address": "+33612345678", **EXAMPLE, "created_at": "2026-03-02T09:00:00Z"}
            ]
        }
    )

    channel: str
    address: str
    user_id: str
    store_id: str | None
    created_at: datetime
