"""Observations and tool runs in, what became of them, and observations out."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import AfterValidator, ConfigDict, Field, JsonValue, StringConstraints, ValidationError
from pydantic_core import PydanticCustomError, to_json

from app.api.cursors import PageQuery
from app.api.schemas.common import AgentId, Answer, Body, CallerId, Instant, SentAt, bytes_at_most
from app.api.schemas.facts import Tags
from app.api.schemas.refusals import Refusal
from app.domain.errors import Invalid, RetenirError
from app.domain.observations import MAX_NAME, Observation, ObservationType, faults
from app.domain.tenancy import ATLAS
from app.ports.observations import ObservationFilter
from app.services.observations import EntitySeen, ItemStatus, ItemTaken, ToolRun
from app.services.observing import Reported

CONTENT_BYTES = 8192
METADATA_BYTES = 8192
MOST_ITEMS = 1000
MOST_ENTITIES = 100
OBSERVATION: dict[str, Any] = {
    "type": "tool_success",
    "user_id": "alice",
    "store_id": "shop1",
    "agent_id": "atlas",
    "session_id": "s1",
    "metadata": {"toolName": "get_order", "durationMs": 120},
    "tags": ["orders"],
    "occurred_at": "2026-03-02T10:00:00+01:00",
}
STORED: dict[str, Any] = {"id": "01936d2c-7c5a-7cc3-9f43-0b1de1f3b001", "status": "stored", "error": None}


def _metadata(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if len(to_json(value)) > METADATA_BYTES:
        raise PydanticCustomError("metadata_too_large", "Metadata has at most 8 KiB")
    return value


Content = Annotated[str, bytes_at_most(CONTENT_BYTES), Field(description="In words; at most 8 KiB.")]
Metadata = Annotated[
    dict[str, JsonValue],
    AfterValidator(_metadata),
    Field(description="What the type asks for, and whatever else is known; at most 8 KiB."),
]
Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME)]
TypeName = Annotated[ObservationType, Field(strict=False)]


class Circumstances(Body):
    """Who, where and when. Without a session it is the person's day, without a time it is now."""

    user_id: CallerId | None = None
    store_id: CallerId | None = None
    agent_id: AgentId = ATLAS
    session_id: CallerId | None = None
    occurred_at: SentAt | None = None

    def common(self, kind: ObservationType) -> Reported:
        """As a report of this type; the time in UTC, with the sender's offset apart (`Z` names none)."""
        at = self.occurred_at
        offset = None if at is None or at.tzinfo is UTC else at.utcoffset()
        return Reported(
            type=kind,
            user_id=self.user_id,
            store_id=self.store_id,
            agent_id=self.agent_id,
            session_id=self.session_id,
            occurred_at=at.astimezone(UTC) if at else None,
            utc_offset=None if offset is None else int(offset.total_seconds() // 60),
        )


class ObservationBody(Circumstances):
    """Something that happened.

    `metadata` holds, by type: `toolName`, `durationMs`, `quality` in [0, 1] or `error` (tool_success, tool_failure);
    `entityType`, `entityId`, `entityName` (entity_access); `domain`, `query` (query_pattern). A `note` has `content`.
    """

    type: TypeName
    content: Content | None = None
    metadata: Metadata = Field(default_factory=dict)
    tags: Tags = Field(default_factory=list)

    def reported(self) -> Reported:
        """As the service takes it. Raises Invalid where the metadata are not those of the type."""
        if wrong := tuple(faults(self.type, self.content, self.metadata)):
            raise Invalid("invalid_observation", "This is no observation of its type.", wrong)
        common = self.common(self.type)
        return replace(common, content=self.content, metadata=self.metadata, tags=tuple(self.tags))


class ObservationBatch(Body):
    """One observation or many; each is checked and kept for itself."""

    model_config = ConfigDict(json_schema_extra={"example": {"items": [OBSERVATION]}})

    items: Annotated[list[Any], Field(min_length=1, max_length=MOST_ITEMS)]


class EntityIn(Body):
    """An entity in a tool's result."""

    type: Name
    id: Name
    name: Name | None = None


class ToolRunBody(Circumstances):
    """One run of a tool, with the entities in its result."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "user_id": "alice",
                "agent_id": "atlas",
                "session_id": "s1",
                "tool_name": "get_order",
                "ok": True,
                "duration_ms": 120,
                "entities": [{"type": "order", "id": "1042", "name": "Commande 1042"}],
            }
        }
    )

    tool_name: Name
    ok: bool
    duration_ms: Annotated[float, Field(ge=0)]
    error: Annotated[str, bytes_at_most(CONTENT_BYTES)] | None = None
    entities: Annotated[list[EntityIn], Field(max_length=MOST_ENTITIES)] = Field(default_factory=list)

    def run(self) -> ToolRun:
        """The run itself."""
        entities = [EntitySeen(entity.type, entity.id, entity.name) for entity in self.entities]
        return ToolRun(self.tool_name, self.ok, self.duration_ms, self.error, entities)


class ItemOut(Answer):
    """What became of one item. `skipped`: the organisation, the person or the words themselves want nothing kept."""

    id: UUID | None
    status: ItemStatus
    error: Refusal | None

    @classmethod
    def of(cls, taken: ItemTaken) -> "ItemOut":
        """As callers read it."""
        if taken.error is not None:
            return cls.rejected(taken.error)
        return cls(id=taken.id, status=taken.status, error=None)

    @classmethod
    def rejected(cls, error: RetenirError | ValidationError) -> "ItemOut":
        """An item of which nothing was kept, for this reason."""
        return cls(id=None, status=ItemStatus.REJECTED, error=Refusal.for_error(error))


class ItemsOut(Answer):
    """One answer for each item, in their order."""

    model_config = ConfigDict(json_schema_extra={"example": {"items": [STORED]}})

    items: list[ItemOut]


class ObservationQuery(PageQuery):
    """Filters of one person's observations; together they narrow."""

    user_id: CallerId | None = Field(default=None, description="The person; else the one who asks.")
    type: ObservationType | None = None
    agent: AgentId | None = None
    session: CallerId | None = None
    tag: Annotated[str, StringConstraints(min_length=1, max_length=40)] | None = None
    since: Instant | None = Field(default=None, description="What happened from this instant on.")
    until: Instant | None = Field(default=None, description="What happened before this instant.")

    def wanted(self, user_id: str) -> ObservationFilter:
        """The filter for that person, without the limits of whoever reads."""
        return ObservationFilter(user_id, self.type, self.agent, self.session, self.tag, self.since, self.until)


ObservationsQuery = Annotated[ObservationQuery, Query()]


class ObservationOut(Answer):
    """An observation. `session_id` is null where the session is the person's day, `summary` but for notes."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": STORED["id"],
                **OBSERVATION,
                "content": None,
                "summary": None,
                "conversation_id": None,
                "message_id": None,
                "recorded_at": "2026-03-02T09:00:01Z",
                "consolidated_at": None,
            }
        }
    )

    id: UUID
    type: ObservationType
    user_id: str
    store_id: str | None
    agent_id: str
    session_id: str | None
    content: str | None
    summary: str | None
    metadata: dict[str, JsonValue]
    tags: tuple[str, ...]
    conversation_id: str | None
    message_id: str | None
    occurred_at: datetime
    recorded_at: datetime
    consolidated_at: datetime | None

    @classmethod
    def of(cls, observation: Observation) -> "ObservationOut":
        """As its person reads it."""
        one, message = observation, observation.message
        return cls(
            id=one.id,
            type=one.type,
            user_id=one.user_id,
            store_id=one.store_id,
            agent_id=one.agent_id,
            session_id=one.session_id,
            content=one.content,
            summary=one.summary,
            metadata=dict(one.metadata),
            tags=one.tags,
            conversation_id=message.conversation_id if message else None,
            message_id=message.message_id if message else None,
            occurred_at=one.occurred_at,
            recorded_at=one.recorded_at,
            consolidated_at=one.consolidated_at,
        )
