"""Stores in and out."""

from datetime import datetime
from typing import Any

from pydantic import ConfigDict

from app.api.schemas.common import Answer, Body
from app.api.schemas.names import Name, TimeZone

EXAMPLE: dict[str, Any] = {"name": "Maison Lune, Lyon", "time_zone": "Europe/Paris"}


class StoreIn(Body):
    """`time_zone` null: the organisation's."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    name: Name
    time_zone: TimeZone | None = None


class StoreOut(Answer):
    """A shop."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"store_id": "shop1", **EXAMPLE, "created_at": "2026-03-02T09:00:00Z"}]}
    )

    store_id: str
    name: str
    time_zone: str | None
    created_at: datetime
