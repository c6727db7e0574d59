"""Short ways to say observations in tests."""

from datetime import datetime
from typing import Any
from uuid import UUID

from app.domain.identifiers import first_uuid7
from app.domain.observations import Observation, ObservationType
from app.domain.tenancy import ATLAS
from app.domain.values import JsonValue
from tests.unit.memories import START, day

TOLD: dict[ObservationType, dict[str, JsonValue]] = {
    ObservationType.TOOL_SUCCESS: {"toolName": "get_order", "durationMs": 120},
    ObservationType.TOOL_FAILURE: {"toolName": "get_order", "durationMs": 120, "error": "timed out"},
    ObservationType.ENTITY_ACCESS: {"entityType": "order", "entityId": "1042"},
    ObservationType.QUERY_PATTERN: {"domain": "shipping", "query": "où est mon colis ?"},
    ObservationType.NOTE: {},
}
"""Metadata of each type."""


def observed(
    kind: ObservationType = ObservationType.TOOL_SUCCESS, number: int = 1, at: float = 0, **told: Any
) -> Observation:
    """Observation `number` of alice in session s1, on day `at`; `told` are its other fields."""
    fields: dict[str, Any] = {
        "id": id_at(day(at), number),
        "type": kind,
        "user_id": "alice",
        "agent_id": ATLAS,
        "session": "s1",
        "occurred_at": day(at),
        "recorded_at": day(at),
        "metadata": TOLD[kind],
    }
    return Observation(**{**fields, **told})


def id_at(instant: datetime = START, number: int = 1) -> UUID:
    """An id made at that instant; a greater number, a later one."""
    return UUID(int=first_uuid7(instant).int + number)
